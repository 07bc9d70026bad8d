extension LifecycleState {
  /// The shortest event sequence that rebuilds the state: ``init(checkpoint:)`` makes an equal one.
  ///
  /// Events keep their instants, writers and sequences. A state that a callback brought about is
  /// told as a `state` event, since the callback itself may be over. The order is that in which the
  /// facts became true. Cost: the number of open things.
  public func checkpoint() -> [Event] {
    var facts = eventFacts.map { (fact: $0, event: $0.event) }
    for scene in scenes { addScene(scene, to: &facts) }
    if let app {
      facts.append((app.since, transition(Transition(.notRunning, app.state), .app, app.since)))
    }
    return insertingSuspensions(facts.ordered { $0.fact.ordinal < $1.fact.ordinal })
  }

  /// The same state, of which each event is told in another way.
  package func told(_ tell: (Event) throws -> Event) rethrows -> LifecycleState {
    var told = LifecycleState(checkpoint: try checkpoint().map(tell))
    told.isComplete = isComplete
    return told
  }

  /// The facts that are told by the events that they are.
  private var eventFacts: [OpenEvent] {
    [profile, processStart, lastGap, processEnd, suspension].compactMap(\.self)
      + earlierEnds + open.facts + [launchEnd].compactMap(\.self) + discardedSessions.values
  }

  /// All facts that the state holds.
  var facts: [OpenEvent] {
    let ofScenes = scenes.flatMap { [$0.since, $0.connected].compactMap(\.self) }
    return eventFacts + ofScenes + [app?.since].compactMap(\.self)
  }

  private func addScene(_ scene: SceneState, to facts: inout [(fact: OpenEvent, event: Event)]) {
    let subject = Subject.scene(scene.number)
    if let connected = scene.connected {
      // A `notify` connects and, unlike a `call`, leaves nothing open.
      var event = connected.event
      event.verb = .notify
      event.name = LifecycleNotification.sceneWillConnect.symbol
      facts.append((connected, event))
      if connected.ordinal == scene.since.ordinal { return }
    }

    facts.append(
      (scene.since, transition(Transition(.unattached, scene.activation), subject, scene.since)))
  }

  private func transition(_ transition: Transition, _ subject: Subject, _ since: OpenEvent) -> Event
  {
    var event = Event(
      sequence: since.event.sequence, instant: since.event.instant, writer: since.event.writer,
      verb: .state, name: transition.symbol, subject: subject)
    event.attributes = since.event.attributes
    return event
  }

  /// Puts a `suspend` and a `resume` where the process was suspended between two facts, so that each
  /// fact is as old, awake, as it was.
  private func insertingSuspensions(_ facts: [(fact: OpenEvent, event: Event)]) -> [Event] {
    var events: [Event] = []
    var told: Nanoseconds = 0
    func tell(_ total: Nanoseconds, before instant: Instant) {
      guard total > told else { return }
      let start = instant.advanced(by: told &- total)
      events.append(Event(instant: start, writer: .system, verb: .suspend, subject: .app))
      events.append(Event(instant: instant, writer: .system, verb: .resume, subject: .app))
      told = total
    }

    for (opener, event) in facts {
      // What stands before the process has no part in its time; what stands in a suspension that
      // still goes on has it counted already.
      if opener.ordinal > processStart?.ordinal ?? 0, opener.ordinal <= suspension?.ordinal ?? .max
      {
        tell(opener.suspendedBefore, before: event.instant)
      }
      events.append(event)
    }

    if suspension == nil { tell(suspendedTotal, before: instant) }
    return events
  }
}
