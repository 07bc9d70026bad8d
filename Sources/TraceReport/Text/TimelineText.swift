import LifecycleModel
import TraceText

/// What happened to the app, as lines of text.
struct TimelineText {
  private let one: OneLog

  init(_ one: OneLog) { self.one = one }

  /// A turn of the story: when, and what happened; a rule between two processes has no time.
  private struct Line {
    var instant: Instant?
    var text: String
  }

  /// The milestones with their instants; what stands between two of them has none.
  var told: [(time: String?, text: String)] {
    story.map { line in (line.instant.map(TimeText.instant), line.text) }
  }

  /// The milestones, one a line: the time of day where it is known, the instant, and what happened.
  ///
  /// A line stands between two processes, and where a new day begins.
  var lines: [String] {
    let story = story
    let width = story.compactMap(\.instant).map { TimeText.instant($0).count + 2 }.max() ?? 0
    var day: String?
    var printed: [String] = []
    for line in story {
      guard let instant = line.instant else {
        printed.append(line.text)
        continue
      }
      if let heading = one.clock?.heading(instant), heading != day {
        day = heading
        printed.append(heading)
      }
      let time = one.clock.map { pad($0.time(instant), 15) } ?? ""
      printed.append(time + pad(TimeText.instant(instant), width) + line.text)
    }
    return printed
  }

  /// How far to the right a line's words begin.
  var indentation: Int { one.clock == nil ? 9 : 24 }

  private var story: [Line] {
    var story = lines(of: one.milestones.prefix(one.milestonesBefore), isBeginning: true)
    if one.milestonesLeftOut > 0 { story.append(Line(text: "… \(one.milestonesLeftOut) more")) }
    return story
      + lines(of: one.milestones.dropFirst(one.milestonesBefore), isBeginning: story.isEmpty)
  }

  private func lines(of milestones: ArraySlice<OneLog.Milestone>, isBeginning: Bool) -> [Line] {
    var lines: [Line] = []
    for (index, milestone) in milestones.enumerated() {
      if milestone.kind == OneLog.Milestone.process && !(isBeginning && index == 0) {
        let pid = milestone.event[.pid].map { ", pid " + InertText.word($0) }
        lines.append(Line(text: "── the next process\(pid ?? "") ──"))
      }
      lines.append(Line(instant: milestone.event.instant, text: milestone.text))
    }
    return lines
  }
}
