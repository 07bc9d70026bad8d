import LifecycleModel
import TraceAnalysis
import TraceText

/// What had to come and did not, as text.
///
/// Nothing in it is an event of the log: it names those that it was due between.
struct MissingText {
  let missing: MissingEvent
  let vocabulary: Vocabulary

  /// `task.end task:7 "sync", due after main#5 and before -#9`.
  var line: String { "\(missing.words), \(due)" }

  /// When it was due: `due after main#5, until 35s`.
  var due: String {
    let place = [
      missing.after.map { "after \(number($0))" }, missing.before.map { "before \(number($0))" },
    ].compactMap(\.self).joined(separator: " and ")
    let times = [
      missing.until.map { "until \(InstantText.rounded($0.nanoseconds))" },
      missing.backgroundTime.map { "within \(InstantText.rounded($0)) in the background" },
    ].compactMap(\.self)
    return "due " + ((place.isEmpty ? [] : [place]) + times).joined(separator: ", ")
  }

  private func number(_ event: Event) -> String {
    InertText.word("\(vocabulary.name(of: event.writer))#\(event.sequence)")
  }
}
