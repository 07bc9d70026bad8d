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

/// What the connections of scenes said, in a process.
///
/// Kept for scenes that have gone too, while there are few of them.
struct SceneConnections {
  private static let kept = 64

  private var said: [UInt32: (role: SceneRole?, session: UInt32?)] = [:]

  /// The role of the scene that `event` is about; `nil` when it is about none, or none was said.
  func role(_ event: Event) -> SceneRole? {
    event.subjectKind == .scene ? said[event.subjectNumber]?.role : nil
  }

  /// The session of the scene that `event` is about; `nil` when it is about none, or none was said.
  func session(_ event: Event) -> UInt32? {
    event.subjectKind == .scene ? said[event.subjectNumber]?.session : nil
  }

  /// Takes what the connection of a scene says.
  mutating func note(_ connection: Event, _ vocabulary: Vocabulary, _ state: LifecycleState) {
    let attributes = vocabulary.attributes(connection.attributes)
    let role = attributes[.role].flatMap(SceneRole.init)
    let session = connection.session(in: vocabulary)
    guard connection.subjectKind == .scene, role != nil || session != nil else { return }

    if said.count >= SceneConnections.kept {
      said = said.filter { state.scene($0.key) != nil }
    }
    let before = said[connection.subjectNumber]
    said[connection.subjectNumber] = (role ?? before?.role, session ?? before?.session)
  }

  /// The process has ended, and its scenes with it.
  mutating func removeAll() { said.removeAll() }
}
