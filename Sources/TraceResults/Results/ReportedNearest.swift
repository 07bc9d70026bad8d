import LifecycleModel
import TraceAnalysis
import TraceText

/// The nearest legal trace of a finding in words.
package struct ReportedNearest: Hashable, Encodable, Sendable {
  /// One change of the log.
  struct Edit: Hashable, Encodable, Sendable {
    var edit: String
    var writer: String?
    var sequence: UInt64?
    var verb: String?
    var name: String?
    var subject: String?
    var before: EventReference?
    var after: EventReference?
  }

  package var says: [String]
  var edits: [Edit]
  package var isMissing: Bool

  init(_ nearest: NearestLegalTrace, _ vocabulary: Vocabulary, isMissing: Bool) {
    self.isMissing = isMissing
    let worded = nearest.edits.map { Edit.worded($0, vocabulary) }
    edits = worded.map(\.edit)
    let advice = nearest.advice.isEmpty ? [] : [nearest.advice]
    says = edits.isEmpty ? advice : worded.map(\.says)
  }
}

extension ReportedNearest.Edit {
  /// An edit, and the same in words.
  fileprivate static func worded(
    _ edit: NearestLegalTrace.Edit, _ vocabulary: Vocabulary
  ) -> (edit: Self, says: String) {
    let (kind, event, place): (String, Event, NearestLegalTrace.Place?) =
      switch edit {
      case .move(let event, let place): ("move", event, place)
      case .drop(let event): ("drop", event, nil)
      case .add(let event, let place): ("add", event, place)
      }
    var reported = Self(edit: kind)
    var words = [kind]

    if kind == "add" {
      reported.verb = vocabulary.word(of: event.verb)
      reported.name = vocabulary.text(event.name)
      reported.subject = event.subject.description
      words += [name(event, vocabulary), event.subject.description]
    } else {
      let reference = EventReference(event, vocabulary)
      (reported.writer, reported.sequence) = (reference.writer, reference.sequence)
      words += [reference.text, name(event, vocabulary)]
    }

    if let place {
      let neighbor = EventReference(place.neighbor, vocabulary)
      let isBefore = place == .before(place.neighbor)
      if isBefore { reported.before = neighbor } else { reported.after = neighbor }
      words += [isBefore ? "before" : "after", neighbor.text]
    }
    return (reported, words.joined(separator: " "))
  }

  private static func name(_ event: Event, _ vocabulary: Vocabulary) -> String {
    let name = vocabulary.text(event.name)
    let word = InertText.word(name.isEmpty ? vocabulary.word(of: event.verb) : name)
    return event.verb == .return ? "return of \(word)" : word
  }
}
