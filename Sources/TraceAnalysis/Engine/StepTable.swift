import LifecycleModel

/// What to do at an event for one clause: a plain value, so that the loop over events calls nothing
/// that did not ask for the event.
struct Step {
  /// What is done; the order of the cases is that in which one event's steps are done.
  enum Action: UInt8 {
    /// A condition that does not hold while what the event is about is active.
    case conditionUnlessActive
    /// A condition that holds only while the process is suspended, which is nearly never.
    case conditionWhileSuspended
    case mitigate
    case windowCulprit, windowClose, windowOpen
    case condition
    /// A condition about which there is nothing to say while no callback runs.
    case conditionInsideCall
    case always, exercise
    case orderUntil, orderFirst, orderThen
    case everyResponse, everyEnd, everyTrigger
    case budgetUntil, budgetBegin, budgetEnd
    case balanceClose, balanceOpen
    case stretchClose, stretchCancel, stretchOpen
    case mainThreadBegin, mainThreadEnd, mainThreadKilled
    /// What is remembered for the verdict on a death.
    case termination, resumed
    case rule
    /// The same, of what counts only while an observer's handler runs, which is nearly never.
    case ruleInsideObserver
    /// Another of these actions, at events that fulfil more than a step can say.
    case guarded
    /// The role of a scene is noted, before anything asks for it.
    case sceneRole
  }

  var action: Action
  var writer: EventPattern.WriterCondition
  /// A bit per kind of subject that matches.
  var subjects: UInt8
  /// The place of the clause in the array of its form.
  var index: UInt16
  /// The place among an event's steps; that of its action.
  let rank: UInt8

  init(
    action: Action, writer: EventPattern.WriterCondition, subjects: UInt8, index: UInt16
  ) {
    self.action = action
    self.writer = writer
    self.subjects = subjects
    self.index = index
    rank = action == .sceneRole ? 0 : action.rawValue
  }

  /// A step that asks the conditions of the guarded step at `index`, and then does `action`.
  init(guarding action: Action, index: UInt16) {
    self.action = .guarded
    writer = .any
    subjects = .max
    self.index = index
    rank = action.rawValue
  }

  /// Whether it finds nothing at an event of the app's code about the app or a scene, while all is
  /// active.
  var isQuiet: Bool {
    let hasConditions = subjects & Step.appAndScene != Step.appAndScene
    switch (action, writer) {
    case (.conditionUnlessActive, .any), (.conditionUnlessActive, .appCode),
      (.conditionWhileSuspended, .any), (.conditionWhileSuspended, .appCode):
      return !hasConditions
    default: return false
    }
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

  /// Makes a table of steps, each with the pattern that calls for it.
  init(_ wanted: [(pattern: EventPattern, step: Step)]) {
    slots = Array(repeating: Slot(), count: Verb.knownCodes * names)
    var byVerb: [UInt8: [(name: Int?, step: Step)]] = [:]
    for (pattern, step) in wanted {
      for alternative in pattern.alternatives {
        byVerb[alternative.verb.code, default: []].append(
          (alternative.name.map { Int($0.rawValue) }, step))
      }
    }

    for (verb, wanted) in byVerb.sorted(by: { $0.key < $1.key }) {
      let base = Int(verb) * names
      // All names that nobody asks for by themselves share the steps of any name.
      let ofAnyName = add(wanted.filter { $0.name == nil }.map(\.step))
      if ofAnyName.count > 0 {
        for index in base..<base + names { slots[index] = ofAnyName }
      }
      for name in Set(wanted.compactMap(\.name)) {
        slots[base + name] = add(
          wanted.filter { $0.name == nil || $0.name == name }.map(\.step))
      }
    }
  }

  /// Puts the steps of one slot in their order.
  private mutating func add(_ unordered: [Step]) -> Slot {
    let slot = Slot(
      start: Int32(steps.count), count: UInt16(unordered.count),
      quiet: UInt16(unordered.count(where: \.isQuiet)))
    steps += unordered.enumerated()
      .sorted { StepTable.order($0.element, $0.offset) < StepTable.order($1.element, $1.offset) }
      .map(\.element)
    return slot
  }

  private static func order(_ step: Step, _ offset: Int) -> (UInt8, UInt8, Int) {
    (step.isQuiet ? 0 : 1, step.rank, offset)
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
