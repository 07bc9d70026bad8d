import LifecycleModel
import TraceAnalysis
import TraceText

/// What had to come and did not, as text.
///
/// Nothing in it is an event of the log: it names those that it was due between.
extension MissingEvent {
  /// `task.end task:7 "sync", due after main#5 and before -#9`.
  package func line(_ vocabulary: Vocabulary) -> String { "\(words), \(due(vocabulary))" }

  /// When it was due: `due after main#5, until 35s`.
  private func due(_ vocabulary: Vocabulary) -> String {
    let place = [
      after.map { "after \(EventReference($0, vocabulary).text)" },
      before.map { "before \(EventReference($0, vocabulary).text)" },
    ].joined(by: " and ")
    let time = until.map { "until \(InstantText.rounded($0.nanoseconds))" }
    let background = backgroundTime.map { "within \(InstantText.rounded($0)) in the background" }
    return "due " + ([place, time, background].joined(by: ", ") ?? "")
  }

  /// The place in `events` at which it had to be there: before one of them, or at its deadline, or at
  /// the end.
  package func dueIndex(in events: [Event]) -> Int {
    func index(_ event: Event?) -> Int? {
      event.flatMap { event in events.firstIndex { $0.isSame(as: event) } }
    }
    let first = index(after).map { $0 + 1 } ?? 0
    let late = until.flatMap { until in events[first...].firstIndex { $0.instant >= until } }
    return max(first, [late, index(before)].compactMap(\.self).min() ?? events.count)
  }

  /// What was due and until when: what can be said where events have no numbers.
  package var unnumbered: String {
    let time = until.map { ", until \(InstantText.print($0.nanoseconds))" }
    let background = backgroundTime.map { ", within \(InstantText.print($0)) in the background" }
    return "missing: " + words + (time ?? background ?? "")
  }
}

extension Event {
  /// Whether it is the same event in another reading, whose words have other numbers.
  package func isSame(as other: Event) -> Bool {
    writer == other.writer && sequence == other.sequence && instant == other.instant
      && verb == other.verb
  }
}
