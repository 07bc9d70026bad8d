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
    private let period: UInt64
    private let now: @Sendable () -> UInt64
    private let queue = DispatchQueue(label: "tracectl.pauses", qos: .utility)
    private var current: (timer: any DispatchSourceTimer, looker: Looker)?

    /// Wakes each `period` nanoseconds while the app is in the background, by the clock `now`.
    init(
      _ recorder: Recorder, period: UInt64 = 10_000_000_000,
      now: @escaping @Sendable () -> UInt64 = { platform_nanoseconds() }
    ) {
      (self.recorder, self.period, self.now) = (recorder, period, now)
    }

    /// Looks while the app is in the background.
    func follow(_ state: AppState) {
      guard (state == .background) != (current != nil) else { return }
      guard current == nil else {
        // The pause that ends here may have kept the timer from it.
        current?.looker.look()
        return stop()
      }
      begin()
    }

    private func begin() {
      let timer = DispatchSource.makeTimerSource(queue: queue)
      let span = DispatchTimeInterval.nanoseconds(Int(period))
      let leeway = DispatchTimeInterval.nanoseconds(Int(period / 10))
      timer.schedule(deadline: .now() + span, repeating: span, leeway: leeway)
      let looker = Looker(recorder, period: period, now: now)
      // Sendable, as it runs on another thread: it would be the main actor's otherwise, and end the process there.
      timer.setEventHandler { @Sendable in looker.look() }
      timer.resume()
      current = (timer, looker)
    }

    /// Looks no more.
    func stop() {
      current?.timer.cancel()
      current = nil
    }

    /// What is said of a pause, in nanoseconds.
    nonisolated static func words(_ pause: UInt64) -> String {
      "stood still for at least \(pause / 1_000_000_000)s, probably suspended"
    }

    /// Who wakes, on any thread.
    private final class Looker: Sendable {
      private let recorder: Recorder
      private let clock: Lock<PauseClock>
      private let now: @Sendable () -> UInt64

      init(_ recorder: Recorder, period: UInt64, now: @escaping @Sendable () -> UInt64) {
        (self.recorder, self.now) = (recorder, now)
        clock = Lock(PauseClock(period: period, since: now()))
      }

      func look() {
        guard let pause = clock.withLock({ $0.look(now()) }) else { return }
        recorder.record(
          .note, subject: .app, label: PauseWatch.words(pause),
          attributes: [Attribute(.by, "inferred")])
      }
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

    /// Somebody has woken; for how long it stood still at the least, in nanoseconds, if it did.
    mutating func look(_ now: UInt64) -> UInt64? {
      defer { last = now }
      let passed = now &- last
      return passed > period + PauseClock.late ? passed - period : nil
    }
  }
#endif
