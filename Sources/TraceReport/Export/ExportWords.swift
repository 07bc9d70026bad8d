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

  /// So many texts are kept.
  private static let kept = 4096

  private let vocabulary: Vocabulary
  private let text: LaneText
  private var texts: [Key: String] = [:]
  private var writers: [String?] = []
  /// How often the vocabulary had forgotten words when texts were made.
  private var generation = 0

  /// The words of events that belong to `vocabulary`.
  init(_ vocabulary: Vocabulary) {
    self.vocabulary = vocabulary
    text = LaneText(vocabulary)
  }

  /// What stands on a bar.
  mutating func text(_ bar: LaneBar) -> String {
    bar.content == .span ? text(bar.event) : ExportText.cut(text.text(bar))
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

  /// What the event says beyond its name: its number as reports have it, its subject and its value.
  mutating func details(_ event: Event) -> [ExportDetail] {
    var details = [ExportDetail("event", reference(event))]
    if event.subjectKind != .none {
      details.append(ExportDetail("subject", event.subject.description))
    }
    if let value = event.value { details.append(ExportDetail("value", value)) }
    return details
  }

  /// Its attributes.
  func attributes(_ event: Event) -> [ExportDetail] {
    if event.attributes.isNone { return [] }
    return vocabulary.attributes(event.attributes).map {
      ExportDetail(ExportText.cut(InertText.word($0.key)), InertText.line($0.value))
    }
  }

  /// `main#12`; the name of a writer is made inert once.
  private mutating func reference(_ event: Event) -> String {
    if event.verb == .gap { return "gap" }
    let number = Int(event.writer.rawValue)
    while writers.count <= number { writers.append(nil) }
    let writer =
      writers[number] ?? ExportText.cut(InertText.word(vocabulary.name(of: event.writer)))
    writers[number] = writer
    return "\(writer)#\(event.sequence)"
  }
}

extension Lane {
  /// The kind of what stands on it, in a word.
  var category: String {
    switch kind {
    case .app, .scene: "state"
    case .system: "system"
    case .thread: "call"
    case .tasks: "task"
    case .held: "held"
    case .unsaved: "unsaved"
    case .deliveries: "delivery"
    case .work: "work"
    case .notifications: "notification"
    case .notes: "note"
    case .counter: "value"
    }
  }
}
