import LifecycleModel
import TraceAnalysis

extension Shape {
  private static let severities = Severity.allCases.map(\.rawValue)
  static let settings = ["off", "on"] + severities

  static let setting = Shape(
    "setting", "what a rule is set to", required: ["severity"],
    [
      Key("severity", .word(settings), "off, on, or what each finding matters"),
      Key("reason", .text, "why"),
    ])

  static let budget = Shape(
    "budget", "a budget",
    [
      Key("callback", .oneOrMore(.word(Callback.allCases.map(\.rawValue))), "calls of these"),
      Key("work", .oneOrMore(.word(WorkCategory.allCases.map(\.rawValue))), "work of these kinds"),
      Key("label", .oneOrMore(.text), "work, handlers and locks with these labels"),
      Key(
        "role", .oneOrMore(.word(SceneRole.allCases.map(\.rawValue))), "in scenes of these roles"),
      Key("info", .time, "from here on a note"),
      Key("warning", .time, "from here on a warning"),
      Key("error", .time, "from here on an error"),
      Key("clock", .word(TimeLimit.Clock.allCases.map(\.rawValue)), "the clock; else awake"),
      Key("id", .text, "the rule's id; else made of what it is about"),
    ])

  static let suppression = Shape(
    "suppression", "a suppression", required: ["rule", "reason"],
    [
      Key("rule", .text, "the rule, by its id or its number"),
      Key("subject", .text, "only findings about this: app, scene:2, or any scene"),
      Key("label", .text, "only findings whose event has this label"),
      Key("fingerprint", .text, "only findings with this fingerprint"),
      Key("reason", .text, "why they are accepted"),
      Key("expires", .date, "the last day on which they are, as 2027-01-31"),
    ])

  static let output = Shape(
    "output", "how reports are written",
    [
      Key("format", .oneOrMore(.text), "as --format"),
      Key("color", .word(["auto", "always", "never"]), "as --color"),
    ])

  /// The whole file.
  static func configuration(rules: [String]) -> Shape {
    Shape(
      "configuration", "a configuration",
      [
        Key(
          "rules", .table(rules, .either([.word(settings), .shape(setting)])),
          "what rules are set to"),
        Key("budgets", .list(.shape(budget)), "times that are not to be exceeded"),
        Key("suppressions", .list(.shape(suppression)), "findings that are accepted"),
        Key("fail-on", .word(severities + ["never"]), "as --fail-on"),
        Key("strict", .flag, "as --strict"),
        Key(
          "requires-hooks", .oneOrMore(.word(Hook.allCases.map(\.rawValue))),
          "the hooks that a log has to record; without one it is inconclusive"),
        Key("baseline", .text, "as --baseline, from here"),
        Key("output", .shape(output), "how reports are written"),
        Key("patterns", .list(.shape(rule)), "rules of one's own"),
        Key(
          "rule-files", .oneOrMore(.text),
          "files with patterns, from here; else rules/*.yml"),
      ])
  }

  /// A file of rules.
  static let ruleFile = Shape(
    "ruleFile", "a file of rules", [Key("patterns", .list(.shape(rule)), "rules of one's own")])
}
