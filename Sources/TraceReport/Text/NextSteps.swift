import LifecycleModel
import TraceAnalysis
import TraceText

/// The commands that tell more, to be typed next.
struct NextSteps {
  private let analysis: Analysis
  private let vocabulary: Vocabulary
  private let log: String
  private let told: [Finding]

  /// Makes the steps after a report of these findings, of the log that a person names so, with the
  /// options that it needs.
  init(
    _ analysis: Analysis, _ vocabulary: Vocabulary, log: String?, _ options: [String],
    _ told: [Finding]
  ) {
    self.analysis = analysis
    self.vocabulary = vocabulary
    self.told = told
    self.log = (options + [log ?? "LOG"]).map(NextSteps.shellWord).joined(separator: " ")
  }

  /// `tracectl explain R78`.
  static func explain(_ rule: RuleDescription) -> String {
    "tracectl explain \(rule.number.map { "R\($0)" } ?? InertText.word(rule.id))"
  }

  func section(_ style: TextStyle) -> String {
    let steps = self.steps
    let width = steps.map(\.command.count).max() ?? 0
    return style.section(
      "Next", steps.map { pad($0.command, width + 3) + $0.purpose }, hanging: 4)
  }

  private var steps: [(command: String, purpose: String)] {
    var steps: [(command: String, purpose: String)] = []
    let ofApp = told.filter { $0.suppression == nil && !analysis.isAboutRecording($0) }
    if let finding = ofApp.first {
      let end = analysis.deaths.verdicts.last { $0.finding == finding.fingerprint }
      if finding.rule == "death", let end, !DeathCauses.find(end.cause).isEmpty {
        steps.append(
          (
            "tracectl explain \(NextSteps.shellWord(InertText.word(end.cause)))",
            "what it means, and what to look for"
          ))
      } else if let rule = analysis.outcomes.first(where: { $0.rule.id == finding.rule })?.rule {
        steps.append((NextSteps.explain(rule), "the rule, with examples"))
      }
      if let culprit = finding.culprit {
        let writer = vocabulary.name(of: culprit.writer)
        let reference = NextSteps.shellWord("\(writer)#\(culprit.sequence)")
        if TraceNotation.isWord(writer) {
          // A reference that begins with a dash is no option behind `=`.
          let option = writer == "-" ? "--around=\(reference)" : "--around \(reference)"
          steps.append(("tracectl dump \(option) \(log)", "the events around it"))
        }
      }
    } else if let end = analysis.deaths.verdicts.last(where: { $0.deathClass != .normal }) {
      if let code = end.code, DeathCauses.code(code) != nil {
        steps.append(("tracectl explain 0x\(String(code, radix: 16))", "what the code means"))
      }
      steps.append(("tracectl dump \(log)", "the events, the last ones at the end"))
    }
    if analysis.hasOnlyEnds { return steps + [recordStep] }
    if let answer = Evidence(analysis).answers.first, steps.count < 2 {
      steps.append(("tracectl analyze \(answer.example) \(log)", answer.purpose))
    }
    if steps.isEmpty { steps.append(("tracectl dump \(log)", "the events themselves")) }
    let evidence = Evidence(analysis)
    if steps.count < 2 && evidence.isPoor && evidence.answers.isEmpty {
      steps.append(recordStep)
    }
    return steps
  }

  private var recordStep: (command: String, purpose: String) {
    ("tracectl record -- APP", "an app that links TraceRecorder shows more")
  }

  /// A word as a shell takes it.
  private static func shellWord(_ text: String) -> String {
    let isPlain = text.utf8.allSatisfy { byte in
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "-")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "#"),
        UInt8(ascii: "@"), UInt8(ascii: ":"):
        true
      default: false
      }
    }
    if isPlain && !text.isEmpty { return text }
    return "'" + InertText.line(text).replacing("'", with: "'\\''") + "'"
  }
}
