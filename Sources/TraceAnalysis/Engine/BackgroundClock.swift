import LifecycleModel

/// The time that the process was awake in the background.
struct BackgroundClock {
  private var spent: Nanoseconds = 0
  private var since: Nanoseconds?

  /// The reading, up to the latest instant of `state`.
  func reading(_ state: borrowing LifecycleState) -> Nanoseconds {
    reading(state, at: state.instant)
  }

  /// The reading at `event`, which comes next.
  func reading(_ state: borrowing LifecycleState, before event: Event) -> Nanoseconds {
    reading(state, at: max(event.instant, state.instant))
  }

  private func reading(_ state: borrowing LifecycleState, at instant: Instant) -> Nanoseconds {
    guard let since else { return spent }
    return spent &+ max(0, state.awake(at: instant) &- since)
  }

  /// Starts or stops as the app enters or leaves the background.
  mutating func turn(_ isBackground: Bool, _ state: borrowing LifecycleState) {
    if isBackground == (since != nil) { return }
    if isBackground {
      since = state.awake(at: state.instant)
    } else {
      spent = reading(state)
      since = nil
    }
  }
}
