import LifecycleModel
import TraceAnalysis
import TraceText

/// A part of the evidence in words: an event of the log, or what had to come and did not.
public struct ToldWitness: Hashable, Codable, Sendable {
  /// What would have done, in the notation's words.
  public struct Awaited: Hashable, Codable, Sendable {
    /// The verb.
    public var verb: String
    /// The name; `nil` when the verb has none, or any would have done.
    public var name: String?
    /// What it would have been about.
    public var subject: String?
    /// The app's own words.
    public var label: String?
    /// The value.
    public var value: Int64?
    /// `main`, `other` or `app`: who had to record it.
    public var thread: String?
  }

  /// An event of the log, by its number.
  public struct Place: Hashable, Codable, Sendable {
    /// Who recorded it.
    public var writer: String
    /// Its number among the events of its writer.
    public var sequence: UInt64

    /// How reports name the event: `main#12`.
    public var reference: String { "\(InertText.word(writer))#\(sequence)" }
  }

  /// Its part: `opens`, `culprit`, `closes` or `missing`.
  public var role: String
  /// Who recorded it; `nil` for what is missing, as are the next four.
  public var writer: String?
  /// Its number among the events of its writer.
  public var sequence: UInt64?
  /// Its instant, in nanoseconds.
  public var instant: Int64?
  /// The event in notation.
  public var line: String?
  /// The line of the log that it stands in, from 1; `nil` when the log is no text.
  public var sourceLine: Int?
  /// The line of the app's code that stated it, as `File/Path.swift:42`; `nil` when the event does not
  /// say.
  public var at: String?
  /// What is missing, in words; `nil` for an event, as is all that follows.
  public var says: String?
  /// Any one of these would have done.
  public var awaited: [Awaited]?
  /// The event after which it was due.
  public var after: Place?
  /// The event before which it was due.
  public var before: Place?
  /// The instant at which it was too late, in nanoseconds.
  public var until: Int64?
  /// The background time after which it was too late.
  public var backgroundTime: Nanoseconds?

  /// How reports name the event: `main#12`; empty for what is missing.
  public var reference: String {
    guard let writer, let sequence else { return "" }
    return Place(writer: writer, sequence: sequence).reference
  }

  /// The event in notation, or what is missing in words.
  public var text: String { line ?? says ?? "" }

  /// Whether it had to come and did not.
  public var isMissing: Bool { role == Finding.Role.missing.rawValue }

  init?(
    _ witness: Finding.Witness, _ printer: TraceNotation.Printer, _ lines: EventLines? = nil
  ) {
    role = witness.role.rawValue
    if let event = witness.event {
      writer = printer.vocabulary.name(of: event.writer)
      (sequence, instant) = (event.sequence, event.instant.nanoseconds)
      line = printer.line(event)
      sourceLine = lines?.line(of: event, in: printer.vocabulary)
      at = printer.vocabulary.attributes(event.attributes)[.at].map { InertText.word($0) }
    } else if let missing = witness.missing {
      says = MissingText(missing: missing, vocabulary: printer.vocabulary).line
      awaited = missing.kinds.map(Awaited.init)
      after = missing.after.map { Place($0, printer.vocabulary) }
      before = missing.before.map { Place($0, printer.vocabulary) }
      until = missing.until?.nanoseconds
      backgroundTime = missing.backgroundTime
    } else {
      return nil
    }
  }
}

extension ToldWitness.Awaited {
  fileprivate init(_ kind: MissingEvent.Kind) {
    verb = kind.verb.word ?? ""
    name = kind.name.isEmpty ? nil : kind.name
    subject = kind.subject.kind == .none ? nil : kind.subject.description
    (label, value, thread) = (kind.label, kind.value, kind.thread?.rawValue)
  }

  fileprivate func write(_ writer: inout JSONWriter) {
    writer.string("verb", verb)
    writer.string("name", name)
    writer.string("subject", subject)
    writer.string("label", label)
    writer.number("value", value)
    writer.string("thread", thread)
  }
}

extension ToldWitness.Place {
  fileprivate init(_ event: Event, _ vocabulary: Vocabulary) {
    self.init(writer: vocabulary.name(of: event.writer), sequence: event.sequence)
  }
}

extension ToldWitness {
  /// What stands in the columns of a report: role, reference, and the event or what is missing.
  var columns: String {
    let words =
      if let line, let instant {
        TimeText.line(line, at: Instant(nanoseconds: instant))
      } else {
        text
      }
    return pad(role, 8) + pad(reference, 10) + words
  }

  /// The columns as a person reads them: the culprit is marked.
  func lines(_ style: TextStyle) -> [String] {
    let mark = role == Finding.Role.culprit.rawValue ? " ◀" : ""
    return style.data(columns + mark, indent: "    ", hanging: 8).map { line in
      switch Finding.Role(rawValue: role) {
      // What is missing is neither in the log nor beside the point: it is what has to be added.
      case .culprit, .missing: style.bold(line)
      case .opens, .closes, nil: style.dim(line)
      }
    }
  }

  /// Whether it has what its role calls for, and nothing that only another role has.
  var isSound: Bool {
    guard Finding.Role(rawValue: role) != nil else { return false }
    let ofEvent = writer != nil && sequence != nil && instant != nil && line != nil
    let isPlaceless =
      writer == nil && sequence == nil && instant == nil && line == nil
      && sourceLine == nil && at == nil
    let ofMissing = says != nil && awaited?.isEmpty == false
    return isMissing
      ? ofMissing && isPlaceless
      : ofEvent && says == nil && awaited == nil && sourceLine ?? 1 > 0
  }

  /// All that it says, to compare it by.
  var words: [String] {
    let kinds = (awaited ?? []).map { kind in
      [kind.verb, kind.name, kind.subject, kind.label, kind.value.map { "\($0)" }, kind.thread]
        .map { $0 ?? "|" }.joined(separator: " ")
    }
    return ["\(role) \(reference) \(instant ?? -1) \(text) \(sourceLine ?? 0) \(at ?? "")"] + kinds
  }

  /// The texts that are shown as they are.
  var texts: [String] { [text, reference] + [at].compactMap(\.self) }

  /// The members that say what is missing; the article `JSONReportFormat` describes them.
  func writeMissing(_ writer: inout JSONWriter) {
    writer.string("says", says)
    writer.array("awaited", awaited ?? []) { writer, awaited in
      writer.object(nil, awaited.write)
    }
    for (key, place) in [("after", after), ("before", before)] {
      guard let place else { continue }
      writer.object(key) { writer in
        writer.string("writer", place.writer)
        writer.number("sequence", place.sequence)
      }
    }
    writer.number("until", until)
    writer.number("backgroundTime", backgroundTime)
  }
}
