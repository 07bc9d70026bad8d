import LifecycleModel

extension LaunchReason {
  /// The launches that bring the app to the screen.
  package static let inForeground: Set<LaunchReason> = [.user, .url]
  /// The launches that leave it in the background; a push may also have been tapped.
  package static let inBackground: Set<LaunchReason> = [.push, .location, .bgtask]

  /// The reason that the process itself says, or else the profile; `nil` when neither is known.
  init?(_ state: LifecycleState, _ vocabulary: Vocabulary, _ profile: Profile) {
    let start = state.processStart?.event.attributes
    let said = start.flatMap { vocabulary.attributes($0)[.launch] } ?? profile.launch
    guard let reason = said.flatMap(LaunchReason.init(rawValue:)) else { return nil }
    self = reason
  }
}
