import LifecycleModel
import TraceAnalysis
import YAMLReading

/// The keys of a configuration.
///
/// A key is one row: its name, the kind of its value, and its meaning. The reader, the JSON schema and
/// the documents take it from there.
struct ConfigurationKeys: Mapping {
  static let shape: Shape = ("configuration", "a configuration")

  let rules = Key(.settings, mayBeEmpty: true, "rule settings")
  let budgets = Key(
    .list("a list of budgets", .mapping(BudgetKeys.self)), mayBeEmpty: true,
    "time limits that must not be exceeded")
  let suppressions = Key(
    .list("a list of suppressions", .mapping(SuppressionKeys.self)), mayBeEmpty: true,
    "accepted findings")
  let failOn = Key(
    Kind.word("a severity, or never", Severity.allCases.map(\.rawValue) + ["never"]).sourced,
    "same as --fail-on")
  let strict = Key(Kind.flag.sourced, "same as --strict")
  let requiresHooks = Key(
    .oneOrMore(Kind.hook.sourced),
    "hooks that every log must record; a log that lacks one is inconclusive")
  let baseline = Key(
    Kind.text("a path").sourced, "same as --baseline; the path is relative to this file")
  let profile = Key(
    .mapping(AnswerKeys.self), mayBeEmpty: true,
    "facts about the app, for logs that do not state them")
  let output = Key(.mapping(OutputKeys.self), mayBeEmpty: true, "report settings")
  let patterns = Key(
    .list("a list of rules", .mapping(RuleKeys.self)), mayBeEmpty: true, "your own rules")
  let ruleFiles = Key(
    Kind<YAMLValue>(JSONSchema.oneOrMore(JSONSchema.text)) { $0 }.map(\.items),
    "rule files, relative to this file; default: rules/*.yml and rules/*.yaml")

  func model(_: YAMLValue) -> ConfigurationKeys? { self }
}

/// The keys of a file of rules.
struct RuleFileKeys: Mapping {
  static let shape: Shape = ("ruleFile", "a rule file")

  let patterns = Key(
    .list("a list of rules", .mapping(RuleKeys.self)), mayBeEmpty: true, "your own rules")

  func model(_: YAMLValue) -> [OwnRule]? { patterns.value }
}

/// The keys of the setting of a rule.
struct SettingKeys: Mapping {
  static let shape: Shape = ("setting", "a rule setting")

  let severity = Key(.setting, isRequired: true, "off, on, or the severity of each finding")
  let reason = Key(.prose("a reason"), "why")

  func model(_: YAMLValue) -> Configuration.RuleSetting? {
    guard var setting = severity.value else { return nil }
    setting.reason = reason.value
    return setting
  }
}

/// The keys of a suppression.
struct SuppressionKeys: Mapping {
  static let shape: Shape = ("suppression", "a suppression")

  let rule = Key(
    Kind<YAMLValue>(JSONSchema.text) { $0 }, isRequired: true, "the rule, by id or number")
  let subject = Key(
    .text("a subject").checked("app, scene, session, task, or a numbered subject such as scene:2") {
      $0.wholeMatch(of: /app|nil|none|(scene|session|task)(:\d+)?/) != nil
    }, "only findings about app, scene:2, or scene (any scene)")
  let label = Key(.text("a label"), "only findings whose event has this label")
  let fingerprint = Key(
    .text("a fingerprint").checked("a fingerprint as printed in reports") {
      $0.wholeMatch(of: /[0-9a-f]{8,64}/) != nil
    }, "only findings with this fingerprint")
  let reason = Key(.prose("a reason"), isRequired: true, "why the findings are accepted")
  let expires = Key(.day, "the last valid day, such as 2027-01-31")

  /// The rule as it was written, and the suppression without it.
  func model(_ owner: YAMLValue) -> (rule: YAMLValue, suppression: Suppression?)? {
    let suppression = reason.value.map { reason in
      Suppression(
        rule: "", subject: subject.value, label: label.value, fingerprint: fingerprint.value,
        reason: reason, expires: expires.value, place: owner.place)
    }
    return rule.value.map { ($0, suppression) }
  }
}

/// The keys of what holds where a log does not state it.
struct AnswerKeys: Mapping {
  static let shape: Shape = ("answers", "the mapping of \"profile\"")

  let mode = Key(Kind.mode.map { Attribute(.mode, $0.rawValue) }.sourced, "same as --profile mode")
  let os = Key(
    Kind.text("a version").map { Attribute(.os, $0) }.checked("a version such as 18.2") {
      Profile([$0]).osMajor != nil
    }.sourced, "same as --profile os")
  let backgroundModes = Key(
    Kind<[String]>.oneOrMore(
      .word("a background mode, or none", ["none"] + Profile.knownBackgroundModes)
    ).map { Attribute(.backgroundModes, $0.joined(separator: ",")) }.sourced,
    "same as --profile background-modes, or none")

  func model(_: YAMLValue) -> [Configuration.Sourced<Attribute>]? {
    [mode, os, backgroundModes].compactMap(\.value)
  }
}

/// The keys of how reports are written.
struct OutputKeys: Mapping {
  static let shape: Shape = ("output", "the mapping of \"output\"")

  let format = Key(.oneOrMore(Kind.text("a format").sourced), "same as --format")
  let color = Key(
    Kind.word("a setting of colors", ["auto", "always", "never"]).sourced, "same as --color")

  func model(_: YAMLValue) -> OutputKeys? { self }
}

extension Kind<Configuration.RuleSetting> {
  /// A setting as a word.
  fileprivate static var setting: Kind {
    Kind<String>.word("a setting", ["off", "on"] + Severity.allCases.map(\.rawValue)).sourced.map {
      Configuration.RuleSetting(
        isOn: $0.value != "off", severity: Severity(rawValue: $0.value), place: $0.place)
    }
  }
}

extension Kind<[(rule: YAMLValue, setting: Configuration.RuleSetting?)]> {
  /// Settings, by the names of rules.
  fileprivate static var settings: Kind {
    let setting = Kind<Configuration.RuleSetting>.mapping(SettingKeys.self, or: .setting)
    return Kind(
      read: { value in
        value.mapping("a mapping from rules to settings")?.map { name, value in
          var read = setting.read(value)
          read?.place = name.place
          return (name, read)
        }
      },
      schema: { shapes in
        let name =
          "{\"anyOf\": [\(JSONSchema.word(shapes.rules)), "
          + "{\"pattern\": \"^([a-z0-9]+(-[a-z0-9]+)*|R[0-9]+)$\"}]}"
        return "{\"type\": [\"object\", \"null\"], \"propertyNames\": \(name), "
          + "\"additionalProperties\": \(setting.schema(&shapes))}"
      })
  }
}
