import LifecycleModel
import LifecycleRules
import TraceAnalysis
import TraceText

extension RunComparison.Row {
  /// A difference in words; the limits are those that hold under the profile.
  init(_ difference: Difference, _ profile: Profile) {
    let token = difference.token
    change = difference.change.rawValue
    episode = difference.kind
    verb = token?.verb
    name = token.flatMap { $0.name.isEmpty ? nil : $0.name }
    subject = token.flatMap { $0.subject.isEmpty ? nil : $0.subject }
    label = token.flatMap { $0.label.isEmpty ? nil : $0.label }
    (a, b, shift) = (difference.a, difference.b, difference.shift)
    (then, rule) = (difference.order?.then.text, difference.order?.rule)
    (rawP, adjustedP, certain) = (difference.p, difference.adjusted, difference.isCertain)

    text = ""
    allowed = shift == nil ? nil : token?.allowed(under: profile)
    text = words
  }

  /// `turn active→background: work timer app "autosave": in 0 of 11 → in 11 of 11; p 3e-06`.
  private var words: String {
    let what = [episode, event].compactMap(\.self).joined(separator: ": ")
    return "\(what): \(values); p \(ProbabilityText.of(adjustedP))"
  }

  /// The event that it is about, as the notation has it; `nil` of a kind of episode.
  var event: String? {
    guard let verb else { return nil }
    let label = label.map { "\"\($0)\"" }
    return InertText.line([verb, name, subject, label].compactMap(\.self).joined(separator: " "))
  }

  /// What A has and what B has, in words.
  var values: String {
    if let first = a.median, let second = b.median {
      return "\(TimeText.span(first)) → \(TimeText.span(second)) "
        + "(medians of \(a.count ?? 0) and \(b.count ?? 0))" + limit(second)
    }
    if let first = a.mean, let second = b.mean {
      return "\(RunComparison.mean(first)) → \(RunComparison.mean(second)) times an episode"
    }

    let shares = "in \(a.having ?? 0) of \(a.of ?? 0) → in \(b.having ?? 0) of \(b.of ?? 0)"
    if let then, let rule { return "before \(then) \(shares), \(rule)" }
    return verb == nil ? "\(shares) episodes" : shares
  }

  private func limit(_ time: Nanoseconds) -> String {
    guard let allowed, allowed > 0 else { return "" }
    return ", \(Int((Double(time) / Double(allowed) * 100).rounded())) % of its "
      + TimeText.span(allowed)
  }
}

extension RunComparison {
  /// A mean in few digits: `0.25`, `3`, `12.5`.
  fileprivate static func mean(_ mean: Double) -> String {
    let hundredths = Int((mean * 100).rounded())
    let (whole, rest) = hundredths.quotientAndRemainder(dividingBy: 100)
    if rest == 0 { return "\(whole)" }
    return "\(whole)." + (rest % 10 == 0 ? "\(rest / 10)" : rest < 10 ? "0\(rest)" : "\(rest)")
  }
}

extension EventToken {
  /// The time that the system allows for what it opens; `nil` where no number is known, or it counts in
  /// certain states only.
  fileprivate func allowed(under profile: Profile) -> Nanoseconds? {
    guard let verb = Verb(word: verb), verb == .call || verb == .taskExpire else { return nil }
    let opener = Event(
      instant: .origin, writer: .main, verb: verb, name: WellKnownWords.symbol(name) ?? .none)
    return Allowances.limit(ofSpanOpenedBy: opener, profile)
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
