import LifecycleModel
import Run
import TraceAnalysis
import TraceText

/// A span of OpenTelemetry.
struct OTLPSpan {
  /// Its number in its log, of which its id is made.
  let id: UInt64
  /// The span that it lies in; `nil` of a process.
  let parent: UInt64?
  /// The place of its process in the log, from 1; 0 of a log that knows none.
  let process: Int
  /// What it is about; `nil` of what began before the first process.
  let resource: OTLPResource?
  let start: Instant
  var end: Instant
  var name = ""
  /// Its attributes, by their full keys.
  var details: [ExportDetail] = []
  /// What happened in it.
  var notes = OTLPNotes()

  // MARK: Ids

  /// The id of a process.
  static func id(ofProcess number: Int) -> UInt64 { 1 << 56 | UInt64(number) }

  /// The id of a span by its number in the tables.
  static func id(ofSpan number: Int) -> UInt64 { 3 << 56 | UInt64(number) }

  /// The id of what lasts.
  static func id(_ bar: RunBar) -> UInt64 {
    switch bar.content {
    case .process: id(ofProcess: bar.process ?? 0)
    case .state: 2 << 56 | bar.id
    case .span, .suspension: id(ofSpan: bar.number)
    }
  }

  // MARK: What it is

  /// Makes it the span of a row of the table of spans.
  mutating func describe(_ row: SpanRow, _ vocabulary: Vocabulary) {
    let event = row.bar.event
    let word = event.name.isNone ? nil : InertText.word(vocabulary.text(event.name))
    let isMethod = row.key?.kind == .callback || row.key?.kind == .observer
    let words = isMethod && word != nil ? [word] : [row.kind, word]
    name = ExportText.cut(words.compactMap(\.self).joined(separator: " "))

    details.append(ExportDetail("tracectl.span.kind", row.kind))
    if !event.label.isNone {
      let label = InertText.line(vocabulary.text(event.label))
      details.append(ExportDetail("tracectl.span.label", label))
    }
    if event.opensOnThread {
      let thread = InertText.word(vocabulary.name(of: event.writer))
      details.append(ExportDetail("thread.name", thread))
    }
    let length = end.since(start)
    if row.end.times.awake < length {
      details.append(ExportDetail("tracectl.span.awake", row.end.times.awake))
    }
  }

  /// Makes it the span of a state of the app or of a scene.
  mutating func describe(state: String, of bar: RunBar) {
    name = (bar.scene == nil ? "app " : "scene ") + state
    details.append(ExportDetail("tracectl.span.kind", "state"))
    let said = ExportDetail(bar.scene == nil ? "ios.app.state" : "tracectl.state", state)
    details.append(said)
    if bar.scene != nil { return }
    notes.add(OTLPNote(name: "device.app.lifecycle", instant: start, details: [said]))
  }

  // MARK: As JSON

  /// The span as the schema has it.
  func json(_ trace: String, _ head: ExportHead) -> JSONTree {
    let status = notes.error.map {
      JSONTree.object([("message", .text(ExportText.cut($0))), ("code", .number(2))])
    }
    return [
      "traceId": .text(trace), "spanId": .text(OTLPSpan.digits(id)),
      "parentSpanId": .text(parent.map(OTLPSpan.digits)), "name": .text(name),
      "kind": .number(1), "startTimeUnixNano": OTLPSpan.time(start, head),
      "endTimeUnixNano": OTLPSpan.time(end, head), "attributes": OTLPSpan.attributes(details),
      "events": .array(notes.all.map { $0.json(head) }).unlessEmpty,
      "droppedEventsCount": .number(notes.dropped > 0 ? notes.dropped : nil),
      "status": status ?? [:],
    ]
  }

  /// An instant as the schema has it: nanoseconds of Unix, as a text.
  static func time(_ instant: Instant, _ head: ExportHead) -> JSONTree {
    .text(String(head.unixStart.adding(head.time(instant))))
  }

  /// Attributes as the schema has them.
  static func attributes(_ details: [ExportDetail]) -> JSONTree {
    .array(
      details.map { detail in
        let value: JSONTree =
          switch detail.value {
          case .text(let text): ["stringValue": .text(text)]
          case .number(let number): ["intValue": .text(String(number))]
          }
        return ["key": .text(detail.key), "value": value]
      })
  }

  private static func digits(_ id: UInt64) -> String {
    pad(left: 16, with: "0", String(id, radix: 16))
  }
}

/// An event of a span.
struct OTLPNote {
  let name: String
  let instant: Instant
  var details: [ExportDetail] = []

  func json(_ head: ExportHead) -> JSONTree {
    [
      "timeUnixNano": OTLPSpan.time(instant, head), "name": .text(name),
      "attributes": OTLPSpan.attributes(details),
    ]
  }
}

/// The events of a span, and whether it ended badly.
struct OTLPNotes {
  /// Beyond this number of events, only findings and ends are added; the SDKs of OpenTelemetry have the same limit.
  private static let limit = 128

  private(set) var all: [OTLPNote] = []
  /// How many were not kept.
  private(set) var dropped = 0
  /// What went wrong; `nil` where nothing did.
  var error: String?

  /// Adds an event, if there is room.
  mutating func add(_ note: OTLPNote) {
    if all.count < OTLPNotes.limit { all.append(note) } else { dropped += 1 }
  }

  /// Adds an event for which there is always room.
  mutating func keep(_ note: OTLPNote) { all.append(note) }

  /// Adds a finding, for which there is always room.
  mutating func add(_ found: FindingMarks.Found, at instant: Instant) {
    let (finding, mark) = (found.finding, found.mark)
    let details = [ExportDetail("tracectl.finding", mark.name)] + mark.details.map(\.ours)
    keep(OTLPNote(name: "tracectl.finding", instant: instant, details: details))
    if finding.severity == .error, finding.suppression == nil { error = error ?? mark.name }
  }
}

extension ExportDetail {
  /// The same under a key that is not one of OpenTelemetry's.
  var ours: ExportDetail {
    let word = String(key.map { $0 == " " ? "_" : $0 })
    return ExportDetail("tracectl." + word, value)
  }
}
