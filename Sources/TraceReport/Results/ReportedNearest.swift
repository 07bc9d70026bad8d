import LifecycleModel
import TraceAnalysis
import TraceText

/// The nearest legal trace of a finding in words.
struct ReportedNearest: Hashable, Encodable, Sendable {
  /// One change of the log.
  struct Edit: Hashable, Encodable, Sendable {
    var edit: String
    var writer: String?
    var sequence: UInt64?
    var verb: String?
    var name: String?
    var subject: String?
    var before: ReportedPlace?
    var after: ReportedPlace?
  }

  var says: [String]
  var edits: [Edit]
  var isMissing: Bool

  init(_ nearest: NearestLegalTrace, _ vocabulary: Vocabulary, isMissing: Bool) {
    self.isMissing = isMissing
    let told = nearest.edits.map { Edit.told($0, vocabulary) }
    edits = told.map(\.edit)
    let advice = nearest.advice.isEmpty ? [] : [nearest.advice]
    says = nearest.edits.isEmpty ? advice : told.map(\.says)
  }
}

extension ReportedNearest.Edit {
  /// An edit, and what it says.
  fileprivate static func told(
    _ edit: NearestLegalTrace.Edit, _ vocabulary: Vocabulary
  ) -> (edit: Self, says: String) {
    switch edit {
    case .move(let event, let place):
      var told = Self(edit: "move", ReportedPlace(event, vocabulary))
      let words = told.put(place, vocabulary)
      return (
        told, "move \(EventReference(event, vocabulary).text) \(name(event, vocabulary)) \(words)"
      )

    case .drop(let event):
      let told = Self(edit: "drop", ReportedPlace(event, vocabulary))
      return (told, "drop \(EventReference(event, vocabulary).text) \(name(event, vocabulary))")

    case .add(let event, let place):
      var told = Self(edit: "add")
      told.verb = vocabulary.word(of: event.verb)
      told.name = vocabulary.text(event.name)
      told.subject = event.subject.description
      let words = told.put(place, vocabulary)
      return (told, "add \(name(event, vocabulary)) \(event.subject) \(words)")
    }
  }

  private init(edit: String, _ event: ReportedPlace? = nil) {
    self.edit = edit
    (writer, sequence) = (event?.writer, event?.sequence)
  }

  /// Notes where the event belongs; returns that in words.
  private mutating func put(
    _ place: NearestLegalTrace.Place, _ vocabulary: Vocabulary
  ) -> String {
    switch place {
    case .before(let event):
      before = ReportedPlace(event, vocabulary)
      return "before \(EventReference(event, vocabulary).text)"
    case .after(let event):
      after = ReportedPlace(event, vocabulary)
      return "after \(EventReference(event, vocabulary).text)"
    }
  }

  private static func name(_ event: Event, _ vocabulary: Vocabulary) -> String {
    let name = vocabulary.text(event.name)
    let word = InertText.word(name.isEmpty ? vocabulary.word(of: event.verb) : name)
    return event.verb == .return ? "return of \(word)" : word
  }
}
