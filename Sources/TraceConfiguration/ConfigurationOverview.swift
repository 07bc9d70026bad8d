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
    typealias Sourced = Configuration.Sourced
    func rows<Value>(
      _ key: String, _ values: [Sourced<Value>], usual: String?, _ word: (Value) -> String
    ) -> [(what: String, origin: String)] {
      let words = values.map { ("\(key): \(word($0.value))", $0.place.description) }
      return words.isEmpty ? usual.map { [("\(key): \($0)", "default")] } ?? [] : words
    }
    func one<Value>(_ value: Sourced<Value>?) -> [Sourced<Value>] { value.map { [$0] } ?? [] }

    var all = rows("fail-on", one(configuration.failOn), usual: "warning") { $0 }
    all += rows("strict", one(configuration.strict), usual: "false") { "\($0)" }
    all += rows("requires-hooks", configuration.requiredHooks, usual: "none", \.rawValue)
    all += rows("baseline", one(configuration.baseline), usual: "none") { $0 }
    for answer in configuration.profile {
      all += rows("profile.\(answer.value.key)", [answer], usual: nil, \.value)
    }
    all += rows("output.format", configuration.formats, usual: "text") { $0 }
    all += rows("output.color", one(configuration.color), usual: "auto") { $0 }
    all += ruleRows + suppressionRows
    let width = all.map(\.what.count).max() ?? 0
    let files = configuration.files.isEmpty ? ["none"] : configuration.files
    return "files: \(files.map(InertText.word).joined(separator: ", "))\n"
      + all.map { row in
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
