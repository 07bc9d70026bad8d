import Foundation

@testable import TraceUIKit

/// The main actor's queue in a test, whose thread need not be the first of the process.
@MainActor enum MainQueue {
  private nonisolated static let key = DispatchSpecificKey<Bool>()
  private static let isMarked: Void = DispatchQueue.main.setSpecific(key: key, value: true)

  /// This process, with a notification center of its own and no main run loop.
  static var process: UIKitProcess {
    _ = isMarked
    var process = UIKitProcess.current
    process.isMain = { DispatchQueue.getSpecific(key: key) == true }
    (process.center, process.hasRunLoop) = (NotificationCenter(), false)
    return process
  }
}
