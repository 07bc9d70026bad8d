import LifecycleModel
import TraceAnalysis

/// What a log lacks for the rules that cannot tell, in a user's words, and the answers that would let
/// most of them judge.
package struct Evidence: Hashable, Encodable, Sendable {
  /// Something that no event of the log shows.
  package struct Missing: Hashable, Encodable, Sendable {
    var what: String
    var rules: Int
  }

  /// An answer that the person who reads the report may know.
  package struct Answer: Hashable, Encodable, Sendable {
    var option: String
    package var example: String
    package var purpose: String
    package var rules: Int
  }

  /// The largest number of missing things that are named.
  private static let named = 3
  /// The largest number of answers that are asked for.
  private static let asked = 2

  /// How many rules are about the app.
  package var rules: Int
  /// How many of them cannot tell.
  var lacking: Int
  package var missing: [Missing]
  package var answers: [Answer]

  init(_ analysis: Analysis) {
    let ofApp = analysis.outcomes.filter { !$0.rule.isAboutRecording }
    let undecided = ofApp.filter {
      if case .cannotTell = $0.outcome { true } else { false }
    }
    rules = ofApp.count
    lacking = undecided.count
    missing = Evidence.missing(undecided, analysis.profile)
    answers = Evidence.answers(undecided, analysis.profile)
  }

  /// Whether more rules cannot tell than can.
  package var isPoor: Bool { lacking * 2 > rules }

  /// What is missing, in a sentence; `nil` when every rule could tell.
  package var line: String? {
    if lacking == 0 { return nil }
    var text = "\(lacking) of \(CountText.of(rules, "rule")) lack evidence"
    if !missing.isEmpty {
      let list = missing.prefix(Evidence.named).map {
        "no \($0.what) (\(CountText.of($0.rules, "rule")))"
      }
      let rest = lacking - missing.prefix(Evidence.named).reduce(0) { $0 + $1.rules }
      text += ": the log has " + list.joined(separator: ", ")
      if rest > 0 { text += ", and lacks other evidence (\(CountText.of(rest, "rule")))" }
    }
    return text
  }

  /// The same in short, of a log or a report: `the log lacks evidence for 75 of 85 rules, such as app delegate callbacks`.
  func brief(of what: String) -> String {
    let example = missing.first { $0.what.hasSuffix("callbacks") } ?? missing.first
    return "the \(what) lacks evidence for \(lacking) of \(CountText.of(rules, "rule"))"
      + (example.map { ", such as \($0.what)" } ?? "")
  }

  /// The answers that would help, in a sentence; `nil` when none would.
  package var answerLine: String? {
    guard let first = answers.first else { return nil }
    let rules = CountText.of(first.rules, "more rule")
    let others = answers.dropFirst().map { ", and \($0.option) \($0.rules) more" }.joined()
    return "if you know the answer, pass it: \(first.option) lets \(rules) decide\(others)"
  }

  // MARK: What is missing

  private static func missing(_ undecided: [RuleOutcome], _ profile: Profile) -> [Missing] {
    undecided.compactMap { what($0, profile) }.grouped(by: \.self)
      .map { Missing(what: $0.key, rules: $0.elements.count) }.sorted { $0.rules > $1.rules }
  }

  private static func what(_ outcome: RuleOutcome, _ profile: Profile) -> String? {
    let recorded = profile.hooks ?? []
    let lacking = outcome.rule.needs(under: profile).hooks.first { recorded.isDisjoint(with: $0) }
    return lacking.map { hooks in
      families.first { $0.hooks.isSubset(of: hooks) }?.words ?? "system events"
    }
  }

  /// What a family of events is to a person who writes apps; the first that has all of its hooks counts.
  private static let families: [(hooks: Set<Hook>, words: String)] = [
    ([.appDelegate, .sceneDelegate], "app or scene delegate callbacks"),
    ([.appDelegate], "app delegate callbacks"), ([.sceneDelegate], "scene delegate callbacks"),
    ([.appNotifications], "UIApplication notifications"),
    ([.sceneNotifications], "UIScene notifications"),
    ([.work], "app work such as timers and drawing"), ([.resources], "locks, files and sockets"),
    ([.data], "edits and saves of data"), ([.tasks], "background tasks"),
  ]

  // MARK: What may be answered

  /// A key that `analyze --profile` answers, with its form and the values that may be stated.
  private static let questions:
    [(key: AttributeKey, form: String, values: [String], purpose: String)] = [
      (.mode, "app|scene", ["scene", "app"], "if the app uses scenes; else mode=app"),
      (.os, "VERSION", ["18.0"], "the device's system version"),
      (.backgroundModes, "none|LIST", ["none"], "if the app declares no background modes"),
    ]

  private static func answers(_ undecided: [RuleOutcome], _ profile: Profile) -> [Answer] {
    var profile = profile
    var waiting = undecided.map(\.rule).filter { $0.force(under: profile) != .inForce }
    var open = questions.filter { profile.attributes[$0.key] == nil }
    var answers: [Answer] = []

    while answers.count < Evidence.asked {
      var best: (question: Int, profile: Profile, left: [RuleDescription])?
      for (index, question) in open.enumerated() {
        for value in question.values {
          var said = profile
          said.attributes.append(Attribute(question.key, value))
          let left = waiting.filter { $0.force(under: said) != .inForce }
          if left.count < best?.left.count ?? waiting.count { best = (index, said, left) }
        }
      }
      guard let best else { break }
      let question = open[best.question]
      let option = "--profile \(question.key.rawValue)="
      answers.append(
        Answer(
          option: option + question.form, example: option + question.values[0],
          purpose: question.purpose, rules: waiting.count - best.left.count))
      open.remove(at: best.question)
      (profile, waiting) = (best.profile, best.left)
    }
    return answers
  }
}
