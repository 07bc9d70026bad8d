#if canImport(UIKit) && !os(watchOS)
  import Foundation
  import LifecycleModel
  import TraceRecorder
  import UIKit

  /// Background sessions of URLSession: when all events of one have been delivered, where the app's delegate
  /// has the method for it.
  ///
  /// The completion handler that the app's delegate got should run then. Transfers are not watched.
  final class URLSessionWatch: MethodWatch {
    private static let make = (
      selector: "sessionWithConfiguration:delegate:delegateQueue:", token: UInt32(130)
    )
    private static let finish = (
      selector: "URLSessionDidFinishEventsForBackgroundURLSession:", token: UInt32(131)
    )

    let tokens = make.token..<finish.token + 1
    private let recorder: Recorder
    private let runtime: HookRuntime

    init(_ recorder: Recorder, _ runtime: HookRuntime) {
      (self.recorder, self.runtime) = (recorder, runtime)
    }

    /// Watches how sessions are made; the selectors that cannot be watched.
    func watch() -> [String] {
      let make = URLSessionWatch.make
      let made = runtime.watch(
        runtime.makerNamed("NSURLSession"), make.selector, make.token, 0)
      return made == .missed ? [make.selector] : []
    }

    func entered(_ call: HookedCall) -> Bool {
      if call.token == URLSessionWatch.finish.token {
        let name = (call.object(1) as? URLSession)?.configuration.identifier
        recorder.record(
          .note, subject: .app, label: "urlSessionDidFinishEvents: \(name ?? "no identifier")")
      } else if let configuration = call.object(1) as? URLSessionConfiguration,
        configuration.identifier != nil, let delegate = call.object(2)
      {
        let finish = URLSessionWatch.finish
        _ = runtime.watch(runtime.classOf(delegate), finish.selector, finish.token, 0)
      }
      return false
    }

    func left(_ call: HookedCall, result: UInt) {}
    func blockEntered(_ block: HookedBlock) {}
    func blockLeft(_ block: HookedBlock) {}
  }
#endif
