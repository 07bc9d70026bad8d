extension LifecycleState {
  /// Takes the next event into account.
  ///
  /// Beyond ``OpenSpans/most`` open spans or ``SceneTable/most`` scenes the older half of them is given up,
  /// as if a `gap` told it before the event: what is known by then is not certain.
  ///
  /// Cost: some nanoseconds, no allocation while few things are open.
  public mutating func fold(_ event: Event) {
    if isFull { makeRoom(before: event) }
    ordinal &+= 1
    // The profile of a new process stands before its start, and the one before it may be long gone.
    if event.instant > instant && (event.verb != .profile || instant == .distantPast) {
      instant = event.instant
    }

    switch table.roles[Int(event.verb.code)] {
    case .nothing: break
    case .opens: foldOpening(event)
    case .closes: foldClosing(event)
    case .notify: apply(effect(table.notifications, event), event)
    case .state: foldTransition(event)
    case .profile: profile = fact(event)
    case .processStart: foldProcessStart(event)
    case .ended: foldEnd(event)
    case .suspend: if suspension == nil { suspension = fact(event) }
    case .resume: foldResume(event)
    case .gap: lastGap = fact(event)
    }
  }

  private func fact(_ event: Event) -> OpenEvent {
    OpenEvent(event: event, ordinal: ordinal, suspendedBefore: suspended(at: event.instant))
  }

  private func effect(_ effects: [FoldTable.Effect], _ event: Event) -> FoldTable.Effect {
    let name = Int(event.name.rawValue)
    return name < effects.count ? effects[name] : .nothing
  }

  private mutating func foldOpening(_ event: Event) {
    let family = table.families[Int(event.verb.code)]
    switch family {
    case .call: if !isRebuilding { apply(effect(table.calls, event), event) }
    // A datum that is dirty already stays so since it first was.
    case .data: if open.span(closedBy: event, .data) != nil { return }
    // What needs no completion handler is over when it has been handed over.
    case .delivery: if !table.isCompleted(event.name) { return }
    default: break
    }
    open.open(fact(event), family)
    if open.isFull { isFull = true }
  }

  private mutating func foldClosing(_ event: Event) {
    let family = table.families[Int(event.verb.code)]
    open.close(event, family)
    switch family {
    case .call: apply(effect(table.returns, event), event)
    // A save with a duration has saved the datum of its label when it ends.
    case .work:
      if event.name == table.saveCategory { open.close(event, .data) }
    default: break
    }
  }

  private mutating func foldTransition(_ event: Event) {
    let name = Int(event.name.rawValue)
    guard name < table.appStates.count else { return }

    if event.subjectKind == .scene, let activation = table.activations[name] {
      if activation == .unattached {
        disconnect(event)
      } else {
        setScene(activation, event)
      }
    } else if event.subjectKind == .app, let state = table.appStates[name] {
      setApp(state, event)
    }
  }

  @inline(never)
  private mutating func makeRoom(before event: Event) {
    if let loss = loss(before: event) { return fold(loss) }
    isFull = false
    isComplete = false
    givenUpAt = ordinal &+ 1
    if open.isFull { open.giveUpOldest() }
    if sceneTable.isFull { sceneTable.giveUpOldest() }
    noteActivity()
  }

  private mutating func foldProcessStart(_ event: Event) {
    forgetProcess()
    // Nothing is open that was given up.
    if lastGap?.event.isGivingUp == true { lastGap = nil }
    processStart = fact(event)
    isComplete = true
  }

  /// Forgets what is true of the process: another one runs now, whose start is not in the trace.
  public mutating func forgetProcess() {
    processStart = nil
    processEnd = nil
    earlierEnds = []
    launchEnd = nil
    appState = nil
    suspension = nil
    suspendedTotal = 0
    sceneTable.removeAll()
    noteActivity()
    open = OpenSpans()
    isFull = false
  }

  private mutating func foldEnd(_ event: Event) {
    if let processEnd {
      if !isEcho(event) {
        earlierEnds = []
      } else if earlierEnds.count < 3 {
        earlierEnds.append(processEnd)
      }
    }
    processEnd = fact(event)
  }

  private mutating func foldResume(_ event: Event) {
    suspendedTotal = suspended(at: event.instant)
    suspension = nil
  }

  private mutating func apply(_ effect: FoldTable.Effect, _ event: Event) {
    switch effect {
    case .nothing: break
    case .appInactive: setAppUnlessScenes(.inactive, event)
    case .appActive: setAppUnlessScenes(.active, event)
    case .appBackground: setAppUnlessScenes(.background, event)
    case .appForeground: if !isSurelyActive { setAppUnlessScenes(.inactive, event) }
    case .sceneConnected: connect(event)
    case .sceneForeground:
      if !isOnScreen(event, .foregroundActive) { setScene(.foregroundInactive, event) }
    case .sceneInactive: setScene(.foregroundInactive, event)
    case .sceneActive: setScene(.foregroundActive, event)
    case .sceneBackground: setScene(.background, event)
    case .sceneDisconnected: disconnect(event)
    case .launchEnded: launchEnd = fact(event)
    case .sessionDiscarded:
      if event.subjectKind == .session { discard(event) }
    }
  }

  private mutating func discard(_ event: Event) {
    discardedSessions[event.subjectNumber] = fact(event)
    if discardedSessions.count <= LifecycleState.rememberedDiscards { return }
    let oldest = discardedSessions.min { $0.value.ordinal < $1.value.ordinal }
    if let oldest { discardedSessions[oldest.key] = nil }
  }

  /// Whether the app is active for certain, and so cannot enter the foreground.
  private var isSurelyActive: Bool {
    !isRebuilding && appState == .active && isCertain(appSince)
  }

  /// Whether the scene that an event is about is on screen for certain, and so can neither connect nor
  /// enter the foreground: UIKit does not say so of such a scene, and what is known of it stays true.
  private func isOnScreen(_ event: Event, _ states: SceneActivation...) -> Bool {
    guard !isRebuilding, event.subjectKind == .scene,
      let scene = sceneTable[event.subjectNumber]
    else { return false }
    return states.contains(scene.activation) && isCertain(scene.since)
  }

  private mutating func setApp(_ state: AppState, _ event: Event) {
    defer { noteActivity() }
    if appState == state && isCertain(appSince) && !isRebuilding { return }
    (appState, appSince) = (state, fact(event))
    appChange = ordinal
  }

  /// Keeps at hand what most events are judged under.
  private mutating func noteActivity() {
    sceneCount = sceneTable.count
    aloneScene = sceneTable.scenes.first?.number ?? 0
    activeScenes = sceneTable.active
    let active = sceneTable.count(of: .foregroundActive)
    foreground = (active, active + sceneTable.count(of: .foregroundInactive))
  }

  /// In an app with scenes its state is that of the most active one, whatever else is posted.
  private mutating func setAppUnlessScenes(_ state: AppState, _ event: Event) {
    if sceneTable.scenes.isEmpty { setApp(state, event) }
  }

  private mutating func connect(_ event: Event) {
    guard event.subjectKind == .scene else { return }
    // The notification follows the delegate's call, or the other way round: one connection.
    let known = sceneTable[event.subjectNumber]
    if known?.connected != nil { return }
    let isVisible = isOnScreen(event, .foregroundActive, .foregroundInactive)
    if !isVisible && (!isRebuilding || known == nil) { setScene(.background, event) }
    if var scene = sceneTable[event.subjectNumber] {
      scene.connected = fact(event)
      sceneTable.update(scene)
    }
  }

  private mutating func setScene(_ activation: SceneActivation, _ event: Event) {
    guard event.subjectKind == .scene else { return }
    defer { noteActivity() }
    if var scene = sceneTable[event.subjectNumber] {
      if scene.activation == activation && isCertain(scene.since) && !isRebuilding { return }
      scene.activation = activation
      scene.since = fact(event)
      sceneTable.update(scene)
    } else {
      sceneTable.update(
        SceneState(number: event.subjectNumber, activation: activation, since: fact(event)))
      if sceneTable.isFull { isFull = true }
    }
    if !isRebuilding, let state = sceneTable.mostActive { followScenes(state, event) }
  }

  /// Takes the state of the app from its scenes, which is as certain as those that keep it up: one
  /// that was surely seen active does so alone; else any that a gap hides may be more active.
  private mutating func followScenes(_ state: AppState, _ event: Event) {
    setApp(state, event)
    guard let lastGap else { return }
    let hidden = sceneTable.hidden(upTo: lastGap.ordinal)
    let isSurelyActive = sceneTable.count(of: .foregroundActive) > hidden.active
    if state == .active && isSurelyActive { return }
    if let newest = hidden.newest { appSince = newest }
  }

  private mutating func disconnect(_ event: Event) {
    guard event.subjectKind == .scene, sceneTable[event.subjectNumber] != nil else { return }
    sceneTable.remove(event.subjectNumber)
    followScenes(sceneTable.mostActive ?? .background, event)
  }
}
