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
    case .sceneAction(let scene, let name, let id, let isDone, let allowance):
      tell(
        isDone ? .workEnd : .workBegin, name: WorkCategory.other.symbol,
        subject: scenes.subject(scene), label: vocabulary.symbol(name), value: id,
        attributes: allowance.map { [Attribute(.allowance, $0)] } ?? [], sighting)
    default: break
    }
  }
}
