import LifecycleModel

/// What a scene is shown on, as `call sceneWillConnect` says it.
package enum SceneRole: String, CaseIterable, Sendable {
  /// A window of the app.
  case window
  /// An external display.
  case external
  /// CarPlay.
  case carplay
  /// Anything else.
  case other
}

/// The roles of the scenes of a process, as far as they were said.
///
/// Kept for scenes that have gone too, while there are few of them.
struct SceneRoles {
  private static let kept = 64

  private var roles: [UInt32: SceneRole] = [:]

  /// The role of the scene that `event` is about; `nil` when it is about none, or none was said.
  subscript(_ event: Event) -> SceneRole? {
    event.subjectKind == .scene ? roles[event.subjectNumber] : nil
  }

  /// Takes the role that the connection of a scene says.
  mutating func note(_ connection: Event, _ vocabulary: Vocabulary, _ state: LifecycleState) {
    guard connection.subjectKind == .scene,
      let role = vocabulary.attributes(connection.attributes)[.role].flatMap(SceneRole.init)
    else { return }
    if roles.count >= SceneRoles.kept {
      roles = roles.filter { state.scene($0.key) != nil }
    }
    roles[connection.subjectNumber] = role
  }

  /// The process has ended, and its scenes with it.
  mutating func removeAll() { roles.removeAll() }
}
