#if canImport(UIKit) && !os(watchOS)
  import CTraceStart
  import Foundation
  import TraceUIKit

  /// Starts tracing before `main`, in an app that links this library, or has it inserted.
  ///
  /// It does when `TRACECTL_TRACE` is in the environment, or `TracectlTraceAtLaunch` in the app's property
  /// list is true.
  @_cdecl("tracectl_start_tracing")
  public func startTracing() {
    let isWanted =
      ProcessInfo.processInfo.environment["TRACECTL_TRACE"] != nil
      || Bundle.main.object(forInfoDictionaryKey: "TracectlTraceAtLaunch") as? Bool == true
    guard isWanted, Thread.isMainThread else { return }
    MainActor.assumeIsolated { _ = LifecycleTracing.start() }
  }
#endif
