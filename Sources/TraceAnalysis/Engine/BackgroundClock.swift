import LifecycleModel

/// The time that the process was awake in the background.
///
/// The times that it is given are awake times of the process.
struct BackgroundClock {
  private var spent: Nanoseconds = 0
  private var since: Nanoseconds?

  /// The reading at `now`.
  func reading(at now: Nanoseconds) -> Nanoseconds {
    since.map { spent &+ max(0, now &- $0) } ?? spent
  }

  /// Starts or stops as the app enters or leaves the background.
  mutating func turn(_ isBackground: Bool, at now: Nanoseconds) {
    if isBackground == (since != nil) { return }
    (spent, since) = (reading(at: now), isBackground ? now : nil)
  }
}
