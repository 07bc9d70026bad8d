import LifecycleModel
import TraceAnalysis
import TraceText

/// A part of the evidence in words: an event of the log, or what had to come and did not.
package struct ReportedWitness: Hashable, Encodable, Sendable {
  /// What would have done, in the notation's words.
  struct Awaited: Hashable, Encodable, Sendable {
    var verb: String
    var name: String?
    var subject: String?
    var label: String?
    var value: Int64?
    var thread: String?
  }

  package var role: Finding.Role
  package var event: ReportedEvent?
  package var says: String?
  var awaited: [Awaited]?
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
    awaited = missing.kinds.map(Awaited.init)
    after = missing.after.map { EventReference($0, printer.vocabulary) }
    before = missing.before.map { EventReference($0, printer.vocabulary) }
    until = missing.until
    backgroundTime = missing.backgroundTime
  }
}

extension ReportedWitness.Awaited {
  fileprivate init(_ kind: MissingEvent.Kind) {
    verb = kind.verb.word ?? ""
    name = kind.name.isEmpty ? nil : kind.name
    subject = kind.subject.kind == .none ? nil : kind.subject.description
    (label, value, thread) = (kind.label, kind.value, kind.thread?.rawValue)
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
