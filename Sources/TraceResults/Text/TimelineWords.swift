import LifecycleModel
import TraceAnalysis
import TraceText

/// The milestones of a log in words.
struct TimelineWords {
  let analysis: Analysis
  let vocabulary: Vocabulary

  /// The first ones, then the last ones.
  var milestones: [OneLog.Milestone] {
    let printer = TraceNotation.Printer(vocabulary: vocabulary)
    return [analysis.milestones.first, analysis.milestones.last].flatMap { milestones in
      milestones.enumerated().map { index, milestone in
        let (kind, state, text) = words(milestone, milestones[(index + 1)...])
        return OneLog.Milestone(
          kind: kind, state: state, text: text, event: ReportedEvent(milestone.event, printer))
      }
    }
  }

  /// The kind of a milestone, the state that it begins, and what happened.
  private func words(
    _ milestone: Milestone, _ later: ArraySlice<Milestone>
  ) -> (kind: String, state: String?, text: String) {
    let event = milestone.event
    switch milestone.kind {
    case .processStart:
      // Where starts are not recorded another event shows the first of it.
      let text =
        event.verb == .processStart
        ? "process started" + attributes(event) : "another process, start not recorded"
      return (OneLog.Milestone.process, nil, text)
    case .app(let state):
      return ("app", state.rawValue, state.rawValue + duration(from: event, later))
    case .scene(let connected):
      let word = connected ? "connected" : "disconnected"
      return ("scene-" + word, nil, "\(event.subject) " + word)
    case .snapshot: return ("snapshot", nil, "snapshot")
    case .suspended(let isSuspended):
      let word = isSuspended ? "suspended" : "resumed"
      return (word, nil, word)
    case .note:
      let text = vocabulary.text(event.label)
      return ("note", nil, (text.isEmpty ? "note" : InertText.word(text)) + attributes(event))
    case .gap: return ("gap", nil, "events missing" + gap(event))
    case .end: return ("end", nil, end(event))
    }
  }

  private func end(_ event: Event) -> String {
    let isGone = vocabulary.attributes(event.attributes)[.reason] == "gone"
    if event.verb == .exit && isGone { return "process vanished; its end was not recorded" }
    if let signal = signalPhrase(event) {
      return signal + attributes(event, without: [.code, .namespace, .signal])
    }
    return (event.verb == .kill ? "killed" : "exited") + attributes(event)
  }

  /// An end by a signal in the words of the headline: `crashed with SIGSEGV`; `nil` for other ends.
  private func signalPhrase(_ event: Event) -> String? {
    let verdict = analysis.deaths.verdicts.last { $0.end == event }
    guard let verdict, verdict.cause.hasPrefix("SIG") || verdict.cause.hasPrefix("signal ") else {
      return nil
    }
    return DeathText(verdict, vocabulary).phrase
  }

  /// For how long a state of the app lasted, if the next one is known.
  private func duration(from event: Event, _ later: ArraySlice<Milestone>) -> String {
    for milestone in later {
      switch milestone.kind {
      case .app, .end:
        let span = milestone.event.instant.since(event.instant)
        // Less than a microsecond is a tick of a clock, and no time.
        return span < 1000 ? "" : ", for \(TimeText.span(span))"
      case .gap, .processStart: return ""
      default: continue
      }
    }

    return ""
  }

  private func gap(_ event: Event) -> String {
    guard let gap = Gap(event, in: vocabulary) else { return "" }
    let count = gap.count.map { " (\($0))" } ?? ""
    return "\(count): \(InertText.cause(of: gap))" + attributes(event)
  }

  /// The attributes, but for those that the words have already, and the line of an import, which stands
  /// last and in words.
  private func attributes(_ event: Event, without worded: [AttributeKey] = []) -> String {
    let list = vocabulary.attributes(event.attributes)
    let apart = (worded + [.line]).map(\.rawValue)
    let facts: [String?] = list.filter { !apart.contains($0.key) }.map(\.words)
    let all = facts + [list[.line].map { "line \(InertText.word($0))" }]
    return all.joined(by: ", ").map { " (\($0))" } ?? ""
  }
}

extension OneLog.Milestone {
  /// The kind of a turn that begins a process.
  package static let process = "process"
}
