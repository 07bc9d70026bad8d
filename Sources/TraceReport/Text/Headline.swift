import LifecycleModel
import TraceAnalysis

/// The first line of a report: how it ended, and how much was found.
struct Headline {
  private let analysis: Analysis
  private let vocabulary: Vocabulary

  init(_ analysis: Analysis, _ vocabulary: Vocabulary) {
    (self.analysis, self.vocabulary) = (analysis, vocabulary)
  }

  /// `killed by the watchdog (0x8badf00d); 1 error, 2 warnings`.
  func text(_ style: TextStyle) -> String {
    if analysis.eventCount == 0 { return style.bold("nothing to look at: no events") }
    let counted = analysis.findings.filter {
      $0.isToldInFull && ($0.isCounted || $0.dependents.contains(where: \.isCounted))
    }
    let ofApp = counted.filter { !analysis.isAboutRecording($0) }
    let ofRecording = counted.filter(analysis.isAboutRecording)
    var parts: [String] = []
    let ending = DeathsText(analysis.deaths, vocabulary).phrase
    if let ending { parts.append(Headline.styled(ending, style)) }
    if !ofApp.isEmpty { parts.append(Headline.counts(ofApp, style)) }
    if analysis.hasOnlyEnds {
      parts.append(style.bold(Headline.nothingRecorded))
    } else if ofApp.isEmpty {
      parts.append(nothing(ending?.worst, style))
    }
    if !ofRecording.isEmpty {
      parts.append(Headline.counts(ofRecording, style) + " about the recording")
    }
    let accepted = analysis.findings.count { $0.suppression != nil }
    if accepted > 0 { parts.append("\(accepted) accepted") }
    return style.line(parts.joined(separator: "; "))
  }

  /// What is said where the log has nothing but ends of processes, as of an app that does not link the
  /// recorder.
  static let nothingRecorded = "the app recorded nothing in this log"

  private static func styled(
    _ ending: (text: String, worst: DeathClass), _ style: TextStyle
  ) -> String {
    switch ending.worst {
    case .fault: style.severity(.error, ending.text)
    case .unexplained: style.severity(.warning, ending.text)
    case .unknown, .normal: style.bold(ending.text)
    }
  }

  private static func counts(_ findings: [Finding], _ style: TextStyle) -> String {
    Severity.allCases.reversed().compactMap { severity -> String? in
      let count = findings.count { $0.severity == severity }
      return count > 0 ? style.severity(severity, CountText.of(count, severity)) : nil
    }.joined(separator: ", ")
  }

  /// What is said where nothing counts: never reassuring under an end that is not normal.
  private func nothing(_ worst: DeathClass?, _ style: TextStyle) -> String {
    let isGood = worst ?? .normal == .normal
    let ofApp = analysis.findings.filter { !analysis.isAboutRecording($0) }
    if !ofApp.isEmpty {
      return isGood ? style.good("nothing new found") : style.bold("nothing new found")
    }
    if !isGood {
      let lacking = Evidence(analysis).lacking
      let verb = lacking == 1 ? "lacks" : "lack"
      let lack = lacking > 0 ? " (\(CountText.of(lacking, "rule")) \(verb) evidence)" : ""
      return style.bold("no rule explains it" + lack)
    }
    let checked = analysis.outcomes.count {
      $0.verdict == .satisfied && !$0.rule.isAboutRecording
    }
    return checked > 0
      ? style.good("nothing found: \(CountText.of(checked, "rule")) kept")
      : style.bold(
        analysis.gaps.count > 0
          ? "cannot tell: events are lost, and no rule could judge this log"
          : "nothing found, and no rule could judge this log")
  }
}

extension Analysis {
  /// Whether the log has ends of processes and nothing else.
  var hasOnlyEnds: Bool { deaths.count > 0 && eventCount == UInt64(deaths.count) }
}

extension AnalysisResults {
  /// Whether no log has anything but ends of processes.
  var hasOnlyEnds: Bool {
    let ends = deaths.reduce(0) { $0 + $1.count }
    return ends > 0 && events == UInt64(ends)
  }
}
