#if canImport(UIKit) && !os(watchOS)
  import LifecycleModel
  import UIKit

  // Mac Catalyst lacks it; on Linux the stand-in for UIKit has it.
  #if (canImport(StateReporting) && !targetEnvironment(macCatalyst)) || os(Linux)
    #if canImport(StateReporting)
      import StateReporting
    #endif

    /// What identifies the log in a state that the system keeps, and gives back with a crash report.
    @available(iOS 27, tvOS 27, visionOS 27, *)
    private struct ReportedLog: ReportableMetadata {
      let id: String
      var metadataDictionary: [String: ReportableMetadataValue] {
        ["log": ReportableMetadataValue(id)]
      }
    }
  #endif

  /// Tells the system, from iOS 27 on, in which state the app is, and which of the calls is open in which the
  /// system loses patience: its crash report then names the log that explains it.
  @MainActor
  struct StateReport {
    private static let named: Set<Callback> = [
      .sceneDidEnterBackground, .applicationDidEnterBackground, .applicationWillTerminate,
    ]
    private let report: (String) -> Void
    /// What was told last.
    private var last: String?

    /// `nil` on a system that has no such reports, and without a log.
    init?(log: String?) {
      #if (canImport(StateReporting) && !targetEnvironment(macCatalyst)) || os(Linux)
        guard let log, #available(iOS 27, tvOS 27, visionOS 27, *) else { return nil }
        let reporter = StateReporter.reporter(
          for: "dev.tracectl.lifecycle", stableMetadata: ReportedLog.self,
          volatileMetadata: Never.self)
        let metadata = ReportedLog(id: log)
        report = { reporter.reportTransition(to: $0, stableMetadata: metadata) }
      #else
        return nil
      #endif
    }

    /// The app is in this state, and in this call: nothing is told twice.
    mutating func tell(_ state: AppState, in call: Callback? = nil) {
      let open = call.flatMap { StateReport.named.contains($0) ? $0 : nil }
      let word = open.map { "\(state.rawValue)/\($0.rawValue)" } ?? state.rawValue
      guard word != last else { return }
      last = word
      report(word)
    }
  }
#endif
