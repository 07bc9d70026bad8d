import LifecycleModel
import LifecycleRules
import TraceAnalysis
import TraceText

/// The commands that show more, to be typed next.
extension TextReport {
  /// The section that a report ends with.
  var nextSection: String? {
    let steps = self.steps
    let width = steps.map(\.command.count).max() ?? 0
    return style.section(
      "Next", steps.map { pad($0.command, width + 3) + $0.purpose }, hanging: 4)
  }

  private typealias Step = (command: String, purpose: String)

  private var steps: [Step] {
    let ofApp = groups.joined().first { $0.suppression == nil && !$0.isAboutRecording }
    var steps = ofApp.map(steps(after:)) ?? stepsAfterEnd
    if results.hasOnlyEnds { return steps + [recordStep] }

    let evidence = results.log?.evidence
    if let answer = evidence?.answers.first, steps.count < 2 {
      steps.append(("tracectl analyze \(answer.example) \(logWords)", answer.purpose))
    }
    if steps.isEmpty { steps.append(("tracectl dump \(logWords)", "all events")) }
    if let evidence, steps.count < 2, evidence.isPoor, evidence.answers.isEmpty {
      steps.append(recordStep)
    }
    return steps
  }

  /// What to look at after a finding.
  private func steps(after finding: ReportedFinding) -> [Step] {
    var steps: [Step] = []
    let end = results.verdicts.last { $0.finding == finding.fingerprint }
    if finding.rule == "death", let end, !DeathCauses.find(InertText.plain(end.cause)).isEmpty {
      steps.append(
        ("tracectl explain \(ShellWord.quoted(end.cause))", "what it means and what to look for"))
    } else if let rule = results.rule(finding.rule) {
      steps.append((rule.explainCommand, "the rule, with examples"))
    }

    if results.isReportAlone {
      steps.append(joinStep)
    } else if let culprit = finding.culprit?.event, culprit.reference.isUnique,
      TraceNotation.isWord(culprit.writer)
    {
      let reference = ShellWord.quoted("\(culprit.writer)#\(culprit.sequence)")
      // A reference that begins with a dash is no option behind `=`.
      let option = culprit.writer == "-" ? "--around=\(reference)" : "--around \(reference)"
      steps.append(("tracectl dump \(option) \(logWords)", "the events around it"))
    }
    return steps
  }

  /// What to look at where nothing is found and a process ended otherwise than it should.
  private var stepsAfterEnd: [Step] {
    guard let end = results.verdicts.last(where: { $0.class != .normal }) else { return [] }
    if results.isReportAlone { return [joinStep] }
    let dump = Step("tracectl dump \(logWords)", "all events; the last ones come at the end")
    guard let code = end.code,
      UInt64(code.dropFirst(2), radix: 16).flatMap(DeathCauses.code) != nil
    else { return [dump] }
    return [("tracectl explain \(code)", "what the code means"), dump]
  }

  private var joinStep: Step {
    (
      "tracectl analyze LOG --crash \(ShellWord.quoted(log ?? "REPORT"))",
      "the same end in the log that the app recorded"
    )
  }

  private var recordStep: Step {
    ("tracectl record -- APP", "an app that links TraceRecorder shows more")
  }
}
