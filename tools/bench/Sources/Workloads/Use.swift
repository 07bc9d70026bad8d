import LifecycleModel

/// What an app does while scenes are active, to the nanosecond.
///
/// Frames, timers and input come on the main thread, requests,
/// queues and saves on three others. About one event in six carries a value.
struct Use {
  /// All chance, also of whoever adds to the use.
  var chance: Chance
  private var memory: Int64 = 80 << 20
  private let worker: WriterID
  private let network: WriterID
  private let database: WriterID
  private let timers: [(label: Symbol, period: Nanoseconds)]
  private let endpoints: [Symbol]
  private let queues: [Symbol]
  /// What is saved.
  let files: [Symbol]

  init(_ vocabulary: Vocabulary, seed: UInt64) {
    chance = Chance(seed: seed)
    func writer(_ name: String) -> WriterID { (try? vocabulary.writer(name)) ?? .main }
    (worker, network, database) = (writer("worker"), writer("network"), writer("db"))
    timers = [
      (vocabulary.symbol("clock"), .milliseconds(1000)),
      (vocabulary.symbol("animation"), .milliseconds(60)),
      (vocabulary.symbol("autosave"), .milliseconds(250)),
    ]
    endpoints = (0..<40).map { vocabulary.symbol("/v1/items/\($0)") }
    files = (0..<6).map { vocabulary.symbol("notes-\($0).db") }
    queues = (0..<12).map { vocabulary.symbol("queue.\($0)") }
  }

  /// Adds what happens between two instants, in no order; what begins there ends there.
  mutating func fill(
    _ events: inout [Event], from start: Nanoseconds, to end: Nanoseconds, _ scenes: [Subject]
  ) {
    for scene in scenes {
      for timer in timers {
        var at = start + chance.jittered(timer.period)
        while at < end {
          events.append(work(.timer, scene, timer.label, at))
          at += chance.jittered(timer.period)
        }
      }

      for (category, rate) in [(WorkCategory.frame, 8.0), (.input, 3)] {
        repeatedly(rate, start, end) { use, at in
          events.append(use.work(category, scene, .none, at))
        }
      }
    }

    repeatedly(3, start, end) { $0.request(&events, at: $1, before: end) }
    repeatedly(2, start, end) { $0.dispatch(&events, scenes[0], at: $1, before: end) }
    repeatedly(0.4, start, end - .seconds(1)) { $0.save(&events, at: $1) }
    repeatedly(1, start, end) { $0.sampleMemory(&events, at: $1) }
  }

  private mutating func request(
    _ events: inout [Event], at start: Nanoseconds, before end: Nanoseconds
  ) {
    let label = chance.pick(endpoints)
    let bytes = Int64(chance.logNormal(median: 12_000))
    let stop = min(end, start + nanoseconds(chance.logNormal(median: 0.12)))
    for (verb, at) in [(Verb.workBegin, start), (.workEnd, stop)] {
      events.append(
        Event(
          instant: Instant(nanoseconds: at), writer: network, verb: verb,
          name: WorkCategory.network.symbol, subject: .app, label: label, value: bytes))
    }
  }

  private mutating func dispatch(
    _ events: inout [Event], _ scene: Subject, at start: Nanoseconds, before end: Nanoseconds
  ) {
    let label = chance.pick(queues)
    let begin = min(end, start + nanoseconds(chance.logNormal(median: 0.0001)))
    let stop = min(end, begin + nanoseconds(chance.logNormal(median: 0.003)))
    events.append(work(.dispatch, scene, label, start))
    for (verb, at) in [(Verb.workBegin, begin), (.workEnd, stop)] {
      events.append(
        Event(
          instant: Instant(nanoseconds: at), writer: worker, verb: verb,
          name: WorkCategory.other.symbol, subject: .app, label: label))
    }
  }

  /// Adds a change of a file and its save, under a lock.
  mutating func save(_ events: inout [Event], at start: Nanoseconds) {
    let label = chance.pick(files)
    let bytes = Int64(chance.logNormal(median: 40_000))
    let lock = Resource.lock.symbol
    let name = WorkCategory.save.symbol
    let steps: [(verb: Verb, name: Symbol, value: Int64?)] = [
      (.dataDirty, .none, nil), (.acquire, lock, nil), (.workBegin, name, bytes),
      (.workEnd, name, bytes), (.release, lock, nil), (.dataSave, .none, nil),
    ]
    var at = start

    for step in steps {
      events.append(
        Event(
          instant: Instant(nanoseconds: at), writer: database, verb: step.verb, name: step.name,
          subject: .app, label: label, value: step.value))
      at += min(.milliseconds(100), nanoseconds(chance.logNormal(median: 0.002)))
    }
  }

  private mutating func sampleMemory(_ events: inout [Event], at instant: Nanoseconds) {
    memory += Int64.random(in: -400_000...420_000, using: &chance)
    events.append(
      Event(
        instant: Instant(nanoseconds: instant), writer: .main, verb: .sample,
        name: SampledValue.memory.symbol, subject: .app, value: memory))
  }

  private func work(
    _ category: WorkCategory, _ scene: Subject, _ label: Symbol, _ at: Nanoseconds
  ) -> Event {
    Event(
      instant: Instant(nanoseconds: at), writer: .main, verb: .work, name: category.symbol,
      subject: scene, label: label)
  }

  /// Happens at random instants, so many times a second.
  private mutating func repeatedly(
    _ rate: Double, _ start: Nanoseconds, _ end: Nanoseconds,
    _ body: (inout Use, Nanoseconds) -> Void
  ) {
    var at = start + nanoseconds(chance.exponential(rate))
    while at < end {
      body(&self, at)
      at += nanoseconds(chance.exponential(rate))
    }
  }
}
