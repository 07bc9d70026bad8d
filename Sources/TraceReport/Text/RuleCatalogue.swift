import LifecycleModel
import LifecycleRules
import TraceAnalysis
import TraceText

/// The rules as documentation: a list, one in full, or the whole catalogue as Markdown.
public struct RuleCatalogue {
  private let rules: [RuleDescription]

  /// Makes a catalogue of `rules`, in their order.
  public init(_ rules: [RuleDescription] = RuleRegistry.all.map { $0.description }) {
    self.rules = rules
  }

  /// A line a rule: number, severity, id, summary.
  public func list(style: TextStyle = .plain) -> String {
    let width = rules.map(\.id.count).max() ?? 0
    return rules.map { rule in
      let severity = rule.severity.rawValue
      return pad(RuleCatalogue.number(rule), 5)
        + style.severity(rule.severity, severity) + pad("", 8 - severity.count)
        + style.bold(rule.id) + pad("", width + 2 - rule.id.count) + rule.summary + "\n"
    }.joined()
  }

  /// The ids of the rules, a line each.
  public var ids: String { rules.map { $0.id + "\n" }.joined() }

  /// The rules as a JSON array.
  public var json: String {
    let rules = rules.map { rule -> JSONTree in
      [
        "id": .text(rule.id), "number": .number(rule.number),
        "severity": .text(rule.severity.rawValue), "topic": .text(rule.topic.rawValue),
        "summary": .text(rule.summary), "why": .text(rule.why), "remedy": .text(rule.remedy),
        "limits": .text(rule.limits), "contradiction": .text(rule.contradiction),
        "sources": .texts(rule.sources.map { "\($0.key): \($0.title)" }),
        "links": .texts(rule.sources.compactMap(\.url)),
      ]
    }
    return JSONTree.object([("rules", .array(rules))]).document
  }

  /// All that a rule states, with its examples: drawn, or in notation to be copied.
  public func explanation(
    of rule: RuleDescription, style: TextStyle = .plain, inNotation: Bool = false
  ) -> String {
    let severity = style.severity(rule.severity, rule.severity.rawValue)
    var lines = [
      "\(style.bold(rule.id)) (\(RuleCatalogue.number(rule)), \(severity)): \(rule.summary)", "",
    ]
    lines += RuleCatalogue.facts(rule).map { Wrap.entry($0.heading, $0.text, indent: "") }
    lines.append(Wrap.entry("needs", RuleCatalogue.needs(rule), indent: ""))
    for source in rule.sources {
      lines.append(Wrap.entry("source", source.text, indent: ""))
      // An address stays in one piece, so that it can be followed.
      if let url = source.url { lines.append(pad("", 9) + url) }
    }

    for example in rule.examples {
      lines.append("")
      lines.append(style.bold("\(example.answer): \(example.title)"))
      lines += (inNotation ? RuleCatalogue.lines(example) : drawing(example, of: rule, style))
        .map { "  \($0)" }
    }
    return lines.joined(separator: "\n") + "\n"
  }

  /// What a rule states of itself, in sentences.
  private static func facts(_ rule: RuleDescription) -> [(heading: String, text: String)] {
    let second = rule.secondEnd.map { "\($0.why) \($0.remedy)" }
    let facts: [(String, String?)] = [
      ("why", rule.why), ("but", rule.contradiction), ("remedy", rule.remedy), ("twice", second),
      ("limits", rule.limits),
    ]
    return facts.compactMap { heading, text in text.map { (heading, $0) } }
  }

  private static func lines(_ example: RuleExample) -> [String] {
    example.notation.split(separator: "\n").map(String.init)
  }

  private func drawing(
    _ example: RuleExample, of rule: RuleDescription, _ style: TextStyle
  ) -> [String] {
    guard let (trace, marked) = try? example.parse() else { return RuleCatalogue.lines(example) }
    let active =
      RuleRegistry.all.first { $0.description.id == rule.id } ?? ActiveRule(patternsOf: rule)
    var analyzer = Analyzer(trace.vocabulary, rules: [active])
    analyzer.observe(trace.events)
    let missing = analyzer.finish().findings.flatMap(\.missing)
    return TraceDrawing(trace).lines(style, missing: missing) {
      marked.contains(RuleExample.unnumbered($0))
    }
  }

  /// A page of the catalogue in Markdown.
  public struct Page {
    /// The name of its file.
    public var name: String
    /// What stands in it.
    public var text: String
  }

  /// The catalogue in Markdown: `README.md`, which lists the rules, and a page a rule, `ID.md`.
  public var pages: [Page] {
    [Page(name: "README.md", text: index)]
      + rules.map { rule in
        Page(
          name: "\(rule.id).md",
          text: "# \(rule.id)\n\n" + RuleCatalogue.generated
            + "[All rules](README.md) · \(rule.topic.rawValue)\n\n" + markdown(of: rule)
            + RuleCatalogue([rule]).sources)
      }
  }

