import LifecycleModel

/// What to do at an event for one clause: a plain value, so that the loop over events calls nothing
/// that did not ask for the event.
struct Step {
  /// What is done; the order of the cases is that in which one event's steps are done.
  enum Action: UInt8 {
    case mitigate
    case windowCulprit, windowClose, windowOpen
    case condition
    /// A condition that does not hold while what the event is about is active.
    case conditionUnlessActive
    /// A condition that holds only while the process is suspended, which is nearly never.
    case conditionWhileSuspended
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
  }

  var action: Action
  var writer: EventPattern.WriterCondition
  /// A bit per kind of subject that matches.
  var subjects: UInt8
  /// The place of the clause in the array of its form.
  var index: UInt16

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
  private static let names = WellKnownWords.count

  private(set) var steps: [Step] = []
  /// For each verb and name the places of its steps; name 0 is any name that is not well known.
  private var ranges: [(start: Int32, count: Int32)]

  /// Makes a table of steps, each with the pattern that calls for it.
  init(_ wanted: [(pattern: EventPattern, step: Step)]) {
    let names = StepTable.names
    var slots: [[Step]] = Array(repeating: [], count: Verb.knownCodes * names)
    for (pattern, step) in wanted {
      for alternative in pattern.alternatives {
        let base = Int(alternative.verb.code) * names
        if let name = alternative.name {
          slots[base + Int(name.rawValue)].append(step)
        } else {
          for slot in base..<base + names { slots[slot].append(step) }
        }
      }
    }
    ranges = slots.map { _ in (0, 0) }
    for (slot, unordered) in slots.enumerated() where !unordered.isEmpty {
      ranges[slot] = (Int32(steps.count), Int32(unordered.count))
      steps += unordered.enumerated()
        .sorted {
          ($0.element.action.rawValue, $0.offset) < ($1.element.action.rawValue, $1.offset)
        }
        .map(\.element)
    }
  }

  /// The places of the steps for an event.
  @inline(__always)
  func range(_ event: Event) -> Range<Int> {
    guard event.verb.isKnown else { return 0..<0 }
    let name = Int(event.name.rawValue)
    let slot = Int(event.verb.code) * StepTable.names + (name < StepTable.names ? name : 0)
    let range = ranges[slot]
    return Int(range.start)..<Int(range.start &+ range.count)
  }
}
