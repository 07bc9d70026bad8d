import LifecycleRules
import TraceAnalysis

/// A code, a signal or another cause of death in full, as `tracectl explain` prints it.
public struct DeathCauseText {
  private let cause: DeathCause

  /// Makes the explanation of a row of the table of causes.
  public init(_ cause: DeathCause) { self.cause = cause }

  /// What it means, whose fault it is, what a trace shows before it, what to look for, who says so.
  public func text(style: TextStyle = .plain) -> String {
    var lines = ["\(style.bold(cause.word)) (\(kind)): \(cause.meaning)", ""]
    lines.append(Wrap.entry("class", cause.consequence + ".", indent: ""))
    if let reason = cause.exitReason {
      lines.append(
        Wrap.entry("counted", "MetricKit counts it under \(reason.rawValue).", indent: ""))
    }

    let trace = cause.trace ?? "Nothing that a trace records."
    lines.append(Wrap.entry("before", trace, indent: ""))
    lines.append(Wrap.entry("look for", cause.advice, indent: ""))
    for source in cause.sources {
      lines.append(Wrap.entry("source", "\(source.title) [\(source.key)]", indent: ""))
    }
    return lines.joined(separator: "\n") + "\n"
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
