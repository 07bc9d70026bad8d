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
    case termination, resumed, departure
    case rule
    /// The same, of what counts only while an observer's handler runs, which is nearly never.
    case ruleInsideObserver
    /// Another step, at events that fulfil more than a step can say.
    case guarded
  }

  /// What stands for no clause.
  static let noClause = UInt16.max

  /// The form of the clause; none for the analyzer's own steps.
  let form: FormKind
  /// The part that the event plays in the form, or the analyzer's own action.
  let part: UInt8
  var writer: EventPattern.WriterCondition
  /// A bit per kind of subject that matches.
  var subjects: UInt8
  /// The place among the clauses of its form; of the analyzer's own, that of what it is about.
  let index: UInt16
  /// The number of the clause, if it is of one.
  let clause: UInt16

  /// A step of a clause.
  init(_ form: FormKind, _ part: UInt8, index: Int, clause: Int, _ events: EventPattern) {
    (self.form, self.part) = (form, part)
    (self.index, self.clause) = (UInt16(index), UInt16(clause))
    (writer, subjects) = (events.writer, events.subjectBits)
  }

  /// A step of the analyzer's own.
  init(_ action: Action, index: Int, clause: UInt16 = noClause, _ events: EventPattern) {
    (form, part) = (.none, action.rawValue)
    (self.index, self.clause) = (UInt16(index), clause)
    (writer, subjects) = (events.writer, events.subjectBits)
  }

  /// What is done, where no form says it.
  @inline(__always)
  var action: Action { Action(rawValue: part) ?? .guarded }

  /// The place among an event's steps: what others ask for comes before the clauses, the rest after
  /// them.
  var rank: UInt16 {
    switch form {
    case .none where action == .connection || action == .mitigate: UInt16(part)
    case .none: 0xFF00 | UInt16(part)
    default: UInt16(form.rawValue) << 8 | UInt16(part)
    }
  }

  /// Whether its event is of the app's code about the app or a scene, whatever else it is.
  var isOfAppCode: Bool {
    (writer == .any || writer == .appCode) && subjects & Step.appAndScene == Step.appAndScene
  }

  private static let appAndScene: UInt8 =
    1 << Subject.Kind.app.rawValue | 1 << Subject.Kind.scene.rawValue

  /// Whether the event, which has the right verb and name, fulfils the pattern's conditions.
  @inline(__always)
  func matches(_ event: Event) -> Bool {
    guard subjects & (1 << event.subjectKind.rawValue) != 0 else { return false }
    switch writer {
    case .any: return true
    case .offMain: return event.writer != .main && event.writer != .system
    case .onMain: return event.writer == .main
    case .appCode: return event.writer != .system
    }
  }
}

/// The steps of all clauses, found by verb and name.
struct StepTable {
  /// How many names are well known; at hand, since a static would be asked whether it is there yet.
  private let names = WellKnownWords.count
  private(set) var steps: [Step] = []
  /// The steps of one verb and name.
  private struct Slot {
    var start: Int32 = 0
    /// How many there are.
    var count: UInt16 = 0
    /// How many of them, the first ones, are quiet.
    var quiet: UInt16 = 0
    /// How often the quiet ones were left out: each then found all as it should be.
    var leftOut: UInt64 = 0
  }

  /// By verb and name; name 0 is any name that is not well known.
  private var slots: [Slot]

  /// A step, with the events that call for it.
  struct Entry {
    let alternatives: [EventPattern.Alternative]
    let step: Step
    /// Its place among an event's steps; of a guarded step, that of what it guards.
    let rank: UInt16
    /// Whether it finds nothing at an event of the app's code about the app or a scene, while all is
    /// active.
    let isQuiet: Bool

    fileprivate func order(_ offset: Int) -> (UInt8, UInt16, Int) {
      (isQuiet ? 0 : 1, rank, offset)
    }
  }

  /// Makes a table.
  init(_ entries: [Entry]) {
    slots = Array(repeating: Slot(), count: Verb.knownCodes * names)
    var byVerb: [UInt8: [(name: Int?, entry: Entry)]] = [:]
    for entry in entries {
      for alternative in entry.alternatives {
        byVerb[alternative.verb.code, default: []].append(
          (alternative.name.map { Int($0.rawValue) }, entry))
      }
    }

    for (verb, wanted) in byVerb.sorted(by: { $0.key < $1.key }) {
      let base = Int(verb) * names
      // All names that nobody asks for by themselves share the steps of any name.
      let ofAnyName = add(wanted.filter { $0.name == nil }.map(\.entry))
      if ofAnyName.count > 0 {
        for index in base..<base + names { slots[index] = ofAnyName }
      }
      for name in Set(wanted.compactMap(\.name)) {
        slots[base + name] = add(
          wanted.filter { $0.name == nil || $0.name == name }.map(\.entry))
      }
    }
  }

  /// Puts the steps of one slot in their order.
  private mutating func add(_ unordered: [Entry]) -> Slot {
    let slot = Slot(
      start: Int32(steps.count), count: UInt16(unordered.count),
      quiet: UInt16(unordered.count(where: \.isQuiet)))
    steps += unordered.enumerated()
      .sorted { $0.element.order($0.offset) < $1.element.order($1.offset) }
      .map(\.element.step)
    return slot
  }

  /// The places of the steps for an event; without the quiet ones when they find nothing.
  @inline(__always)
  mutating func range(_ event: Event, isQuiet: Bool) -> Range<Int> {
    guard event.verb.isKnown else { return 0..<0 }
    let name = Int(event.name.rawValue)
    let index = Int(event.verb.code) &* names &+ (name < names ? name : 0)
    return slots.withUnsafeMutableBufferPointer { slots in
      let slot = slots[index]
      let end = Int(slot.start) &+ Int(slot.count)
      if !isQuiet || slot.quiet == 0 { return Int(slot.start)..<end }
      slots[index].leftOut &+= 1
      return Int(slot.start) &+ Int(slot.quiet)..<end
    }
  }

  /// The steps that were left out, each with how often; they are forgotten.
  mutating func takeLeftOut() -> [(step: Step, count: Int)] {
    var leftOut: [(step: Step, count: Int)] = []
    for index in slots.indices where slots[index].leftOut > 0 {
      let slot = slots[index]
      let quiet = steps[Int(slot.start)..<Int(slot.start) + Int(slot.quiet)]
      leftOut += quiet.map { ($0, Int(slot.leftOut)) }
      slots[index].leftOut = 0
    }
    return leftOut
  }
}
