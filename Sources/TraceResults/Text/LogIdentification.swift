import LifecycleModel
import Run
import TraceAnalysis
import TraceText

/// What a log is about, in a line: the app, its processes, the system, and when that was.
package struct LogIdentification {
  /// The largest number of process ids that are named.
  private static let pidsNamed = 4

  private let analysis: Analysis
  private let vocabulary: Vocabulary
  private let clock: WallClock?

  package init(_ analysis: Analysis, _ vocabulary: Vocabulary, _ clock: WallClock?) {
    (self.analysis, self.vocabulary, self.clock) = (analysis, vocabulary, clock)
  }

  /// `com.example.notes 4.2.1 (812), pid 731, iOS 18.2, 2026-11-21 08:15:30 to 08:16:02 UTC`; `nil` where nothing
  /// of it is known.
  var line: String? {
    [app, processes, system, surroundings, span].joined(by: ", ")
  }

  /// The events that begin processes, as far as they are kept.
  private var starts: [Event] {
    let milestones = analysis.milestones.first + analysis.milestones.last
    let begun = milestones.filter { $0.kind == .processStart }.map(\.event)
    let ended = analysis.deaths.verdicts.compactMap(\.process.start)
    let running = [analysis.state.processStart?.event].compactMap(\.self)
    return begun.isEmpty ? ended + running : begun
  }

  /// The app, by its bundle; `nil` where the log does not say it.
  package var bundle: String? {
    let profile = analysis.profile
    let said =
      profile.attributes[.app]
      ?? starts.lazy.compactMap { vocabulary.attributes($0.attributes)[.bundle] }.first
      ?? profile.app ?? analysis.deaths.verdicts.lazy.compactMap(\.process.bundle).first
    return said.map { InertText.word($0) }
  }

  /// The app and its only process: `com.example.notes 731`; `nil` where neither is known.
  var subject: String? {
    let pid = pids.count == 1 ? pids[0] : nil
    let name = bundle ?? analysis.profile.processName.map { InertText.line($0) }
    return name.map { $0 + (pid.map { " " + $0 } ?? "") } ?? pid.map { "pid \($0)" }
  }

  /// The app with its version and its build.
  private var app: String? {
    let build = analysis.profile.build.map { InertText.word($0) }
    guard let version = analysis.profile.version.map({ InertText.word($0) }) else {
      return [bundle, build.map { "build \($0)" }].joined(by: " ")
    }
    return "\(bundle ?? "version") \(version)" + (build.map { " (\($0))" } ?? "")
  }

  /// The numbers of the processes, each once, in the order in which they are known.
  package var pids: [String] {
    let said =
      starts.compactMap { vocabulary.attributes($0.attributes)[.pid] }
      + analysis.deaths.verdicts.compactMap { $0.process.pid.map(String.init) }
      + [analysis.profile.attributes[.pid]].compactMap(\.self)
    return said.map { InertText.word($0) }.grouped(by: \.self).map(\.key)
  }

  private var processes: String? {
    let pids = pids
    if pids.isEmpty { return nil }
    if pids.count == 1 { return "pid \(pids[0])" }
    return "pids " + pids.prefix(LogIdentification.pidsNamed).joined(separator: " ")
      + CountText.more(pids.count - LogIdentification.pidsNamed, behind: " ")
  }

  /// The names of systems, by the words of profiles.
  package static let platforms = [
    "ios": "iOS", "ipados": "iPadOS", "tvos": "tvOS", "visionos": "visionOS",
    "watchos": "watchOS", "catalyst": "Mac Catalyst", "linux": "Linux",
  ]

  private var system: String? {
    let profile = analysis.profile
    let platform = profile.platform.map {
      LogIdentification.platforms[$0.lowercased()] ?? InertText.word($0)
    }
    let version = profile.os.map { InertText.word($0) }
    if platform == nil { return version.map { "OS \($0)" } }
    // The version is that of the system whose rules another one plays.
    if platform == "Linux", let version { return "Linux, as iOS \(version)" }
    return [platform, version].joined(by: " ")
  }

  private var surroundings: String? {
    let profile = analysis.profile
    let simulator = profile.simulator ? "in the simulator" : nil
    return [simulator, profile.debugger ? "under a debugger" : nil].joined(by: " ")
  }

  /// When that was, on the wall clock.
  private var span: String? {
    guard let clock, let extent = analysis.extent else { return nil }
    return clock.span(extent.lowerBound, extent.upperBound)
  }
}

extension Analysis {
  /// What a report says beside an end that it states, or that the log states, too: where a thread crashed or stood,
  /// or how much memory was used; `nil` where nothing of it is known.
  func remark(on end: Event, _ vocabulary: Vocabulary) -> String? {
    let all = milestones.first + milestones.last
    guard let place = all.lastIndex(where: { $0.event.isSame(as: end) }) else { return nil }
    // The notes of a report stand before its own end, and behind that of a log to which it is joined.
    let isOfReport = vocabulary.attributes(end.attributes)[.by] == "report"
    let before = all[..<place].reversed().prefix {
      $0.kind == .note && $0.event.instant == end.instant
    }
    let behind = all[(place + 1)...].prefix { $0.kind == .note }
    // Of the notes of the console only the one counts that the end itself brought.
    let own = before.filter { note in
      let words = vocabulary.text(note.event.label)
      return words.contains(": it crashed in ") || words.hasPrefix(ReporterGuess.beginning)
    }
    let notes = isOfReport ? before.reversed() : own + behind

    let words = notes.map { vocabulary.text($0.event.label) }
    let phrases = [
      " thrown in ", " crashed in ", CrashedStack.missing, " was in a file or a database",
      " was in ",
      " \(ThreadWait.beginning)",
      " when it passed its limit", ReporterGuess.beginning,
    ]
    let found = phrases.lazy.compactMap { phrase in words.first { $0.contains(phrase) } }.first
    return found.map { InertText.line($0) }
  }
}
