import LifecycleModel

/// What to do at an event: a plain value, so that the loop over events calls nothing that did not ask
/// for the event.
struct Step {
  /// What is done that belongs to no form of pattern.
  enum Action: UInt8 {
    /// The role and the session of a scene are noted, before anything asks for them.
    case connection
    /// An event came that makes findings of a clause less serious.
    case mitigate
    case mainThreadBegin, mainThreadEnd
    /// What is remembered for the verdict on a death.
    case termination, resumed, departure, memory
    case rule
    /// The same, of what counts only while an observer's handler runs, which is nearly never.
    case ruleInsideObserver
    /// Another step, at events that fulfil more than a step can say.
    case guarded
  }

  /// What stands for no clause.
  static let noClause = UInt16.max

  // One word, which the loop over events loads and hands on as one: from the lowest bit on the events that
  // match (24 bits), the form and the part (4 each), the index and the clause (16 each).
  private let bits: UInt64

  private init(
    _ form: FormKind, _ part: UInt8, index: Int, clause: UInt16, _ events: EventKinds
  ) {
    bits =
      UInt64(clause) << 48 | UInt64(UInt16(index)) << 32 | UInt64(part & 0xF) << 28
      | UInt64(form.rawValue) << 24 | UInt64(events.bits)
  }

  /// A step of a clause.
  init(_ form: FormKind, _ part: UInt8, index: Int, clause: Int, _ events: EventPattern) {
    self.init(form, part, index: index, clause: UInt16(clause), events.eventKinds)
  }

  /// A step of the analyzer's own.
  init(_ action: Action, index: Int, clause: UInt16 = noClause, _ events: EventPattern) {
    self.init(.none, action.rawValue, index: index, clause: clause, events.eventKinds)
  }

  /// The form of the clause; none for the analyzer's own steps.
  var form: FormKind {
    @inline(__always) get { Step.value(UInt8(truncatingIfNeeded: bits >> 24) & 0xF) }
  }

  /// The part that the event plays in the form, or the analyzer's own action.
  var part: UInt8 { @inline(__always) get { UInt8(truncatingIfNeeded: bits >> 28) & 0xF } }

  /// The place among the clauses of its form; of the analyzer's own, that of what it is about.
  var index: Int {
    @inline(__always) get { Int(UInt16(truncatingIfNeeded: bits >> 32)) }
  }

  /// The number of the clause, if it is of one.
  var clause: UInt16 { @inline(__always) get { UInt16(truncatingIfNeeded: bits >> 48) } }

  /// The events that match, of those with the right verb and name.
  var events: EventKinds {
    @inline(__always) get { EventKinds(bits: UInt32(truncatingIfNeeded: bits) & 0xFF_FFFF) }
  }

  /// The same step, of the events that a pattern's first branch means.
  func of(_ pattern: EventPattern) -> Step {
    Step(form, part, index: index, clause: clause, pattern.eventKinds)
  }

  /// The same step, of events of any kind.
  var ofAll: Step { Step(form, part, index: index, clause: clause, .all) }

  /// Whether the event, which has the right verb and name, matches.
  func matches(_ event: Event) -> Bool { events.contains(EventKinds(event)) }

  /// What is done, where no form says it.
  @inline(__always)
  var action: Action { played() }

  /// The part that the event plays, of the form's own parts, or of the actions.
  @inline(__always)
  func played<Part: RawRepresentable<UInt8>>() -> Part { Step.value(part) }

  /// The case of this number.
  @inline(__always)
  private static func value<Case: RawRepresentable<UInt8>>(_ number: UInt8) -> Case {
    // The cases are numbered from 0 in their order, as Swift keeps them; to look one up takes a call.
    withUnsafeBytes(of: number) { $0.load(as: Case.self) }
  }

  /// The place among an event's steps: what others ask for comes before the clauses, the rest after
  /// them.
  var rank: UInt16 {
    switch form {
    case .none where action == .connection || action == .mitigate: UInt16(part)
    case .none: 0xFF00 | UInt16(part)
    default: UInt16(form.rawValue) << 8 | UInt16(part)
    }
  }
}

/// How usual the circumstances of an event are.
enum Calm {
  /// Anything may be found.
  case none
  /// The app's code tells something while the process is not suspended.
  case running
  /// Beside that, it is about the app or a scene that is active: nearly always.
  case active
}

