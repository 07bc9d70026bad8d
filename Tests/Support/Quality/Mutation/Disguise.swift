import LifecycleModel
import Traces

/// The same events as another run would have recorded them: what a fingerprint must not see.
public enum Disguise: String, CaseIterable, Sendable {
  /// Everything happens slower or faster.
  case scaledTime = "time scaled"
  /// Other numbers of scenes, sessions, tasks and sequences, other names of threads, another order of
  /// words.
  case renumbered
  /// The labels hold other ids.
  case otherIDs = "other ids in labels"
  /// Something else happens in between.
  case insertions = "unrelated insertions"

  /// A trace in disguise, and the places of the events of the original in it.
  public struct Disguised {
    /// The trace.
    public var trace: Trace
    /// For each event of the original its place, from 0.
    public var places: [Int]
  }

  /// The trace that a disguise is held against: with ids in its labels where these are to change.
  public func original(_ trace: Trace) -> Trace {
    self == .otherIDs ? Rewriter(trace).rewritten { $0 + "-17" } : trace
  }

  /// Disguises what ``original(_:)`` has given.
  public func apply(_ trace: Trace, _ generator: inout SeededGenerator) -> Disguised {
    let places = Array(trace.events.indices)
    switch self {
    case .scaledTime: return Disguised(trace: scaled(trace, &generator), places: places)
    case .renumbered:
      var rewriter = Rewriter(trace)
      rewriter.mask = UInt32.random(in: 1...0xffff, using: &generator)
      rewriter.isRenumbered = true
      return Disguised(trace: rewriter.rewritten { $0 }, places: places)
    case .otherIDs:
      let ids = ["-4711", "-0", "-9f3c11ab", "-550E8400-E29B-41D4-A716-446655440000"]
      let id = ids.randomElement(using: &generator) ?? ids[0]
      return Disguised(
        trace: Rewriter(trace).rewritten { String($0.dropLast(3)) + id }, places: places)
    case .insertions: return inserted(trace, &generator)
    }
  }

  /// A half to double the time, which may change what takes too long and never who did it.
  private func scaled(_ trace: Trace, _ generator: inout SeededGenerator) -> Trace {
    let factor = Int64.random(in: 512...2048, using: &generator)
    var trace = trace
    for index in trace.events.indices {
      let time = trace.events[index].instant.nanoseconds
      trace.events[index].instant = Instant(nanoseconds: time / 1024 * factor)
    }
    return trace
  }

  /// One event in five is followed by something that no rule is about.
  private func inserted(_ trace: Trace, _ generator: inout SeededGenerator) -> Disguised {
    let writer = (try? trace.vocabulary.writer("elsewhere")) ?? .system
    var events: [Event] = []
    var places: [Int] = []
    for event in trace.events {
      places.append(events.count)
      events.append(event)
      guard generator.oneIn(5) else { continue }
      let isNote = generator.oneIn(2)
      events.append(
        Event(
          instant: event.instant, writer: writer, verb: isNote ? .note : .sample,
          name: isNote ? .none : SampledValue.memory.symbol,
          label: isNote ? trace.vocabulary.symbol("turn \(events.count)") : .none,
          value: isNote ? nil : Int64(events.count)))
    }

    var disguised = Trace(vocabulary: trace.vocabulary, events: events)
    disguised.orderAndNumber()
    return Disguised(trace: disguised, places: places)
  }
}

/// Writes a trace anew with words of a vocabulary of its own.
private struct Rewriter {
  let trace: Trace
  /// What is mixed into the numbers.
  var mask: UInt32 = 0
  var isRenumbered = false

  init(_ trace: Trace) { self.trace = trace }

  func rewritten(label: (String) -> String) -> Trace {
    let old = trace.vocabulary
    let new = Vocabulary()
    if isRenumbered {
      // The words come in another order, and so do the threads.
      for event in trace.events.reversed() {
        _ = new.symbol(old.text(event.label))
        _ = try? new.writer(writer(old.name(of: event.writer)))
      }
    }

    let events = trace.events.map { event in
      Event(
        sequence: event.sequence == 0 || !isRenumbered ? event.sequence : event.sequence + 1000,
        instant: event.instant,
        writer: (try? new.writer(writer(old.name(of: event.writer)))) ?? .system,
        verb: (try? new.verb(old.word(of: event.verb))) ?? .note,
        name: new.symbol(old.text(event.name)), subject: subject(event.subject),
        label: event.label.isNone ? .none : new.symbol(label(old.text(event.label))),
        value: event.value,
        attributes: new.attributes(old.attributes(event.attributes).map(attribute)))
    }
    return Trace(vocabulary: new, events: events)
  }

  private func writer(_ name: String) -> String {
    let isThread = name != Vocabulary.systemWriter && name != Vocabulary.mainWriter
    return isRenumbered && isThread ? "Thread 0x\(String(mask, radix: 16)) \(name)" : name
  }

  private func number(_ number: UInt32) -> UInt32 { number == 0 ? 0 : number ^ mask }

  private func subject(_ subject: Subject) -> Subject {
    subject.isNumbered ? Subject(subject.kind, number(subject.number)) : subject
  }

  private func attribute(_ attribute: Attribute) -> Attribute {
    guard isRenumbered else { return attribute }
    var attribute = attribute
    switch AttributeKey(rawValue: attribute.key) {
    case .session: attribute.value = UInt32(attribute.value).map { "\(number($0))" } ?? "?"
    case .writer: attribute.value = writer(attribute.value)
    case .from, .to: attribute.value = UInt64(attribute.value).map { "\($0 + 1000)" } ?? "?"
    case .pid: attribute.value = "\(mask)"
    default: break
    }
    return attribute
  }
}
