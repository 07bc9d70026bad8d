/// The forms in which other programs take a run or its tables.
package enum ExportForm: String, CaseIterable, Sendable {
  case perfetto, csv, ndjson

  /// How names of such files end, the usual ending first.
  package var endings: [String] {
    switch self {
    case .perfetto: ["pftrace", "perfetto-trace"]
    case .csv: ["csv"]
    case .ndjson: ["ndjson", "jsonl"]
    }
  }

  /// The form of tables; `nil` for a run.
  package var tables: TableForm? {
    switch self {
    case .perfetto: nil
    case .csv: .csv
    case .ndjson: .ndjson
    }
  }

  /// The form that the name of a file ends with; `nil` when it ends with none.
  package init?(fileName: String) {
    let form = ExportForm.allCases.first { form in
      form.endings.contains { fileName.hasSuffix(".\($0)") }
    }
    guard let form else { return nil }
    self = form
  }
}