/// The steps of all clauses, found by verb and name.
struct StepTable {
  /// How many names are well known; at hand, since a static would be asked whether it is there yet.
  private let names = WellKnownWords.count
  let steps: Slab<Step>
  /// The steps of one verb and name.
  private struct Slot {
    var start: Int32 = 0
    /// How many there are.
    var count: UInt16 = 0
    /// How many of them, the first ones, are left out in each calm.
    var quiet: (running: UInt16, active: UInt16) = (0, 0)
    /// How often those were left out: each then found all as it should be.
    var leftOut: (running: UInt64, active: UInt64) = (0, 0)
  }

  /// The steps of each verb and name that somebody asks for, without repetition.
  private var slots: Slab<Slot>
  /// The place of the slot of a verb and name; name 0 is any name that is not well known.
  private let places: Slab<UInt16>

  /// A step, with the events that call for it.
  struct Entry {
    let alternatives: [EventPattern.Alternative]
    let step: Step
    /// Its place among an event's steps; of a guarded step, that of what it guards.
    let rank: UInt16
    /// The least calm in which it finds nothing; none when it is always done.
    let quiet: Calm

    fileprivate func order(_ offset: Int) -> (UInt8, UInt16, Int) {
      (quiet == .running ? 0 : quiet == .active ? 1 : 2, rank, offset)
    }
  }

  /// Makes a table.
  init(_ entries: [Entry]) {
    var byVerb: [UInt8: [(name: Int?, entry: Entry)]] = [:]
    for entry in entries {
      for alternative in entry.alternatives {
        byVerb[alternative.verb.code, default: []].append(
          (alternative.name.map { Int($0.rawValue) }, entry))
      }
    }

    var draft = Draft()
    var places = [UInt16](repeating: 0, count: Verb.knownCodes * names)
    for (verb, wanted) in byVerb.sorted(by: { $0.key < $1.key }) {
      let base = Int(verb) * names
      // All names that nobody asks for by themselves share the steps of any name.
      let ofAnyName = draft.add(wanted.filter { $0.name == nil }.map(\.entry))
      for index in base..<base + names { places[index] = ofAnyName }
      for name in Set(wanted.compactMap(\.name)) {
        places[base + name] = draft.add(
          wanted.filter { $0.name == nil || $0.name == name }.map(\.entry))
      }
    }
    (steps, slots, self.places) = (Slab(draft.steps), Slab(draft.slots), Slab(places))
  }

  /// Steps and slots as they are gathered; the first slot is that of what nobody asks for.
  private struct Draft {
    var steps: [Step] = []
    var slots = [Slot()]

    /// Puts the steps of one slot in their order; the slot's place.
    mutating func add(_ unordered: [Entry]) -> UInt16 {
      if unordered.isEmpty { return 0 }
      let running = unordered.count { $0.quiet == .running }
      let active = running + unordered.count { $0.quiet == .active }
      slots.append(
        Slot(
          start: Int32(steps.count), count: UInt16(unordered.count),
          quiet: (UInt16(running), UInt16(active))))
      steps += unordered.enumerated()
        .sorted { $0.element.order($0.offset) < $1.element.order($1.offset) }
        .map(\.element.step)
      return UInt16(slots.count - 1)
    }
  }

  /// Takes a place of its own for the counts, where a copy has the same.
  mutating func separate() { slots.separate() }

  /// The places of the steps for an event; without those that find nothing in its calm, which is counted.
  @inline(__always)
  mutating func range(_ event: Event, _ calm: Calm) -> Range<Int> {
    guard event.verb.isKnown else { return 0..<0 }
    let name = Int(event.name.rawValue)
    let index = Int(places[Int(event.verb.code) &* names &+ (name < names ? name : 0)])
    let slot = slots[index]
    let (start, end) = (Int(slot.start), Int(slot.start) &+ Int(slot.count))
    if calm == .none || slot.quiet.active == 0 { return start..<end }
    if calm == .active {
      slots[index].leftOut.active &+= 1
      return start &+ Int(slot.quiet.active)..<end
    }
    slots[index].leftOut.running &+= 1
    return start &+ Int(slot.quiet.running)..<end
  }

  /// The steps that were left out, each with how often; they are forgotten.
  mutating func takeLeftOut() -> [(step: Step, count: Int)] {
    var leftOut: [(step: Step, count: Int)] = []
    for index in slots.indices where slots[index].leftOut != (0, 0) {
      let slot = slots[index]
      for place in 0..<Int(slot.quiet.active) {
        let isOfBoth = place < Int(slot.quiet.running)
        let count = slot.leftOut.active + (isOfBoth ? slot.leftOut.running : 0)
        leftOut.append((steps[Int(slot.start) + place], Int(count)))
      }
      slots[index].leftOut = (0, 0)
    }
    return leftOut
  }
}
