import LifecycleModel
import TraceText

/// Puts the facts of a finding into the sentence of its pattern.
enum MessageTemplate {
  static func fill(_ finding: Finding, _ vocabulary: Vocabulary) -> String {
    let opener = finding.event(.opens)
    var values: [String: String] = ["subject": finding.subject.description]
    if let culprit = finding.culprit {
      values["name"] = InertText.word(vocabulary.name(of: culprit))
      values["label"] = culprit.label.isNone ? "" : JSONText.quoted(vocabulary.text(culprit.label))
      values["writer"] = InertText.word(vocabulary.name(of: culprit.writer))
    }

    if let opener {
      values["opener"] = InertText.word(vocabulary.name(of: opener))
      values["holder"] = opener.subject.description
      values["since"] = InstantText.rounded(opener.instant.nanoseconds)
      values["held"] = opener.label.isNone ? "" : JSONText.quoted(vocabulary.text(opener.label))
    }

    values["elapsed"] = finding.elapsed.map { InstantText.rounded($0) }
    values["allowed"] = finding.allowed.map { InstantText.rounded($0) }
    if let elapsed = finding.elapsed, elapsed != finding.allowed,
      values["elapsed"] == values["allowed"]
    {
      // Few digits must not make one of two.
      values["elapsed"] = InstantText.print(elapsed)
    }
    let isAtLimit =
      finding.elapsed != nil && finding.elapsed == finding.allowed
      && finding.witnesses.contains { $0.role == .missing }
    if isAtLimit || finding.isGoingOn {
      // It had not ended when it was reported: this is the least that it took.
      values["elapsed"] = values["elapsed"].map { "more than \($0)" }
    }
    return fill(finding.message, values) + milder(finding)
  }

  /// Names the limit that was passed where that is not the one that the sentence names.
  private static func milder(_ finding: Finding) -> String {
    finding.milderLimit.map {
      "; more than \(InstantText.rounded($0)) is \(finding.severity.article)"
    } ?? ""
  }

  /// Replaces each `{key}`; an empty value takes one blank before it away.
  private static func fill(_ template: String, _ values: [String: String]) -> String {
    var text = ""
    var rest = template[...]
    while let open = rest.firstIndex(of: "{"), let close = rest[open...].firstIndex(of: "}") {
      text += rest[..<open]
      let value = values[String(rest[rest.index(after: open)..<close])] ?? ""
      if value.isEmpty && text.last == " " { text.removeLast() }
      text += value
      rest = rest[rest.index(after: close)...]
    }
    return text + rest
  }
}
