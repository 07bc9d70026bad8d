import LifecycleModel
import LifecycleRules
import TraceAnalysis

/// The first line of every report: how it ended, and how much was found.
package struct Headline {
  private let results: AnalysisResults
  private let style: TextStyle

  package init(_ results: AnalysisResults, _ style: TextStyle = .plain) {
    (self.results, self.style) = (results, style)
  }

  /// What is said where the log has nothing but ends of processes, as of an app that does not link the
  /// recorder.
  package static let nothingRecorded = "the app recorded nothing in this log"

  /// `killed by the watchdog (0x8badf00d); 1 error, 2 warnings`, above a report that says what a baseline
  /// knows.
  package var line: String {
    let accepted = results.standing.accepted
    return style.line(
      (found + (accepted > 0 ? ["\(accepted) accepted"] : [])).joined(separator: "; "))
  }

  /// The same where nothing else says what a baseline knows, and what could not be read.
  package var whole: String {
    var parts = found + results.standing.uncounted
    if !results.unreadable.isEmpty {
      parts.append(CountText.of(results.unreadable.count, "log") + " could not be read")
    }
    return parts.joined(separator: "; ")
  }

  /// How many of several logs show something: `12 logs: 3 with findings, 9 without findings`.
  package var ofMany: String {
    var parts = [
      (results.logsWithFindings, "with findings"),
      (results.logs - results.logsWithFindings, "without findings"),
    ].filter { $0.0 > 0 }.map { "\($0.0) \($0.1)" }
    if results.logsWithFindings > 0, let comparison = results.comparison {
      parts[0] += " (\(comparison.new) new, \(comparison.known) known)"
    }
    let inconclusive = results.logsInconclusive
    let unread = results.unreadable.count
    let text =
      CountText.of(results.logs, "log")
      + (parts.isEmpty ? "" : ": " + parts.joined(separator: ", "))
      + (inconclusive > 0 ? "; \(inconclusive) inconclusive" : "")
      + (unread > 0 ? "; \(unread) could not be read" : "")
    return style.bold(text)
  }

  /// How it ended, and what counts.
  private var found: [String] {
    if results.logs == 0 { return [style.bold("no log was analyzed")] }
    if results.events == 0 { return [style.bold("no events: nothing to analyze")] }
    let ofApp = results.standing { !$0.isAboutRecording }
    let ofRecording = results.standing(where: \.isAboutRecording)

    var parts = results.ending.map { [style.tone(Verdict.Tone($0.worst), $0.text)] } ?? []
    if !ofApp.counted.isEmpty { parts.append(counts(ofApp)) }
    if results.hasOnlyEnds {
      parts.append(style.bold(Headline.nothingRecorded))
    } else if ofApp.counted.isEmpty {
      parts.append(nothing(isNew: ofApp.known + ofApp.accepted == 0))
    }
    if !ofRecording.counted.isEmpty { parts.append(counts(ofRecording) + " about the recording") }
    if results.logs == 1, results.hasOnlyEnds, results.logsInconclusive > 0 {
      parts.append("inconclusive")
    }
    let unknown = results.unknownWords.count
    if unknown > 0 { parts.append(CountText.of(unknown, "unknown word")) }
    return parts
  }

  private func counts(_ standing: AnalysisResults.Standing) -> String {
    standing.countedWords(style).joined(separator: ", ")
  }

  /// What is said where nothing counts: never reassuring under an end that is not normal, nor where no
  /// rule could judge.
  private func nothing(isNew: Bool) -> String {
    let isGood = results.ending?.worst ?? .normal == .normal
    if !isNew { return isGood ? style.good("no new findings") : style.bold("no new findings") }
    if !isGood {
      let lacking = results.rules.count(where: \.isDoubtful)
      let verb = lacking == 1 ? "lacks" : "lack"
      let lack = lacking > 0 ? " (\(CountText.of(lacking, "rule")) \(verb) evidence)" : ""
      let rule = results.rulesOff.isEmpty ? "no rule" : "no rule that is on"
      return style.bold("\(rule) explains it" + lack)
    }

    let (kept, all) = results.rulesKept
    if kept > 0 {
      let text = "no findings: \(kept) of \(CountText.of(all, "rule")) could check"
      if results.logsInconclusive > 0 { return style.bold(text + "; inconclusive") }
      return results.isWellJudged ? style.good(text) : style.bold(text)
    }
    // Silence of rules that could not look is no good news: the app may be dead.
    let reason = "cannot tell:" + (results.gaps > 0 ? " events are missing, and" : "")
    let logs = results.logs > 1 ? "these logs" : "this log"
    return style.bold("\(reason) no rule could check \(logs)")
  }
}

extension AnalysisResults {
  /// How many rules could check and found nothing, of all that are not about the recording.
  var rulesKept: (count: Int, all: Int) {
    let ofApp = rules.filter { !$0.rule.isAboutRecording }
    // In one of many logs a rule may lack evidence that it has in another.
    return (ofApp.count { logs > 1 ? $0.satisfied > 0 : $0.isKept }, ofApp.count)
  }

  /// Whether more rules could judge than could not: what is not found is not there.
  var isWellJudged: Bool { rules.count(where: \.hasJudged) > rules.count(where: \.isDoubtful) }
}
