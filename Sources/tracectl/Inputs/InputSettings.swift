import LifecycleModel
import TraceSources
import TraceText

/// How inputs are read, and what is known about them beside what they say.
struct InputSettings {
  /// What console text does not say.
  var console = ConsoleSource.Options()
  /// What holds where a log does not say it.
  var answers = Profile()
  /// Whether no progress is shown.
  var isQuiet = false
  /// Whether damages of a log that no gap in its events shows are reported.
  var tellsDamages = true
  /// Crash reports that are held against each log.
  var reports: [ReportFiles.Entry] = []
  /// How much of each log is read.
  var work = WorkLimit()

  /// A line for each answer that is not used, as the log states something else.
  func unused(in profile: Profile, of name: String) -> [String] {
    answers.attributes.compactMap { answer in
      guard let said = profile.attributes.first(where: { $0.key == answer.key }),
        said.value != answer.value
      else { return nil }
      return "\(name): states \(answer.key)=\(InertText.word(said.value)) itself; "
        + "\(answer.key)=\(InertText.word(answer.value)) is ignored"
    }
  }
}
