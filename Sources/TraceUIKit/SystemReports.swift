#if canImport(UIKit) && !os(watchOS)
  import Foundation
  import UIKit

  // tvOS lacks it; on Linux the stand-in for UIKit has it.
  #if !os(tvOS)
    #if canImport(MetricKit)
      import MetricKit
    #endif

    /// What MetricKit reports on earlier runs, kept beside the log: crashes, hangs and its other diagnostics, and how
    /// often the app exited, and why.
    ///
    /// The system delivers it at the next launch, or within a day, on a thread of its own.
    final class SystemReports: NSObject, MXMetricManagerSubscriber {
      private let files: TraceFiles

      /// Keeps what comes from now on beside the log of `files`.
      init(_ files: TraceFiles) {
        self.files = files
        super.init()
        MXMetricManager.shared.add(self)
      }

      /// Keeps nothing any more.
      func stop() { MXMetricManager.shared.remove(self) }

      func didReceive(_ payloads: [MXDiagnosticPayload]) {
        for payload in payloads { files.keep(report: payload.jsonRepresentation()) }
      }

      func didReceive(_ payloads: [MXMetricPayload]) {
        for payload in payloads where payload.applicationExitMetrics != nil {
          files.keep(report: payload.jsonRepresentation())
        }
      }
    }
  #endif
#endif
