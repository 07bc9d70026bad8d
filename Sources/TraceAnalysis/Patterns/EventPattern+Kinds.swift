import LifecycleModel

/// Events of a pattern that are not there: what they would have been.
extension EventPattern {
  /// What an event of the pattern would be, in the instance that `event` belongs to.
  ///
  /// Where the pattern leaves open what a scope, or the begin that it ends, says, it is said. What
  /// `hooks` do not record is left out, when they record something else that would do.
  package func kinds(
    like event: Event, _ scope: Scope, _ vocabulary: Vocabulary, hooks: Set<Hook>?
  ) -> [MissingEvent.Kind] {
    var kinds: [MissingEvent.Kind] = []
    func isRecorded(_ alternative: Alternative) -> Bool {
      guard let hooks, let hook = alternative.hook else { return true }
      return hooks.contains(hook)
    }

    let isAnyRecorded = branches.contains { $0.alternatives.contains(where: isRecorded) }
    for branch in branches {
      for alternative in branch.alternatives where !isAnyRecorded || isRecorded(alternative) {
        for kind in branch.kinds(alternative, like: event, scope, vocabulary)
        where !kinds.contains(kind) { kinds.append(kind) }
      }
    }
    return kinds
  }

  private func kinds(
    _ alternative: Alternative, like event: Event, _ scope: Scope, _ vocabulary: Vocabulary
  ) -> [MissingEvent.Kind] {
    let isEnd = SpanFamily.opened(by: event.verb)?.closing == alternative.verb
    var names = [alternative.name.map(vocabulary.text) ?? ""]
    if let identifiers { names = identifiers.sorted() }
    if names == [""], isEnd || scope == .name { names = [vocabulary.text(event.name)] }
    var words: [String?] = [nil]

    if let labels {
      words = labels.sorted()
    } else if isEnd || scope == .label, !event.label.isNone {
      words = [vocabulary.text(event.label)]
    }

    return names.flatMap { name in
      words.map { label in
        MissingEvent.Kind(
          alternative.verb, name: name, about: subject(alternative, like: event), label: label,
          value: isEnd || scope == .value ? event.value : nil, on: writer)
      }
    }
  }

  /// What an event of an alternative is about, in the instance that `event` belongs to.
  private func subject(_ alternative: Alternative, like event: Event) -> Subject {
    let possible = subjects.map { $0.intersection(alternative.subjects) } ?? alternative.subjects
    if possible.contains(event.subjectKind) { return event.subject }
    return possible == [.app] ? .app : .none
  }

  /// Whether such an event can say what a scope keeps apart.
  package func canBelong(to scope: Scope) -> Bool {
    let subjects: Set<Subject.Kind>
    switch scope {
    case .scene: subjects = [.scene]
    case .session: subjects = [.scene, .session]
    case .task: subjects = [.task]
    case .value: return branches.flatMap(\.alternatives).contains(where: \.canHaveValue)
    case .app, .subject, .name, .label, .holder: return true
    }
    return branches.contains { branch in
      branch.alternatives.contains {
        !subjects.isDisjoint(with: branch.subjects ?? $0.subjects)
      }
    }
  }

  /// Whether it means an event; asked where speed does not matter.
  func means(_ event: Event, _ vocabulary: Vocabulary) -> Bool {
    if case .meant = branches.meaning(event, vocabulary) { true } else { false }
  }

  /// Whether its first branch means an event, whatever the event says of itself.
  func names(_ event: Event, _ vocabulary: Vocabulary) -> Bool {
    alternatives.contains { $0.verb == event.verb && ($0.name == nil || $0.name == event.name) }
      && eventKinds.contains(EventKinds(event))
      && labels?.contains(vocabulary.text(event.label)) ?? true
      && identifiers?.contains(vocabulary.text(event.name)) ?? true
  }
}

extension EventPattern.Alternative {
  /// The kinds of subject that such events have; the article `Events`, §2 to §4.
  var subjects: Set<Subject.Kind> {
    switch verb {
    case .call, .return:
      guard let callback = name.flatMap({ Callback($0) }) else { return [.app, .scene, .session] }
      switch callback {
      case .applicationConfigurationForConnecting, .applicationDidDiscardSceneSessions:
        return [.session]
      default: return callback.hook == .sceneDelegate ? [.scene] : [.app]
      }
    case .notify, .observe, .observed:
      guard let hook = name.flatMap({ LifecycleNotification($0) })?.hook else {
        return [.app, .scene]
      }
      return hook == .sceneNotifications ? [.scene] : [.app]
    case .taskBegin, .taskEnd, .taskGranted, .taskExpire, .taskExpired: return [.task]
    case .processStart, .bgtaskRegister, .bgtaskLaunch, .bgtaskExpire, .bgtaskComplete, .suspend,
      .resume, .kill, .exit, .sample:
      return [.app]
    case .note: return [.app, .scene, .session, .task]
    default: return [.app, .scene]
    }
  }

  /// Whether such events can have a value; the article `Events`, §1 and §2.
  fileprivate var canHaveValue: Bool {
    switch verb {
    case .profile, .processStart, .call, .return, .notify, .observe, .observed, .state,
      .snapshotBegin, .snapshotEnd, .suspend, .resume:
      false
    default: true
    }
  }
}
