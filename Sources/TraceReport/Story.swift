import LifecycleModel
import TraceAnalysis

/// What happened to the app, as lines of text.
struct Story {
  private let analysis: Analysis
  private let vocabulary: Vocabulary

  init(_ analysis: Analysis, _ vocabulary: Vocabulary) {
    self.analysis = analysis
    self.vocabulary = vocabulary
  }

  /// The milestones, one a line: the instant and what happened.
  var lines: [String] {
    let milestones = analysis.milestones
    let widths = (milestones.first + milestones.last).map { instant($0).count + 1 }
    let width = widths.reduce(12, max)
    var lines = self.lines(milestones.first, width)
    if milestones.leftOut > 0 { lines.append(pad("…", width) + "\(milestones.leftOut) more") }
    return lines + self.lines(milestones.last, width)
  }

  private func lines(_ milestones: [Milestone], _ width: Int) -> [String] {
    milestones.enumerated().map { index, milestone in
      pad(instant(milestone), width) + text(milestone, milestones[(index + 1)...])
    }
  }

  private func instant(_ milestone: Milestone) -> String {
    InstantText.print(milestone.event.instant.nanoseconds)
  }

  private func text(_ milestone: Milestone, _ later: ArraySlice<Milestone>) -> String {
    let event = milestone.event
    switch milestone.kind {
    case .processStart: return "process started" + attributes(event)
    case .app(let state): return state.rawValue + duration(from: event, later)
    case .scene(let connected):
      return "\(event.subject) \(connected ? "connected" : "disconnected")"
    case .snapshot: return "snapshot"
    case .suspended(let isSuspended): return isSuspended ? "suspended" : "resumed"
    case .note:
      let text = vocabulary.text(event.label)
      return (text.isEmpty ? "note" : InertText.word(text)) + attributes(event)
    case .gap: return "events missing" + gap(event)
    case .end: return (event.verb == .kill ? "killed" : "exited") + attributes(event)
    }
  }

  /// For how long a state of the app lasted, if the next one is known.
  private func duration(from event: Event, _ later: ArraySlice<Milestone>) -> String {
    for milestone in later {
      switch milestone.kind {
      case .app, .end:
        return ", for \(TimeText.span(milestone.event.instant.since(event.instant)))"
      case .gap, .processStart: return ""
      default: continue
      }
    }
    return ""
  }

  private func gap(_ event: Event) -> String {
    guard let gap = Gap(event, in: vocabulary) else { return "" }
    let count = gap.count.map { " (\($0))" } ?? ""
    return "\(count): \(InertText.word(gap.cause))" + attributes(event)
  }

  /// The attributes, but for the line of an import, which stands last and in words.
  private func attributes(_ event: Event) -> String {
    let list = vocabulary.attributes(event.attributes)
    let facts = list.filter { $0.key != AttributeKey.line.rawValue }
      .map { "\(InertText.word($0.key))=\(InertText.word($0.value))" }
    let line = list[.line].map { ["line \(InertText.word($0))"] } ?? []
    let all = facts + line
    return all.isEmpty ? "" : " (\(all.joined(separator: ", ")))"
  }
}
