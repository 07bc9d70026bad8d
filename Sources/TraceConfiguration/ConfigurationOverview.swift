import LifecycleModel
import TraceAnalysis
import TraceText

/// What is in force, and where each value came from.
public struct ConfigurationOverview {
  private let configuration: Configuration
  private let today: CalendarDay

  /// Makes an overview of what holds on a day.
  public init(_ configuration: Configuration, today: CalendarDay) {
    (self.configuration, self.today) = (configuration, today)
  }

  /// A line a value, each with its origin.
  public var text: String {
    var rows: [(what: String, origin: String)] = []
    func add(_ key: String, _ said: Configuration.Sourced<String>?, usual: String) {
      rows.append(("\(key): \(said?.value ?? usual)", said?.place.description ?? "default"))
    }

    add("fail-on", configuration.failOn, usual: "warning")
    let strict = configuration.strict.map {
      Configuration.Sourced(value: "\($0.value)", place: $0.place)
    }
    add("strict", strict, usual: "false")
    if configuration.requiredHooks.isEmpty {
      add("requires-hooks", nil, usual: "none")
    }

    for hook in configuration.requiredHooks {
      rows.append(("requires-hooks: \(hook.value.rawValue)", hook.place.description))
    }
    add("baseline", configuration.baseline, usual: "none")

    for answer in configuration.profile {
      let what = "profile.\(answer.value.key): \(answer.value.value)"
      rows.append((what, answer.place.description))
    }

    if configuration.formats.isEmpty { add("output.format", nil, usual: "text") }
    for format in configuration.formats { add("output.format", format, usual: "text") }
    add("output.color", configuration.color, usual: "auto")
    rows += ruleRows + suppressionRows
    let width = rows.map(\.what.count).max() ?? 0
    let files = configuration.files.isEmpty ? ["none"] : configuration.files
    return "files: \(files.map(InertText.word).joined(separator: ", "))\n"
      + rows.map { row in
        InertText.line(row.what) + String(repeating: " ", count: width - row.what.count + 2)
          + InertText.line(row.origin) + "\n"
      }.joined()
  }

  private var ruleRows: [(what: String, origin: String)] {
    let own = Dictionary(
      configuration.ownRules.map { ($0.description.id, $0.place) }, uniquingKeysWith: { $1 })
    return configuration.knownRules.map { rule in
      let id = rule.description.id
      let setting = configuration.rules[id]
      let severity = rule.severity ?? rule.description.severity
      var what = "rules.\(id): \(setting?.isOn == false ? "off" : severity.rawValue)"
      if let reason = setting?.reason { what += " (\(reason))" }
      let origin = setting?.place ?? own[id]
      return (what, origin?.description ?? "default")
    }
  }

  private var suppressionRows: [(what: String, origin: String)] {
    configuration.suppressions.map { suppression in
      var what = "suppressed: \(suppression.rule)"
      if let subject = suppression.subject { what += " subject=\(InertText.word(subject))" }
      if let label = suppression.label { what += " label=\(JSONText.quoted(label))" }
      if let fingerprint = suppression.fingerprint { what += " fingerprint=\(fingerprint)" }
      if let day = suppression.expires {
        what += day < today ? ", expired on \(day)" : ", until \(day)"
      }
      return (what + ": \(InertText.word(suppression.reason))", suppression.place.description)
    }
  }
}
