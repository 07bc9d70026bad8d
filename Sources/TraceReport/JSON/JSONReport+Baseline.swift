import TraceAnalysis

/// The part of the report about a baseline.
extension JSONReport {
  func write(_ writer: inout JSONWriter, _ comparison: BaselineComparison) {
    writer.object("baseline") { writer in
      writer.number("new", comparison.new)
      writer.number("known", comparison.known)
      writer.array("fixed", comparison.fixed, write)
      writer.array("notJudged", comparison.notJudged, write)
    }
  }

  private func write(_ writer: inout JSONWriter, _ entry: Baseline.Entry) {
    writer.object { writer in
      writer.string("rule", entry.rule)
      writer.string("fingerprint", entry.fingerprint)
      writer.number("count", entry.count)
      writer.string("severity", entry.severity)
      writer.string("subject", entry.subject)
      writer.string("message", entry.message)
    }
  }
}
