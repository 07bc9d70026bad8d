import LifecycleModel

/// Whether the app has left the foreground, and nothing has called it to work since.
///
/// A launch or a resume in the background, and whatever is then delivered, are there to be worked on
/// (S3), and an app that comes to the foreground is inactive for a moment too.
///
/// The analyzer follows it for all rules, in each process.
package struct Departure: Sendable {
  /// What ``note(_:_:)`` has to see.
  static let events =
    EventPattern.verbs(.resume, .deliver, .bgtaskLaunch, .state) | Turn.calls(.activate, .resign)
    | Turn.posts(.activate)

  /// What tells that the app, or a scene, is active, or was until now.
  private static let activations = SymbolBits(
    AppState.allCases.map { Transition($0, .active).symbol }
      + AppState.allCases.map { Transition(.active, $0).symbol }
      + SceneActivation.allCases.map { Transition($0, .foregroundActive).symbol }
      + SceneActivation.allCases.map { Transition(.foregroundActive, $0).symbol })

  private var wasActive = false
  /// The place of the last activation or resign.
  private var lastActive: UInt64 = 0
  private var calledToWork: UInt64 = 0

  /// Takes an event of ``events``, which comes at this place.
  mutating func note(_ event: Event, _ ordinal: UInt64) {
    switch event.verb {
    case .call, .notify: noteActivity(ordinal)
    case .state: if Departure.activations.contains(event.name) { noteActivity(ordinal) }
    default: calledToWork = ordinal
    }
  }

  private mutating func noteActivity(_ ordinal: UInt64) {
    wasActive = true
    lastActive = ordinal
  }

  /// Whether `fact` is the app's, or a scene's, way out of the foreground.
  package static func isDeparture(_ opener: OpenEvent) -> Bool {
    let name = opener.event.name
    return (Turner.turn(name) ?? Turner.turn(ofTransition: name))?.turn.isDeparture ?? false
  }

  /// Whether a gap may hide that the app had left the foreground before `opener`, and was called to
  /// work since: didEnterBackground comes after a resume in the background too.
  package func isHidden(since opener: OpenEvent, _ moment: Moment) -> Bool {
    guard let gap = moment.state.lastGap else { return false }
    return Turner.turn(opener.event.name)?.turn == .background && gap.ordinal > lastActive
  }

  /// Whether `opener` left the foreground, and the app was not called to work since.
  package func holds(since opener: OpenEvent, _ moment: Moment) -> Bool {
    calledToWork < opener.ordinal && isAfterActivity(opener, moment)
  }

  /// Whether `opener` left the foreground, and the app had been active before: a launch in the
  /// background has never been, one whose beginning is not known may have.
  ///
  /// What the pages ask to stop at the resign does not begin again when the app is called to work.
  package func isAfterActivity(_ opener: OpenEvent, _ moment: Moment) -> Bool {
    Departure.isDeparture(opener) && (wasActive || moment.state.processStart == nil)
  }
}
