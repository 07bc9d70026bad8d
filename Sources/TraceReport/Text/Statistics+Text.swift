import LifecycleModel
import TraceAnalysis
import TraceText

/// Statistics as a person reads them: a line for each thing, numbers first.
extension Statistics {
  private static let headings = ["count", "p50", "p95", "p99", "max", "used", "budget", "what"]

  /// The lines of a report.
  var tableLines: [String] {
    let rows = rows
    if rows.isEmpty { return ["no event in the log has both a begin and an end"] }
    let measured = rows.filter { $0.durations.count > 0 }
    var lines: [String] = []
    if !measured.isEmpty {
      lines = aligned([Self.headings] + measured.map(cells))
      lines.append("used: the largest share of a known limit; budget: the tightest that all keep")
    }
    return lines + omissions(rows)
  }

  private func cells(_ row: Row) -> [String] {
    let durations = row.durations
    let times = [
      durations.percentile(50), durations.percentile(95), durations.percentile(99),
      durations.longest,
    ]
    let most = row.allowances.max { ($0.permille, $1.allowed) < ($1.permille, $0.allowed) }
    let used = most.map { "\(percent($0.permille)) of \(TimeText.span($0.allowed))" }
    return [String(durations.count)] + times.map(TimeText.span)
      + [used ?? "–", durations.budget().map(InstantText.print) ?? "–", name(row.key)]
  }

  /// Thousandths as per cent.
  private func percent(_ permille: Int64) -> String {
    permille % 10 == 0 ? "\(permille / 10)%" : "\(permille / 10).\(permille % 10)%"
  }

  /// `work save "notes.db"`.
  private func name(_ key: Key) -> String {
    if key.isOthers { return "\(key.kind.rawValue): others" }
    var words = [key.kind.rawValue]
    if !key.name.isEmpty { words.append(InertText.word(key.name)) }
    if !key.label.isEmpty { words.append(JSONText.quoted(key.label)) }
    return words.joined(separator: " ")
  }

  /// The columns of numbers to the right, the last one to the left.
  private func aligned(_ table: [[String]]) -> [String] {
    let last = Self.headings.count - 1
    let widths = (0..<last).map { column in table.map { $0[column].count }.max() ?? 0 }
    return table.map { row in
      let numbers = zip(row, widths).map { pad(left: $1, $0) }
      return (numbers + [row[last]]).joined(separator: "  ")
    }
  }

  /// What was not counted, a line for each thing, as far as one can read it.
  private func omissions(_ rows: [Row]) -> [String] {
    let incomplete = rows.filter { !$0.omissions.isEmpty }
    if incomplete.isEmpty { return [] }
    var lines = ["not counted:"]
    for row in incomplete.prefix(20) {
      let reasons = Omission.allCases.compactMap { reason in
        row.omissions[reason].map { "\($0) \(reason.reason)" }
      }
      lines.append("  \(name(row.key)): \(reasons.joined(separator: ", "))")
    }

    let rest = incomplete.dropFirst(20)
    if !rest.isEmpty {
      let count = rest.reduce(UInt64(0)) { $0 &+ $1.omitted }
      lines.append("  and \(count) from \(CountText.of(rest.count, "other"))")
    }
    return lines
  }
}
