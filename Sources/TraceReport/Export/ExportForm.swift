import LifecycleModel

/// The forms in which other programs take a run or its tables.
package enum ExportForm: String, CaseIterable, Sendable {
  case perfetto, otlp, csv, ndjson

  /// How names of such files end; `otlp.jsonl` stands before `jsonl`.
  private static let endings: KeyValuePairs<String, ExportForm> = [
    "pftrace": .perfetto, "perfetto-trace": .perfetto, "otlp.jsonl": .otlp, "otlp.json": .otlp,
    "csv": .csv, "ndjson": .ndjson, "jsonl": .ndjson,
  ]

  /// The form of tables; `nil` for a run.
  package var tables: TableForm? { TableForm(rawValue: rawValue) }

  /// What writes a run in this form; `nil` for tables.
  package var run: (any RunExport.Type)? {
    switch self {
    case .perfetto: LaneExport.self
    case .otlp: OTLPExport.self
    case .csv, .ndjson: nil
    }
  }

  /// What it is called where it is no text, and would garble a terminal; `nil` where it is one.
  package var binaryName: String? { self == .perfetto ? "a trace of Perfetto" : nil }

  /// The form that the name of a file ends with; `nil` when it ends with none.
  package init?(fileName: String) {
    let found = ExportForm.endings.first { fileName.hasSuffix(".\($0.key)") }
    guard let found else { return nil }
    self = found.value
  }
}

/// Writes a run for another program, event by event; the same events give the same bytes.
package protocol RunExport {
  /// Begins to write a log that was analyzed, whose events belong to `vocabulary`; only what lies in `window` is
  /// written.
  init(_ head: ExportHead, _ vocabulary: Vocabulary, in window: ClosedRange<Instant>)

  /// Writes the next event.
  mutating func draw(_ event: Event)

  /// Ends the log: what is open stays open.
  mutating func finish()

  /// Whether what was written takes more memory than some events.
  var isLong: Bool { get }

  /// What was written since the last call.
  mutating func takeBytes() -> [UInt8]

  /// Lets the vocabulary forget what is not needed any more, when it has become large.
  func forgetUnusedWords()
}