  /// The whole catalogue in Markdown, in one piece.
  public var markdown: String {
    "# Rules\n\n" + RuleCatalogue.preface + "\n" + table { "#\($0)" }
      + byTopic { rules in
        rules.map { "\n### \($0.id)\n\n" + markdown(of: $0) }.joined()
      } + sources
  }

  /// The rules under a heading for each topic.
  private func byTopic(_ text: ([RuleDescription]) -> String) -> String {
    RuleDescription.Topic.allCases.map { topic in
      let rules = rules.filter { $0.topic == topic }
      return rules.isEmpty ? "" : "\n## \(topic.rawValue)\n" + text(rules)
    }.joined()
  }

  private static let generated = "<!-- Generated by tools/regenerate. Do not edit. -->\n\n"

  private static let preface = """
    Every rule answers *violated*, *satisfied*, or why it cannot tell. `◀` marks the culprit of a
    finding.

    """

  /// The list of the rules, by topic.
  private var index: String {
    "# Rules\n\n" + RuleCatalogue.generated + RuleCatalogue.preface
      + byTopic { "\n" + RuleCatalogue($0).table { "\($0).md" } }
  }

  /// A line a rule, each with a link.
  private func table(_ link: (String) -> String) -> String {
    "| number | rule | severity | requirement |\n|---|---|---|---|\n"
      + rules.map { rule in
        "| \(RuleCatalogue.number(rule)) | [`\(rule.id)`](\(link(rule.id))) "
          + "| \(rule.severity.rawValue) | \(RuleCatalogue.prose(rule.summary, of: rule)) |\n"
      }.joined()
  }

  /// Where the documents stand that have an address, a line each.
  private var sources: String {
    var links: [String: String] = [:]
    for source in rules.flatMap(\.sources) {
      if let url = source.url { links[source.key] = "[\(source.key)] \(source.title): <\(url)>" }
    }
    let lines = links.sorted { $0.key < $1.key }.map { "- \($0.value)\n" }
    return lines.isEmpty ? "" : "\n## Sources\n\n" + lines.joined()
  }

  private func markdown(of rule: RuleDescription) -> String {
    func prose(_ text: String) -> String { RuleCatalogue.prose(text, of: rule) }
    var text =
      "\(RuleCatalogue.number(rule)) · \(rule.severity.rawValue) · \(prose(rule.summary))\n"
    func add(_ heading: String, _ body: String) {
      text += "\n" + Wrap.lines("**\(heading)** \(body)", indent: "", width: 100) + "\n"
    }
    for (heading, text) in RuleCatalogue.facts(rule) {
      add(heading.prefix(1).uppercased() + heading.dropFirst() + ".", prose(text))
    }
    add("Needs.", RuleCatalogue.needs(rule))
    if !rule.sources.isEmpty {
      add("Sources.", rule.sources.map(\.text).joined(separator: "; ") + ".")
    }

    for example in rule.examples {
      text +=
        "\n\(example.answer.prefix(1).uppercased() + example.answer.dropFirst()): \(prose(example.title))\n\n```\n"
      text += notation(example, of: rule) + "\n```\n"
    }
    return text
  }

  /// What a rule of a team says, whose words may mean something to Markdown; our own rules are written in it.
  private static func prose(_ text: String, of rule: RuleDescription) -> String {
    rule.topic == .own ? InertText.prose(text) : text
  }

  private func notation(_ example: RuleExample, of rule: RuleDescription) -> String {
    guard rule.topic == .own else { return example.notation }
    return example.notation.split(separator: "\n", omittingEmptySubsequences: false)
      .map { InertText.codeLine(String($0)) }.joined(separator: "\n")
  }

  static func number(_ rule: RuleDescription) -> String {
    rule.number.map { "R\($0)" } ?? "–"
  }

  private static func needs(_ rule: RuleDescription) -> String {
    let needs = rule.alternativeNeeds.map { words($0).joined(separator: "; ") }
    return needs == [""] ? "nothing." : needs.joined(separator: "; or ") + "."
  }

  /// What a rule needs in words, each with whether the log meets it.
  private static func words(_ need: Inquiry.Need) -> [String] {
    let state = need.missing.map { "not met, \($0)" } ?? "met"
    return words(need.need).map { "\(state): \($0)" }
  }

  /// The needs of a rule under their heading.
  static func entries(_ needs: [Inquiry.Need]) -> [String] {
    let words = needs.flatMap(words)
    return Wrap.entries("needs", words.isEmpty ? ["nothing"] : words)
  }

  /// Each of the needs in words.
  private static func words(_ needs: RuleNeeds) -> [String] {
    needs.profile.map(\.words)
      + needs.hooks.map { hooks in
        "the hook \(hooks.map { "`\($0.rawValue)`" }.joined(separator: " or "))"
      }
  }
}
