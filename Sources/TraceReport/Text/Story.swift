import LifecycleModel
import TraceAnalysis
import TraceText

/// What happened to the app, as lines of text.
extension OneLog {
  /// The milestones with their instants; what stands between two of them has none.
  var story: [(time: String?, text: String)] {
    turns.map { turn in (turn.instant.map(TimeText.instant), turn.text) }
  }

  /// The milestones, one a line: the time of day where it is known, the instant, and what happened.
  ///
  /// A line stands between two processes, and where a new day begins.
  var storyLines: [String] {
    let width = turns.compactMap(\.instant).map { TimeText.instant($0).count + 2 }.max() ?? 0
    var day: String?
    var printed: [String] = []
    for line in turns {
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
  var storyIndentation: Int { clock == nil ? 9 : 24 }

  /// A turn of the story: when, and what happened; a rule between two processes has no time.
  private typealias Turn = (instant: Instant?, text: String)

  private var turns: [Turn] {
    let first = turns(of: milestones.prefix(milestonesBefore), isBeginning: true)
    let left: [Turn] = milestonesLeftOut > 0 ? [(nil, "… \(milestonesLeftOut) more")] : []
    return first + left
      + turns(
        of: milestones.dropFirst(milestonesBefore), isBeginning: first.isEmpty && left.isEmpty)
  }

  private func turns(of milestones: ArraySlice<Milestone>, isBeginning: Bool) -> [Turn] {
    milestones.enumerated().flatMap { index, milestone -> [Turn] in
      let turn = (milestone.event.instant as Instant?, milestone.text)
      if milestone.kind != Milestone.process || isBeginning && index == 0 { return [turn] }
      let pid = milestone.event[.pid].map { ", pid " + InertText.word($0) }
      return [(nil, "── the next process\(pid ?? "") ──"), turn]
    }
  }
}
