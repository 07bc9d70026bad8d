import LifecycleModel
import TraceAnalysis
import TraceText

/// What happened to the app, as lines of text.
struct Story {
  private let analysis: Analysis
  private let vocabulary: Vocabulary
  private let clock: WallClock?

  init(_ analysis: Analysis, _ vocabulary: Vocabulary, _ clock: WallClock? = nil) {
    self.analysis = analysis
    self.vocabulary = vocabulary
    self.clock = clock
  }

  /// A turn of the story: when, and what happened; a rule between two processes has no time.
  private struct Line {
    var instant: Instant?
    var text: String
  }

  /// The milestones, one a line: the time of day where it is known, the instant, and what happened.
  ///
  /// A line stands between two processes, and where a new day begins.
  var lines: [String] {
    let milestones = analysis.milestones
    var story = lines(of: milestones.first, isBeginning: true)
    if milestones.leftOut > 0 { story.append(Line(text: "… \(milestones.leftOut) more")) }
    story += lines(of: milestones.last, isBeginning: story.isEmpty)
    let width = story.compactMap(\.instant).map { TimeText.instant($0).count + 2 }.max() ?? 0
    var day: String?
    var printed: [String] = []
    for line in story {
      guard let instant = line.instant else {
        printed.append(line.text)
        continue
      }
      if let heading = clock?.heading(instant), heading != day {
        day = heading
        printed.append(heading)
      }
      let time = clock.map { pad($0.time(instant), 15) } ?? ""
      printed.append(time + pad(TimeText.instant(instant), width) + line.text)
    }
    return printed
  }

  /// How far to the right a line's words begin.
  var indentation: Int { clock == nil ? 9 : 24 }

  private func lines(of milestones: [Milestone], isBeginning: Bool) -> [Line] {
    var lines: [Line] = []
    for (index, milestone) in milestones.enumerated() {
      if milestone.kind == .processStart && !(isBeginning && index == 0) {
        let pid = vocabulary.attributes(milestone.event.attributes)[.pid]
        lines.append(
          Line(text: "── the next process\(pid.map { ", pid " + InertText.word($0) } ?? "") ──"))
      }
      lines.append(
        Line(
          instant: milestone.event.instant, text: text(milestone, milestones[(index + 1)...])))
    }
    return lines
  }

  private func text(_ milestone: Milestone, _ later: ArraySlice<Milestone>) -> String {
    let event = milestone.event
    switch milestone.kind {
    case .processStart:
      // Where starts are not recorded another event shows the first of it.
      return event.verb == .processStart
        ? "process started" + attributes(event) : "another process, whose start is not recorded"
    case .app(let state): return state.rawValue + duration(from: event, later)
    case .scene(let connected):
      return "\(event.subject) \(connected ? "connected" : "disconnected")"
    case .snapshot: return "snapshot"
    case .suspended(let isSuspended): return isSuspended ? "suspended" : "resumed"
    case .note:
      let text = vocabulary.text(event.label)
      return (text.isEmpty ? "note" : InertText.word(text)) + attributes(event)
    case .gap: return "events missing" + gap(event)
    case .end:
      let isGone = vocabulary.attributes(event.attributes)[.reason] == "gone"
      if event.verb == .exit && isGone { return "gone: how the process ended was not seen" }
      if let signal = signalPhrase(event) {
        return signal + attributes(event, without: [.code, .namespace, .signal])
      }
      return (event.verb == .kill ? "killed" : "exited") + attributes(event)
    }
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
    return "\(count): \(InertText.word(gap.cause))" + attributes(event)
  }

  /// The attributes, but for those that the words tell already, and the line of an import, which stands
  /// last and in words.
  private func attributes(_ event: Event, without told: [AttributeKey] = []) -> String {
    let list = vocabulary.attributes(event.attributes)
    let apart = (told + [.line]).map(\.rawValue)
    let facts = list.filter { !apart.contains($0.key) }
      .map { "\(InertText.word($0.key))=\(InertText.word($0.value))" }
    let line = list[.line].map { ["line \(InertText.word($0))"] } ?? []
    let all = facts + line
    return all.isEmpty ? "" : " (\(all.joined(separator: ", ")))"
  }
}
