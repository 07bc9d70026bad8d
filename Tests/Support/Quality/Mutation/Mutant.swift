import LifecycleModel
import Traces

/// A clean trace with one thing changed, and what the documents say of the change.
public struct Mutant {
  /// What the documents say.
  public enum Label: Hashable, Sendable {
    /// It breaks one of these rules.
    case violation(Set<String>)
    /// They allow it, or what shows it is missing; with the reason.
    case equivalent(String)
  }

  /// The changed trace.
  public var trace: Trace
  /// The kind of change.
  public var family: String
  /// What was changed, in words without numbers.
  public var behaviour: String
  /// What the documents say.
  public var label: Label
}

/// A way to change a clean trace.
public struct MutationOperator: Sendable {
  /// The kind of change.
  public let family: String
  /// What it changes.
  public let name: String
  let apply: @Sendable (CleanTrace, inout SeededGenerator) -> (Draft, Mutant.Label)?

  init(
    _ family: String, _ name: String,
    _ apply: @escaping @Sendable (CleanTrace, inout SeededGenerator) -> (Draft, Mutant.Label)?
  ) {
    self.family = family
    self.name = name
    self.apply = apply
  }

  /// All of them.
  public static let all: [MutationOperator] =
    drops + duplicates + swaps + delays + leaks + retargets + wrongStates + wrongThreads
    + wrongObjects + wrongBooks + cuts + commonFaults + losses
}

/// A clean trace with what operators look for.
public struct CleanTrace {
  let reference: ReferenceTrace
  let passages: [Passage]
  /// Whether the app has scenes.
  let hasScenes: Bool

  /// Looks through a trace in which nothing is wrong.
  public init(_ trace: Trace) {
    reference = ReferenceTrace(trace)
    passages = Passage.all(in: reference)
    hasScenes = reference.profiles.last?.mode == .scene
  }

  /// The events, in order.
  public var events: [Event] { reference.events }

  /// A change at a place that is chosen by chance; `nil` when there is none.
  public func mutant(_ way: MutationOperator, _ generator: inout SeededGenerator) -> Mutant? {
    guard let (draft, label) = way.apply(self, &generator) else { return nil }
    var trace = Trace(vocabulary: reference.vocabulary, events: draft.events)
    trace.orderAndNumber()
    return Mutant(trace: trace, family: way.family, behaviour: way.name, label: label)
  }

  /// The places that fulfil a condition on the event and on the state before it.
  func places(_ condition: (Int, Event, LifecycleState) -> Bool) -> [Int] {
    events.indices.filter { condition($0, events[$0], reference.states[$0]) }
  }

  /// The places before which code of the app could run on the main thread, and no call is open.
  func idlePlaces(_ condition: (Int, LifecycleState) -> Bool) -> [Int] {
    places { index, event, state in
      state.processStart != nil && state.processEnd == nil && state.launchEnd != nil
        && state.suspension == nil && state.open.count(.call) == 0
        && state.open.count(.observe) == 0 && state.open.count(.snapshot) == 0
        && event.verb != .profile && event.verb != .processStart && condition(index, state)
    }
  }

  /// The next event of the same process that fulfils a condition.
  func next(after index: Int, _ condition: (Event) -> Bool) -> Int? {
    ((index + 1)..<max(index + 1, reference.process(index).upperBound))
      .first { condition(events[$0]) }
  }

  /// The word for a symbol.
  func symbol(_ text: String) -> Symbol { reference.vocabulary.symbol(text) }

  /// A thread that is not the main one.
  var worker: WriterID { (try? reference.vocabulary.writer("worker")) ?? .system }

  func attributes(_ list: Attribute...) -> AttributesID { reference.vocabulary.attributes(list) }
}

/// A trace that is being changed.
struct Draft {
  var events: [Event]

  init(_ clean: CleanTrace) { events = clean.events }

  /// Puts events before the one at `index`, at the instant of the one before that.
  mutating func insert(_ new: Event..., at index: Int) { insert(new, at: index) }

  mutating func insert(_ new: [Event], at index: Int) {
    let instant = events[max(0, index - 1)].instant
    events.insert(
      contentsOf: new.map { event in
        var event = event
        event.instant = instant
        return event
      }, at: index)
  }

  mutating func remove(_ indices: [Int]) {
    for index in indices.sorted(by: >) { events.remove(at: index) }
  }

  /// Has everything from `index` on happen later.
  mutating func delay(from index: Int, by time: Nanoseconds) {
    for place in index..<events.count {
      events[place].instant = events[place].instant.advanced(by: time)
    }
  }

  /// Exchanges two runs of events that follow each other; the instants stay.
  mutating func exchange(_ first: Range<Int>, _ second: Range<Int>) {
    let instants = events[first.lowerBound..<second.upperBound].map(\.instant)
    var run = Array(events[second]) + events[first.upperBound..<second.lowerBound] + events[first]
    for (place, instant) in instants.enumerated() { run[place].instant = instant }
    events.replaceSubrange(first.lowerBound..<second.upperBound, with: run)
  }
}

extension Event {
  /// An event that is given its instant later.
  init(
    _ verb: Verb, _ name: Symbol = .none, _ subject: Subject, label: Symbol = .none,
    by writer: WriterID = .main, _ attributes: AttributesID = .none
  ) {
    self.init(
      instant: .origin, writer: writer, verb: verb, name: name, subject: subject, label: label,
      attributes: attributes)
  }
}

extension [Int] {
  /// One of them, by chance.
  func pick(_ generator: inout SeededGenerator) -> Int? { randomElement(using: &generator) }
}
