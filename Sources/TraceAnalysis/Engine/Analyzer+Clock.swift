import LifecycleModel

/// A wall clock can be set: what is open then has no known length.
extension Analyzer {
  /// Looks whether an event tells that the clock was set.
  mutating func noteClock(_ event: Event) {
    let names = [
      Callback.applicationSignificantTimeChange.symbol,
      LifecycleNotification.applicationSignificantTimeChange.symbol,
    ]
    if names.contains(event.name) { forgetLengths() }
  }

  /// The clock was set, or went back: no limit can be said to pass for what is open.
  mutating func forgetLengths() {
    ledger.present.clockSet = state.ordinal
    var setting = ClockSetting()
    set.forms.visit(&setting, &ledger)
  }
}
