import LifecycleModel
import TraceAnalysis
import TraceReport
import TraceText
import Traces

/// A change of an app's code, as its runs show it: in each place where the code runs.
public struct PlantedChange {
  /// The ways to change code.
  public enum Way: String, CaseIterable, Sendable {
    /// Something does not happen any more.
    case drop
    /// Something happens besides.
    case add
    /// A callback takes 80 ms longer.
    case slower
    /// Something is called differently.
    case label
    /// A task, or work, takes twice as long, and a little.
    case hold
    /// Two events that a document orders come the other way round.
    case order
  }

  /// The run with the change.
  public private(set) var trace: Trace
  /// The words of what was changed: the first difference must have one of them.
  public private(set) var words: [String] = []

  private static let label = "planted"

  /// Changes a run in some way; `nil` where the run has nothing to be changed so.
  public init?(_ way: Way, in trace: Trace, _ generator: inout SeededGenerator) {
    self.trace = trace

    switch way {
    case .drop: drop(&generator)
    case .add: add(&generator)
    case .slower: lengthen([.call], &generator) { _ in .milliseconds(80) }
    case .label: rename(&generator)
    case .hold:
      lengthen([.taskBegin, .workBegin], &generator) { $0 + .milliseconds(80) }
    case .order: reverse(&generator)
    }
    if words.isEmpty { return nil }
  }

  // MARK: The ways

  private mutating func drop(_ generator: inout SeededGenerator) {
    let own: Set<Verb> = [.call, .notify, .work, .taskBegin]
    guard let picked = pick(own, &generator) else { return }
    let ending = SpanFamily.allCases.first { $0.opening == picked.verb }?.closing

    let subjects = Set(trace.events.filter { isLike($0, picked) }.map(\.subject))
    trace.events = trace.events.filter { event in
      if isLike(event, picked) { return false }
      guard event.verb == ending else { return true }
      return ending == .taskEnd
        ? !subjects.contains(event.subject)
        : event.name != picked.name || event.subjectKind != picked.subjectKind
          || event.label != picked.label
    }
    words = [text(picked)]
  }

  private mutating func add(_ generator: inout SeededGenerator) {
    guard let picked = pick([.call, .notify, .work, .taskBegin], &generator) else { return }
    let label = trace.vocabulary.symbol(Self.label)
    trace.events = trace.events.flatMap { event -> [Event] in
      guard isLike(event, picked) else { return [event] }
      let timer = Event(
        instant: event.instant.advanced(by: 10), writer: .main, verb: .work,
        name: WorkCategory.timer.symbol, subject: .app, label: label)
      return [event, timer]
    }
    words = ["work timer app \"\(Self.label)\""]
  }

  private mutating func rename(_ generator: inout SeededGenerator) {
    let labelled = trace.events.filter { !$0.label.isNone && $0.verb != .note }
    guard let picked = labelled.randomElement(using: &generator) else { return }
    let label = trace.vocabulary.symbol(Self.label)
    for index in trace.events.indices where trace.events[index].label == picked.label {
      trace.events[index].label = label
    }
    words = [Self.label, CausalWord.text(trace.vocabulary.text(picked.label))].map { "\"\($0)\"" }
  }

  /// Lets what one kind of event begins take longer, and all that comes behind come later.
  private mutating func lengthen(
    _ verbs: Set<Verb>, _ generator: inout SeededGenerator,
    _ more: (Nanoseconds) -> Nanoseconds
  ) {
    guard let picked = pick(verbs, &generator),
      let family = SpanFamily.allCases.first(where: { $0.opening == picked.verb })
    else { return }
    var begun: [Subject: (event: Event, at: Instant)] = [:]
    var shift: Nanoseconds = 0

    for index in trace.events.indices {
      let event = trace.events[index]
      if isLike(event, picked) { begun[event.subject] = (event, event.instant) }
      if event.verb == family.closing, let (opener, start) = begun[event.subject],
        family == .task || event.name == opener.name && event.label == opener.label
      {
        shift += more(event.instant.since(start))
        begun[event.subject] = nil
      }
      trace.events[index].instant = event.instant.advanced(by: shift)
    }
    if shift == 0 { return }
    let label = trace.vocabulary.text(picked.label)
    words = [text(picked)] + (label.isEmpty ? [] : ["\"\(CausalWord.text(label))\""])
  }

  /// Puts what comes then in front of what comes first, wherever both come within a second.
  private mutating func reverse(_ generator: inout SeededGenerator) {
    let possible = ScenarioRuns.orders.orders.filter { order in
      [order.first, order.then].allSatisfy { token in
        token.verb != "return" && trace.events.contains { text($0).hasPrefix(token.text) }
      }
    }
    guard let order = possible.randomElement(using: &generator) else { return }

    var index = 0
    while index < trace.events.count {
      defer { index += 1 }
      guard text(trace.events[index]).hasPrefix(order.first.text) else { continue }
      let start = trace.events[index].instant
      let later = trace.events.indices.dropFirst(index).prefix {
        trace.events[$0].instant.since(start) < .seconds(1)
      }
      guard let then = later.first(where: { text(trace.events[$0]).hasPrefix(order.then.text) })
      else { continue }
      var moved = trace.events.remove(at: then)
      moved.instant = start
      trace.events.insert(moved, at: index)
      index += 1
      words = [order.first.text]
    }
  }

  // MARK: Events

  private func pick(_ verbs: Set<Verb>, _ generator: inout SeededGenerator) -> Event? {
    trace.events.filter { verbs.contains($0.verb) }.randomElement(using: &generator)
  }

  private func text(_ event: Event) -> String { EventToken(event, trace.vocabulary).text }

  private func isLike(_ event: Event, _ other: Event) -> Bool {
    event.verb == other.verb && event.name == other.name && event.subjectKind == other.subjectKind
      && CausalWord.text(trace.vocabulary.text(event.label))
        == CausalWord.text(trace.vocabulary.text(other.label))
  }
}
