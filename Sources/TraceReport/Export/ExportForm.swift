/// The forms in which other programs take a run or its events.
package enum ExportForm: String, CaseIterable, Sendable {
  case perfetto, chrome, csv, ndjson, parquet

  /// How names of such files end, the usual ending first.
  package var endings: [String] {
    switch self {
    case .perfetto: ["pftrace", "perfetto-trace"]
    case .chrome: ["json"]
    case .csv: ["csv"]
    case .ndjson: ["ndjson", "jsonl"]
    case .parquet: ["parquet"]
    }
  }

  /// The form of a viewer of traces; `nil` for tables.
  package var viewer: ViewerForm? {
    switch self {
    case .perfetto: .perfetto
    case .chrome: .chrome
    case .csv, .ndjson, .parquet: nil
    }
  }

  /// The form that the name of a file tells; `nil` when it tells none.
  package init?(fileName: String) {
    let form = ExportForm.allCases.first { form in
      form.endings.contains { fileName.hasSuffix(".\($0)") }
    }
    guard let form else { return nil }
    self = form
  }
}

/// The forms that viewers of traces take: tracks with bars, states, instants and values.
package enum ViewerForm: Sendable {
  case perfetto, chrome

  /// Begins a trace.
  func writer(_ head: ExportHead) -> any TrackWriter {
    switch self {
    case .perfetto: PerfettoWriter(head)
    case .chrome: ChromeWriter(head)
    }
  }
}
