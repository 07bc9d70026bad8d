import LifecycleModel
import LifecycleRules
import TraceAnalysis
import TraceText

extension Difference {
  /// `turn active→background: work timer app "autosave": in 0 of 11 → in 11 of 11; p 3e-06`.
  var text: String {
    let what = [kind, event].compactMap(\.self).joined(separator: ": ")
    return "\(what): \(values); p \(ProbabilityText.of(adjusted))"
  }

  /// The event that it is about, as the notation has it; `nil` of a kind of episode.
  var event: String? { token.map { InertText.line($0.text) } }

  /// What A has and what B has, in words.
  private var values: String {
    if let first = a.median, let second = b.median {
      return "\(TimeText.span(first)) → \(TimeText.span(second)) "
        + "(medians of \(a.count ?? 0) and \(b.count ?? 0))" + limit(second)
    }
    if let first = a.mean, let second = b.mean {
      return "\(Difference.mean(first)) → \(Difference.mean(second)) times an episode"
    }

    let shares = "in \(a.having ?? 0) of \(a.of ?? 0) → in \(b.having ?? 0) of \(b.of ?? 0)"
    if let order { return "before \(order.then.text) \(shares), \(order.rule)" }
    return token == nil ? "\(shares) episodes" : shares
  }

  private func limit(_ time: Nanoseconds) -> String {
    guard let allowed, allowed > 0 else { return "" }
    return ", \(Int((Double(time) / Double(allowed) * 100).rounded())) % of its "
      + TimeText.span(allowed)
  }

  /// A mean in few digits: `0.25`, `3`, `12.5`.
  private static func mean(_ mean: Double) -> String {
    let text = "\((mean * 100).rounded() / 100)"
    return text.hasSuffix(".0") ? String(text.dropLast(2)) : text
  }

  /// The same with the time that the system allows for its span under a profile; without one where none is known.
  func limited(under profile: Profile) -> Difference {
    guard shift != nil, let token, let verb = Verb(word: token.verb),
      verb == .call || verb == .taskExpire
    else { return self }
    let opener = Event(
      instant: .origin, writer: .main, verb: verb,
      name: WellKnownWords.symbol(token.name) ?? .none)
    var limited = self
    limited.allowed = Allowances.limit(ofSpanOpenedBy: opener, profile)
    return limited
  }
}

extension Difference: Encodable {
  /// Writes it as the article `Formats` describes; what does not apply is left out.
  package func encode(to encoder: any Encoder) throws {
    try encoder.write([
      "change": change.rawValue, "episode": kind, "verb": token?.verb.unlessEmpty,
      "name": token?.name.unlessEmpty, "subject": token?.subject.unlessEmpty,
      "label": token?.label.unlessEmpty, "then": order?.then.text, "rule": order?.rule,
      "text": text, "a": a, "b": b, "shift": shift, "allowed": allowed, "rawP": p,
      "adjustedP": adjusted, "certain": isCertain,
    ])
  }
}

/// Probabilities as a person reads them.
enum ProbabilityText {
  /// In one digit: `0.3`, `0.04`, `3e-06`; what is less than 1e-15 is not distinguished.
  static func of(_ p: Double) -> String {
    if p >= 0.95 { return "1" }
    if p < 1e-15 { return "< 1e-15" }

    var (rest, exponent) = (p, 0)
    while rest < 0.95 {
      rest *= 10
      exponent += 1
    }
    let digit = Int(rest.rounded())
    if exponent <= 3 {
      return "0." + String(repeating: "0", count: exponent - 1) + "\(digit)"
    }
    return "\(digit)e-" + (exponent < 10 ? "0" : "") + "\(exponent)"
  }
}
