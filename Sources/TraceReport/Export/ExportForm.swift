import LifecycleModel
import TraceAnalysis

/// The forms in which other programs take a run or its tables.
package enum ExportForm: String, CaseIterable, Sendable {
  case perfetto, otlp, csv, ndjson

  /// What is known of a form.
  private struct Row {
    /// How names of such files end, the usual ending first.
    let endings: [String]
    /// The form of tables; `nil` for a run.
    var tables: TableForm?
    /// What writes a run; `nil` for tables.
    var run: (any RunExport.Type)?
    /// What it is called where it is no text; `nil` where it is one.
    var binaryName: String?
  }

  private var row: Row {
    switch self {
    case .perfetto:
      Row(
        endings: ["pftrace", "perfetto-trace"], run: LaneExport.self,
        binaryName: "a trace of Perfetto")
    case .otlp: Row(endings: ["otlp.jsonl", "otlp.json"], run: OTLPExport.self)
    case .csv: Row(endings: ["csv"], tables: .csv)
    case .ndjson: Row(endings: ["ndjson", "jsonl"], tables: .ndjson)
    }
  }

  /// The form of tables; `nil` for a run.
  package var tables: TableForm? { row.tables }

  /// What writes a run in this form; `nil` for tables.
  package var run: (any RunExport.Type)? { row.run }

  /// What it is called where it is no text, and would garble a terminal; `nil` where it is one.
  package var binaryName: String? { row.binaryName }

  /// The form that the name of a file ends with; `nil` when it ends with none.
  package init?(fileName: String) {
    let form = ExportForm.allCases.first { form in
      form.row.endings.contains { fileName.hasSuffix(".\($0)") }
    }
    guard let form else { return nil }
    self = form
  }
}

/// Writes a run for another program, event by event; the same events give the same bytes.
package protocol RunExport {
  /// Begins to write a log that was analyzed.
  ///
  /// `words` belong to that analysis, and `vocabulary` to the events that are drawn. Only what lies in
  /// `window` is written.
  init(
    _ analysis: Analysis, _ words: Vocabulary, _ head: ExportHead, _ vocabulary: Vocabulary,
    in window: ClosedRange<Instant>?)

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
