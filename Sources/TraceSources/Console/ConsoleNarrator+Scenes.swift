import LifecycleModel

/// How background tasks and scenes come and go.
extension ConsoleNarrator {
  /// Tells what UIKit says about background tasks.
  ///
  /// A task whose identifier is hidden becomes no event: an event needs the number that its end
  /// will have. It is counted, and the profile stops claiming that tasks are recorded, so that an end
  /// without its begin proves nothing. An end is told with its identifier in any case.
  mutating func tellTask(_ sighting: ConsoleSighting) {
    switch sighting.fact {
    case .willBeginTask(let name, let hasHandler):
      tasks.announce(name, hasHandler: hasHandler, at: sighting.instant)
    case .taskBegan(let id, let name):
      let task = tasks.begin(id, name: name, at: sighting.instant)
      let handler = task.hasHandler.map { [Attribute(.handler, String($0))] } ?? []
      tell(
        .taskBegin, subject: .task(task.number), label: vocabulary.symbol(name ?? ""),
        attributes: handler, sighting)
    case .hiddenTaskBegan:
      hiddenTaskCount += 1
      if isOpen { tellProfile(at: sighting.instant) }
    case .taskEnded(let id):
      tell(.taskEnd, subject: .task(tasks.end(id)), sighting)
    default: break
    }
  }

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
