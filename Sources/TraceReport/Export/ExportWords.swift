import LifecycleModel
import TraceText

/// What a viewer shows of bars and events: each text is made once for the same words.
struct ExportWords {
  private struct Key: Hashable {
    let verb: Verb
    let name: Symbol
    let label: Symbol
    let subject: UInt64
  }

  /// At most this many texts are kept.
  private static let kept = 4096

  private let vocabulary: Vocabulary
  private let text: LaneText
  private var texts: [Key: String] = [:]
  /// How often the vocabulary had forgotten words when texts were made.
  private var generation = 0

  /// The words of events that belong to `vocabulary`.
  init(_ vocabulary: Vocabulary) {
    self.vocabulary = vocabulary
    text = LaneText(vocabulary)
  }

  /// What stands on a bar.
  mutating func text(_ bar: LaneBar) -> String {
    bar.content == .span ? text(bar.event) : ExportText.cut(text.text(bar.run))
  }

  /// What stands at an event.
  mutating func text(_ event: Event) -> String {
    // These say attributes.
    if event.verb == .kill || event.verb == .exit { return ExportText.cut(text.text(event)) }
    if generation != vocabulary.generation || texts.count >= ExportWords.kept {
      texts.removeAll(keepingCapacity: true)
      generation = vocabulary.generation
    }

    let key = Key(
      verb: event.verb, name: event.name, label: event.label, subject: event.subject.key)
    if let known = texts[key] { return known }
    let words = text.text(event)
    let made = ExportText.cut(words.isEmpty ? vocabulary.word(of: event.verb) : words)
    texts[key] = made
    return made
  }

  /// A bar or an instant with all that the event says: its number as reports have it, its subject unless
  /// it is the app, its value, the state of the `app` behind it unless it is active, the parts that it
  /// plays in findings, and its attributes.
  mutating func mark(
    _ name: String, _ category: String, _ event: Event, app: AppState?,
    _ evidence: FindingMarks.Evidence?
  ) -> ExportMark {
    var mark = ExportMark(name: name, category: category, flows: evidence?.flows ?? [])
    mark.details.append(ExportDetail("event", EventReference(event, vocabulary).text))
    if event.subjectKind != .none && event.subjectKind != .app {
      mark.details.append(ExportDetail("subject", event.subject.description))
    }
    if let value = event.value { mark.details.append(ExportDetail("value", value)) }
    if let app, app != .active { mark.details.append(ExportDetail("app", app.rawValue)) }

    for detail in evidence?.details ?? [] { mark.add(detail) }
    if event.attributes.isNone { return mark }
    for attribute in vocabulary.attributes(event.attributes) {
      let key = ExportText.cut(InertText.word(attribute.key))
      mark.add(ExportDetail(key, InertText.line(attribute.value)))
    }
    return mark
  }
}

extension Lane {
  /// What `event` is on it, in a word.
  func category(of event: Event) -> String {
    switch (kind, event.verb) {
    case (.thread, .workBegin): "work"
    case (.thread, .observe): "observer"
    case (.thread, .taskExpire): "task"
    default: word
    }
  }
}
