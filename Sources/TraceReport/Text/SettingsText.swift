import LifecycleModel
import TraceAnalysis
import TraceText

/// What the configuration hides from a report, as a person reads it.
struct SettingsText {
  /// So many rules are named.
  private static let named = 5

  private let uses: [SuppressionUse]
  private let rulesOff: [String]

  init(_ results: AnalysisResults) {
    (uses, rulesOff) = (results.suppressions ?? [], results.rulesOff ?? [])
  }

  /// The rules that are off; how many findings are accepted; and a line for each suppression that is not
  /// needed, or not in force, any more.
  var lines: [String] { rulesOffLines + suppressionLines }

  private var rulesOffLines: [String] {
    if rulesOff.isEmpty { return [] }
    let names = rulesOff.prefix(SettingsText.named).joined(separator: ", ")
    let rest = rulesOff.count - SettingsText.named
    return [
      CountText.of(rulesOff.count, "rule") + " turned off by the configuration: \(names)"
        + (rest > 0 ? " and \(rest) more" : "")
    ]
  }

  private var suppressionLines: [String] {
    let used = uses.filter { $0.state == .used }
    var lines: [String] = []
    if !used.isEmpty {
      let count = used.reduce(0) { $0 + $1.count }
      lines.append(CountText.of(count, "finding") + " accepted by the configuration")
    }

    for use in uses {
      let place = InertText.line("\(use.place)")
      switch use.state {
      case .used: break
      case .unused: lines.append("unused suppression of \(use.rule) at \(place)")
      case .expired:
        lines.append(
          "expired suppression of \(use.rule) at \(place): ended on \(use.expires ?? "")"
            + (use.count > 0 ? ", \(use.count) found" : ", no findings"))
      }
    }
    return lines
  }
}
