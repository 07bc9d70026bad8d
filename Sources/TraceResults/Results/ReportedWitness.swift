import LifecycleModel
import TraceAnalysis
import TraceText

/// A part of the evidence in words: an event of the log, or what had to come and did not.
package struct ReportedWitness: Hashable, Encodable, Sendable {
  package var role: Finding.Role
  package var event: ReportedEvent?
  package var says: String?
  /// What would have done.
  var awaited: [MissingEvent.Kind]?
  package var after: EventReference?
  package var before: EventReference?
  package var until: Instant?
  package var backgroundTime: Nanoseconds?

  /// How reports name the event: `main#12`; empty for what is missing.
  package var reference: String { event?.reference.text ?? "" }

  /// The event in notation, or what is missing in words.
  package var text: String { event?.line ?? says ?? "" }

  /// The line of the app's code that stated the event, as `File/Path.swift:42`; `nil` when it does not
  /// say.
  package var at: String? { event?[.at].map { InertText.word($0) } }

  /// Whether it had to come and did not.
  package var isMissing: Bool { role == .missing }

  init(_ witness: Finding.Witness, _ printer: TraceNotation.Printer, _ lines: EventLines?) {
    role = witness.role
    event = witness.event.map { ReportedEvent($0, printer, lines) }
    guard let missing = witness.missing else { return }
    says = missing.line(printer.vocabulary)
    awaited = missing.kinds
    after = missing.after.map { EventReference($0, printer.vocabulary) }
    before = missing.before.map { EventReference($0, printer.vocabulary) }
    until = missing.until
    backgroundTime = missing.backgroundTime
  }
}

extension MissingEvent.Kind: Encodable {
  /// Writes it in the notation's words, without those of which any would have done.
  public func encode(to encoder: any Encoder) throws {
    try encoder.write([
      "verb": verb.word ?? "", "name": name.unlessEmpty,
      "subject": subject.kind == .none ? nil : subject.description, "label": label,
      "value": value, "thread": thread?.rawValue,
    ])
  }
}

extension ReportedWitness {
  /// What stands in the columns of a report: role, reference, and the event or what is missing.
  package var columns: String {
    let words = event.map { TimeText.line($0.line, at: $0.instant) } ?? text
    return pad(role.rawValue, 8) + pad(reference, 10) + words
  }

  /// The columns as a person reads them: the culprit is marked.
  package func lines(_ style: TextStyle) -> [String] {
    let mark = role == .culprit ? " ◀" : ""
    return style.data(columns + mark, indent: "    ", hanging: 8).map { line in
      switch role {
      // What is missing is neither in the log nor beside the point: it is what has to be added.
      case .culprit, .missing: style.bold(line)
      case .opens, .closes: style.dim(line)
      }
    }
  }
}
