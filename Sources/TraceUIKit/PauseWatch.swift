#if canImport(UIKit) && !os(watchOS)
  import Foundation
  import LifecycleModel
  import Platform
  import TraceRecorder

  /// The pauses of a process in the background: who wakes much later than it asked to has stood still.
  ///
  /// The system suspends processes and tells them nothing. A pause has other causes, too, such as a busy device:
  /// it is a note, which proves nothing to any rule. While the device sleeps its clock stands still, and a pause
  /// is not seen.
  @MainActor
  final class PauseWatch {
    private let recorder: Recorder
    private let queue = DispatchQueue(label: "tracectl.pauses", qos: .utility)
    private var looker: (any DispatchSourceTimer)?
    private static let period: UInt64 = 1_000_000_000

    init(_ recorder: Recorder) { self.recorder = recorder }

    /// Looks while the app is in the background.
    func follow(_ state: AppState) {
      guard (state == .background) != (looker != nil) else { return }
      if looker == nil { begin() } else { stop() }
    }

    private func begin() {
      let timer = DispatchSource.makeTimerSource(queue: queue)
      let period = DispatchTimeInterval.nanoseconds(Int(PauseWatch.period))
      timer.schedule(deadline: .now() + period, repeating: period, leeway: .milliseconds(500))
      let clock = Lock(PauseClock(period: PauseWatch.period, since: platform_nanoseconds()))
      timer.setEventHandler { [recorder] in
        guard let pause = clock.withLock({ $0.look(platform_nanoseconds()) }) else { return }
        recorder.record(
          .note, subject: .app, label: PauseWatch.words(pause),
          attributes: [Attribute(.by, "inferred")])
      }
      timer.resume()
      looker = timer
    }

    /// Looks no more.
    func stop() {
      looker?.cancel()
      looker = nil
    }

    /// What is said of a pause, in nanoseconds.
    nonisolated static func words(_ pause: UInt64) -> String {
      "stood still for \(pause / 1_000_000_000)s, probably suspended"
    }
  }

  /// How late somebody wakes who wants to wake again and again.
  struct PauseClock {
    /// Whoever wakes so many nanoseconds later than it asked to has stood still.
    private static let late: UInt64 = 2_000_000_000

    private let period: UInt64
    private var last: UInt64

    /// Wakes each `period` nanoseconds, the first time so long after `since`.
    init(period: UInt64, since: UInt64) { (self.period, last) = (period, since) }

    /// Somebody has woken; for how long it stood still, in nanoseconds, if it did.
    mutating func look(_ now: UInt64) -> UInt64? {
      defer { last = now }
      let passed = now &- last
      return passed > period + PauseClock.late ? passed - period : nil
    }
  }
#endif
