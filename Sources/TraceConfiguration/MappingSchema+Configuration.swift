import LifecycleModel
import TraceAnalysis

extension MappingSchema {
  private static let severities = Severity.allCases.map(\.rawValue)
  static let settings = ["off", "on"] + severities

  static let setting = MappingSchema(
    "setting", "a rule setting", required: ["severity"],
    [
      Key("severity", .word(settings), "off, on, or the severity of each finding"),
      Key("reason", .text, "why"),
    ])

  static let budget = MappingSchema(
    "budget", "a budget",
    [
      Key("callback", .oneOrMore(.word(Callback.allCases.map(\.rawValue))), "calls of these"),
      Key("work", .oneOrMore(.word(WorkCategory.allCases.map(\.rawValue))), "work of these kinds"),
      Key("label", .oneOrMore(.text), "work, handlers and locks with these labels"),
      Key(
        "role", .oneOrMore(.word(SceneRole.allCases.map(\.rawValue))), "scenes with these roles"),
      Key("info", .time, "the time at which a finding is a note"),
      Key("warning", .time, "the time at which a finding is a warning"),
      Key("error", .time, "the time at which a finding is an error"),
      Key("clock", .word(TimeLimit.Clock.allCases.map(\.rawValue)), "the clock; default: awake"),
      Key("id", .text, "the rule's id; default: derived from the budget"),
    ])

  static let suppression = MappingSchema(
    "suppression", "a suppression", required: ["rule", "reason"],
    [
      Key("rule", .text, "the rule, by id or number"),
      Key("subject", .text, "only findings about app, scene:2, or scene (any scene)"),
      Key("label", .text, "only findings whose event has this label"),
      Key("fingerprint", .text, "only findings with this fingerprint"),
      Key("reason", .text, "why the findings are accepted"),
      Key("expires", .date, "the last valid day, such as 2027-01-31"),
    ])

  static let answers = MappingSchema(
    "answers", "the mapping of \"profile\"",
    [
      Key("mode", .word(Profile.Mode.allCases.map(\.rawValue)), "same as --mode"),
      Key("os", .text, "same as --os"),
      Key(
        "background-modes", .oneOrMore(.word(["none"] + Profile.knownBackgroundModes)),
        "same as --background-modes, or none"),
    ])

  static let output = MappingSchema(
    "output", "the mapping of \"output\"",
    [
      Key("format", .oneOrMore(.text), "same as --format"),
      Key("color", .word(["auto", "always", "never"]), "same as --color"),
    ])

  /// The whole file.
  static func configuration(rules: [String]) -> MappingSchema {
    MappingSchema(
      "configuration", "a configuration",
      [
        Key(
          "rules", .table(rules, .either([.word(settings), .shape(setting)])),
          "rule settings"),
        Key("budgets", .list(.shape(budget)), "time limits that must not be exceeded"),
        Key("suppressions", .list(.shape(suppression)), "accepted findings"),
        Key("fail-on", .word(severities + ["never"]), "same as --fail-on"),
        Key("strict", .flag, "same as --strict"),
        Key(
          "requires-hooks", .oneOrMore(.word(Hook.allCases.map(\.rawValue))),
          "hooks that every log must record; a log that lacks one is inconclusive"),
        Key("baseline", .text, "same as --baseline; the path is relative to this file"),
        Key("profile", .shape(answers), "facts about the app, for logs that do not state them"),
        Key("output", .shape(output), "report settings"),
        Key("patterns", .list(.shape(rule)), "your own rules"),
        Key(
          "rule-files", .oneOrMore(.text),
          "rule files, relative to this file; default: rules/*.yml and rules/*.yaml"),
      ])
  }

  /// A file of rules.
  static let ruleFile = MappingSchema(
    "ruleFile", "a rule file", [Key("patterns", .list(.shape(rule)), "your own rules")])
}
