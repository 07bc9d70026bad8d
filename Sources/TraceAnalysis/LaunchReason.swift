import LifecycleModel

/// Why a process was launched, as far as the rules tell reasons apart.
package enum LaunchReason: String, CaseIterable, Sendable {
  /// The user opened the app.
  case user
  /// A push notification arrived.
  case push
  /// A location arrived.
  case location
  /// The user opened a URL.
  case url
  /// A background task, a fetch or a transfer.
  case bgtask
  /// The system expected the user.
  case prewarm

  /// The launches that bring the app to the screen.
  static let inForeground: Set<LaunchReason> = [.user, .url]
  /// The launches that leave it in the background; a push may also have been tapped.
  static let inBackground: Set<LaunchReason> = [.push, .location, .bgtask]

  /// The reason that the process itself says, or else the profile; `nil` when neither is known.
  init?(_ state: LifecycleState, _ vocabulary: Vocabulary, _ profile: Profile) {
    let start = state.processStart?.event.attributes
    let said = start.flatMap { vocabulary.attributes($0)[.launch] } ?? profile.launch
    guard let reason = said.flatMap(LaunchReason.init(rawValue:)) else { return nil }
    self = reason
  }
}
