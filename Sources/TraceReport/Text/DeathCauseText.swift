import LifecycleRules
import TraceAnalysis

/// A code, a signal or another cause of death in full, as `tracectl explain` prints it.
public struct DeathCauseText {
  private let cause: DeathCause

  /// Makes the explanation of a row of the table of causes.
  public init(_ cause: DeathCause) { self.cause = cause }

  /// What it means, whose fault it is, what a trace shows before it, what to look for, who says so.
  public func text(style: TextStyle = .plain) -> String {
    let counted = cause.exitReason.map { "MetricKit counts it under \($0.rawValue)." }
    let facts: [(heading: String, text: String?)] = [
      ("class", cause.consequence + "."), ("counted", counted),
      ("before", cause.trace ?? "Nothing that a trace records."), ("look for", cause.advice),
    ]
    let sources = cause.sources.map { ("source", $0.text as String?) }

    let first = "\(style.bold(cause.word)) (\(kind)): \(cause.meaning)\n\n"
    let lines = (facts + sources).compactMap { heading, text in
      text.map { Wrap.entry(heading, $0, indent: "") + "\n" }
    }
    return first + lines.joined()
  }

  /// What names it, and the number under which crash reports have it.
  private var kind: String {
    let number = cause.number.map { " \($0)" } ?? ""
    switch cause.kind {
    case .code: return "termination code,\(number) in decimal"
    case .jetsam: return "jetsam reason\(number)"
    case .signal: return "signal\(number)"
    case .namespace: return "namespace\(number)"
    case .word, .manner: return "reason"
    }
  }
}
