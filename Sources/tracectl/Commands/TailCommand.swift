import ArgumentParser
import LifecycleModel
import LifecycleRules
import Platform
import TraceAnalysis
import TraceConfiguration
import TraceLog
import TraceReport
import TraceText

/// `tracectl tail`: a log while it is being written.
struct TailCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "tail",
    abstract: "Follow a log while it is being written.",
    discussion: """
      Prints each event with what it changed, findings as soon as they are certain, and the verdict when the process has died or the recorder stops. On a terminal, the last line shows the limit that runs out next:

        tracectl tail flight.bin

      It reads binary logs. An interrupt (Ctrl-C) ends it with the verdict so far. Exit status: 1 if there is a finding at or above warning, as with analyze.
      """)

  @OptionGroup var input: LogArgument

  @Option(
    name: [.customShort("n"), .long], parsing: .unconditional,
    help: ArgumentHelp(
      "How many events to print of those that are there already; by default 10.",
      valueName: "count"), transform: WholeNumber.read)
  var lines: Int?

  @Flag(help: "Print findings and the verdict, but no events.")
  var findingsOnly = false

  @OptionGroup(title: "What the log does not state") var answers: AnswerOptions

  @OptionGroup var configured: ConfigurationOption

  @OptionGroup var color: ColorOptions

  /// So long it waits between two looks, in microseconds.
  private static let pause: UInt32 = 200_000

  func validate() throws {
    if let lines, lines < 0 { throw ValidationError("-n takes a number of events") }
  }

  func run() throws {
    let log = try input.path()
    let team = try configured.load()
    var follower = try follower(log)
    var followed = FollowedLog(
      follower.vocabulary, team, answers: answers.profile.completed(by: team.answers),
      style: color.color.style, printsEvents: !findingsOnly)
    Interrupt.catchSignals()

    var isWritten = try follower.look { try followed.take($0) }
    try followed.printBeginning(lines ?? 10)
    while isWritten && !Interrupt.isRequested {
      followed.showLimit()
      usleep(TailCommand.pause)
      do {
        isWritten = try follower.look { try followed.take($0) }
      } catch let error as LogError {
        throw CommandError.unreadable("\(error)")
      }
    }
    try followed.finish(log, team)
  }

  private func follower(_ log: String) throws -> LogFollower {
    if log == "-" {
      throw CommandError.usage(
        "tail follows a log's file; to analyze a stream, pipe it into tracectl analyze -")
    }
    do {
      return try LogFollower(path: log)
    } catch LogError.notALog(_, let looksLikeText) where looksLikeText {
      throw CommandError.usage(
        "\(InertText.word(log)): is text; tail follows binary logs. To follow a console, use "
          + "tracectl record --source console - or --device, and tail what it writes")
    } catch {
      throw CommandError.unreadable("\(error)")
    }
  }
}

/// What is known of a log that is followed, and what of it was printed.
private struct FollowedLog {
  private let vocabulary: Vocabulary
  private let style: TextStyle
  private let printsEvents: Bool
  private var analyzer: Analyzer
  private var changes: ChangeLines
  private var findingsPrinted = 0
  /// The lines of what was there already; `nil` once they are printed.
  private var beginning: [String]? = []
  private var skipped = 0
  /// The last instant, and when it was read, in nanoseconds of the monotonic clock.
  private var latest = Instant.distantPast
  private var readAt: UInt64 = 0
  private var hasStatus = false

  /// So many lines are kept of what was there already.
  private static let mostLines = 10_000

  init(
    _ vocabulary: Vocabulary, _ team: Configuration, answers: Profile, style: TextStyle,
    printsEvents: Bool
  ) {
    (self.vocabulary, self.style, self.printsEvents) = (vocabulary, style, printsEvents)
    analyzer = RuleProgram(team.activeRules).analyzer(vocabulary)
    analyzer.use(answers: answers)
    changes = ChangeLines(vocabulary)
  }

  /// Takes the next events, and prints what they say once the beginning is printed.
  mutating func take(_ events: [Event]) throws {
    analyzer.observe(events)
    for event in events {
      latest = max(latest, event.instant)
      changes.take(event, isShown: printsEvents)
    }
    readAt = platform_nanoseconds()
    let lines = String(decoding: changes.takeBytes(), as: UTF8.self)
    let found = analyzer.findings(after: findingsPrinted)
    findingsPrinted += found.count
    let told = found.map { FollowedText.line($0, style) + "\n" }.joined()

    if beginning != nil {
      keep(lines + told)
    } else if !(lines + told).isEmpty {
      clearStatus()
      try Terminal.print(lines + told)
    }
    var use = VocabularyUse()
    changes.addUse(to: &use)
    analyzer.forgetUnusedWords(but: use)
  }

  private mutating func keep(_ text: String) {
    let lines = text.split(separator: "\n").map(String.init)
    beginning?.append(contentsOf: lines)
    let surplus = (beginning?.count ?? 0) - FollowedLog.mostLines
    if surplus > 0 {
      beginning?.removeFirst(surplus)
      skipped += surplus
    }
  }

  /// Prints the last lines of what was there already, and all findings among what is kept.
  mutating func printBeginning(_ count: Int) throws {
    let lines = beginning ?? []
    beginning = nil
    let first = max(0, lines.count - count)
    let findings = lines[..<first].filter { $0.hasPrefix("  ") }
    if skipped + first > 0 && printsEvents {
      try Terminal.print("… \(skipped + first - findings.count) events before\n")
    }
    let shown = findings + lines[first...]
    if !shown.isEmpty { try Terminal.print(shown.joined(separator: "\n") + "\n") }
  }

  // MARK: The limit that runs

  /// Shows on a terminal which limit passes next.
  mutating func showLimit() {
    guard Terminal.isErrorTerminal, latest != .distantPast else { return }
    let waited = Int64(clamping: platform_nanoseconds() &- readAt)
    let words = changes.nextLimit(at: latest.advanced(by: waited))
    clearStatus()
    guard let words else { return }
    Terminal.printStatus("\r\u{1b}[2K\(words)")
    hasStatus = true
  }

  private mutating func clearStatus() {
    if hasStatus { Terminal.printStatus("\r\u{1b}[2K") }
    hasStatus = false
  }

  // MARK: The end

  /// Prints the verdict; fails as an analysis does.
  mutating func finish(_ log: String, _ team: Configuration) throws {
    clearStatus()
    var analysis = analyzer.finish()
    team.suppress(&analysis, vocabulary, today: .today)
    let results = AnalysisResults(analysis, of: InertText.word(log), vocabulary)
    try Terminal.print("\n" + FollowedText.verdict(results, style))
    if let worst = results.worst, worst >= .warning { throw ExitStatus.findings }
  }
}
