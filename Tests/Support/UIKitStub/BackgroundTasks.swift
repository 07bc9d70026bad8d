// What TraceUIKit and its tests use of BackgroundTasks, which Linux does not have, over AppLifecycle.

import AppLifecycle
import Foundation

/// BackgroundTasks' scheduler; here one belongs to each system.
@MainActor package final class BGTaskScheduler: NSObject {
  private unowned let system: StubSystem
  /// The identifiers that may be submitted; others are refused, as those are that the property list lacks.
  package var permitted: Set<String> = []

  init(_ system: StubSystem) { self.system = system }

  /// Says what is to run for an identifier; AppLifecycle asks for the kind at once.
  @discardableResult
  package func register(
    forTaskWithIdentifier identifier: String, kind: BGTaskKind,
    launchHandler: @escaping @MainActor @Sendable (BGTask) -> Void
  ) -> Bool {
    let selector = "registerForTaskWithIdentifier:usingQueue:launchHandler:"
    let block: StubRuntime.Block = { ($0 as? BGTask).map(launchHandler) }
    return system.runtime.send(
      selector, to: self, [NSString(string: identifier), nil], block: block
    ) { told in
      let runtime = system.runtime
      system.app?.application.register(forTaskWithIdentifier: identifier, kind: kind) { task in
        told?(BGTask.make(task, kind, runtime))
      }
      return true
    }
  }

  /// Asks for a launch; false for an identifier that is not permitted.
  @discardableResult
  package func submit(_ request: BGTaskRequest) -> Bool {
    system.runtime.send("submitTaskRequest:error:", to: self, [request], block: nil) { _ in
      permitted.contains(request.identifier)
    }
  }
}

package class BGTaskRequest: NSObject {
  package let identifier: String
  package init(_ identifier: String) { self.identifier = identifier }
}

package class BGTask: NSObject {
  private let task: AppLifecycle.BGTask
  private let runtime: StubRuntime

  fileprivate init(_ task: AppLifecycle.BGTask, _ runtime: StubRuntime) {
    (self.task, self.runtime) = (task, runtime)
  }

  @MainActor fileprivate static func make(
    _ task: AppLifecycle.BGTask, _ kind: BGTaskKind, _ runtime: StubRuntime
  ) -> BGTask {
    switch kind {
    case .refresh: BGAppRefreshTask(task, runtime)
    case .processing: BGProcessingTask(task, runtime)
    case .continued: BGContinuedProcessingTask(task, runtime)
    }
  }

  /// Sets what runs when the time is over.
  @MainActor package func expires(_ handler: @escaping @MainActor @Sendable () -> Void) {
    runtime.send("setExpirationHandler:", to: self, [], handler: handler) { told in
      task.expirationHandler = told
    }
  }

  @MainActor package func setTaskCompleted(success: Bool) {
    runtime.send("setTaskCompletedWithSuccess:", to: self, number: success ? 1 : 0) {
      task.setTaskCompleted(success: success)
    }
  }
}

package final class BGAppRefreshTask: BGTask {}
package class BGProcessingTask: BGTask {}
package final class BGContinuedProcessingTask: BGTask {}
