import LifecycleModel

/// How scenes come and go.
extension ConsoleNarrator {
  /// Tells what the system asks of scenes, and that they go.
  mutating func tellScene(_ sighting: ConsoleSighting) {
    switch sighting.fact {
    case .sceneSeen(let identifier):
      // An app names scenes of others too, such as the keyboard's.
      guard bundle.map({ identifier.hasPrefix($0) }) ?? true else { return }
      _ = scenes.subject(identifier)
    case .sceneInvalidated(let identifier):
      let gone = Transition(.background, SceneActivation.unattached)
      tell(.state, name: gone.symbol, subject: scenes.subject(identifier), sighting)
      scenes.forget(identifier)
    case .sceneActionSent(let action, let allowance):
      let attributes = allowance.map { [Attribute(.allowance, $0)] } ?? []
      tellWork(.workBegin, action, attributes, sighting)
    case .sceneActionCompleted(let action): tellWork(.workEnd, action, [], sighting)
    default: break
    }
  }

  private mutating func tellWork(
    _ verb: Verb, _ action: SceneAction, _ attributes: [Attribute], _ sighting: ConsoleSighting
  ) {
    tell(
      verb, name: WorkCategory.other.symbol, subject: scenes.subject(action.scene),
      label: vocabulary.symbol(action.name), value: action.id, attributes: attributes, sighting)
  }
}
