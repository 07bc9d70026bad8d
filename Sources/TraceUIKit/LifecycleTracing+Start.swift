#if canImport(UIKit) && !os(watchOS)
  import Foundation
  import LifecycleModel
  import TraceLog
  import TraceRecorder
  import UIKit

  @available(iOSApplicationExtension, unavailable)
  @available(tvOSApplicationExtension, unavailable)
  @available(visionOSApplicationExtension, unavailable)
  extension LifecycleTracing {
    /// Starts recording, and gives what the app can state facts of its own to.
    ///
    /// The log is `flight.bin` in the directory of `options`; each launch goes on with it. A process that `tracectl record` started
    /// records there instead. A second call has no effect. When no log can be made nothing is recorded,
    /// and the app runs as it would without: ``failure`` says why, as does a line in the system's log, and what is
    /// returned stays off. `current?.recorder` is the one that records when a later attempt succeeds.
    @discardableResult
    public static func start(_ options: Options = Options()) -> Recorder {
      if let current { return current.recorder }
      return start(options, .current) { try Opened(options) }.recorder
    }

    /// What a process records to.
    struct Opened {
      var recorder: Recorder
      /// Where reports are kept; `nil` keeps none.
      var files: TraceFiles?

      init(_ recorder: Recorder) { self.recorder = recorder }

      /// The recorder of `tracectl record`, or one of the app's own.
      @MainActor init(_ options: Options) throws {
        recorder = .shared
        guard !recorder.isOn else { return }
        let files = try TraceFiles(options.directory)
        try TracingMark.own.take(files.log)
        recorder = try files.open(statesBoot: options.statesBoot)
        if options.keepsReports { self.files = files }
      }
    }

    /// Starts recording to what `open` opens, and tries it again when protected data become available.
    @discardableResult
    static func start(
      _ options: Options, _ process: UIKitProcess, open: @escaping @MainActor () throws -> Opened
    ) -> LifecycleTracing {
      do {
        let opened = try open()
        failure = nil
        let tracing = start(options, opened.recorder, process)
        #if !os(tvOS)
          tracing.reports = opened.files.map(SystemReports.init)
        #endif
        return tracing
      } catch {
        failure = error
        process.complain("nothing is recorded: \(error)")
        let tracing = start(options, .off, process)
        // Another copy of the library records, and goes on with it.
        if case .inUseHere? = error as? LogError { return tracing }
        tracing.whenDataAreAvailable { tracing in
          tracing.stop()
          start(options, process, open: open)
        }
        return tracing
      }
    }

    /// Starts recording in a process that may be a test's.
    @discardableResult
    static func start(
      _ options: Options, _ recorder: Recorder, _ process: UIKitProcess
    ) -> LifecycleTracing {
      let tracing = LifecycleTracing(options, recorder, process)
      current = tracing
      if recorder.isOn { tracing.begin() }
      return tracing
    }

    private func whenDataAreAvailable(
      _ body: @escaping @MainActor @Sendable (LifecycleTracing) -> Void
    ) {
      let isMain = isMain
      waiting = process.center.addObserver(
        forName: UIApplication.protectedDataDidBecomeAvailableNotification, object: nil, queue: nil
      ) { [weak self] _ in
        // UIKit posts on the main thread; who posts elsewhere is not UIKit.
        guard isMain() else { return }
        MainActor.assumeIsolated { if let self { body(self) } }
      }
    }
  }
#endif
