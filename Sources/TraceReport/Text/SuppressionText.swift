import LifecycleModel
import TraceAnalysis

/// What the suppressions of the configuration were good for, as a person reads it.
struct SuppressionText {
  private let uses: [SuppressionUse]

  init(_ uses: [SuppressionUse]) { self.uses = uses }

  /// A line for each that is not needed, or not in force, any more; and how many are.
  var lines: [String] {
    let used = uses.filter { $0.state == .used }
    var lines: [String] = []
    if !used.isEmpty {
      let count = used.reduce(0) { $0 + $1.count }
      lines.append(CountText.of(count, "finding") + " accepted by the configuration")
    }

    for use in uses {
      switch use.state {
      case .used: break
      case .unused: lines.append("unused suppression of \(use.rule) at \(use.place)")
      case .expired:
        lines.append(
          "expired suppression of \(use.rule) at \(use.place): ended on \(use.expires ?? "")"
            + (use.count > 0 ? ", \(use.count) found" : ", no findings"))
      }
    }
    return lines
  }
}
