import ArgumentParser
import LifecycleModel
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

  @Flag(name: .shortAndLong, help: "Print findings and the verdict, but no events.")
  var quiet = false

  @Option(name: .customLong("profile"), help: .profile, transform: StatedProfile.read)
  var answers: [[Attribute]] = []

  @Option(help: .config, completion: .file()) var config: String?

  @OptionGroup var color: ColorOptions

  /// How long it waits between two looks, in microseconds.
  private static let pause: UInt32 = 200_000

  func validate() throws {
    if let lines, lines < 0 { throw ValidationError("-n takes a number of events") }
  }

  func run() throws {
    let log = try input.path()
    let team = try ConfigurationChoice(config).load()
    var follower = try follower(log)
    let task = LogTask(team, InputSettings(answers: StatedProfile.of(answers, team)))
    var followed = FollowedLog(
      follower.vocabulary, task, style: color.color.style, printsEvents: !quiet, lines: lines ?? 10)
    Interrupt.catchSignals()

    var isWritten = try follower.look { try followed.take($0) }
    try followed.printBeginning()
    while isWritten && !Interrupt.isRequested {
      followed.showLimit()
      usleep(TailCommand.pause)
      isWritten = try follower.look { try followed.take($0) }
    }
    // While a log is written, what is not whole may become so.
    if !isWritten { TraceInput.tell(follower.damagesWithoutGap, of: log) }
    try followed.finish(log, task)
  }

  private func follower(_ log: String) throws -> LogFollower {
    guard log != "-", try ByteInput(log).isRegularFile else {
      throw CommandError.usage(
        "tail follows a log's file; to analyze a stream, pipe it into tracectl analyze -")
    }
    do {
      return try LogFollower(path: log)
    } catch LogError.notALog(_, let looksLikeText) where looksLikeText {
      throw CommandError.usage(
        "\(InertText.word(log)): is text; tail follows binary logs. To follow a console, use "
          + "tracectl record --source console - or --device, and tail what it writes")
    } catch LogError.notALog where log.hasSuffix(".gz") {
      let name = InertText.word(log)
      throw CommandError.usage(
        "\(name): is compressed; tail follows a log while it is written; read this one with "
          + "tracectl analyze \(name)")
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
  /// Whether what was there already is not printed yet: its findings, and its last events, which become
  /// lines, behind those that were skipped.
  private var isBeginning = true
  private var findings = ""
  private var events: [Event] = []
  private var skipped = 0
  private let lines: Int
  /// The last instant, and when it was read, in nanoseconds of the monotonic clock.
  private var latest = Instant.distantPast
  private var readAt: UInt64 = 0
  private var hasStatus = false

  init(
    _ vocabulary: Vocabulary, _ task: LogTask, style: TextStyle, printsEvents: Bool, lines: Int
  ) {
    (self.vocabulary, self.style, self.printsEvents) = (vocabulary, style, printsEvents)
    self.lines = lines
    analyzer = task.analyzer(vocabulary)
    changes = ChangeLines(vocabulary)
  }

  /// Takes the next events, and prints what they say once the beginning is printed.
  mutating func take(_ events: [Event]) throws {
    analyzer.observe(events)
    for event in events { latest = max(latest, event.instant) }
    readAt = platform_nanoseconds()
    let found = analyzer.findings(after: findingsPrinted)
    findingsPrinted += found.count
    let told = found.filter { !$0.isWithdrawn }
      .map { FollowedText.line($0, style) + "\n" }.joined()

    if isBeginning {
      keep(events, told)
    } else {
      try printLines(of: events, told)
    }
    var use = VocabularyUse()
    changes.addUse(to: &use)
    for event in self.events { use.add(event) }
    analyzer.forgetUnusedWords(but: use)
  }

  private mutating func keep(_ new: [Event], _ told: String) {
    findings += told
    events += new
    let surplus = max(0, events.count - lines)
    for event in events.prefix(surplus) { changes.take(event, isShown: false) }
    events.removeFirst(surplus)
    skipped += surplus
  }

  /// Prints the findings of what was there already, and its last events.
  mutating func printBeginning() throws {
    isBeginning = false
    let before =
      skipped == 0 || !printsEvents ? "" : "… \(CountText.of(skipped, "event")) before\n"
    try Terminal.print(before + findings)
    try printLines(of: events, "")
    events = []
  }

  private mutating func printLines(of events: [Event], _ findings: String) throws {
    for event in events { changes.take(event, isShown: printsEvents) }
    let lines = String(decoding: changes.takeBytes(), as: UTF8.self) + findings
    if lines.isEmpty { return }
    clearStatus()
    try Terminal.print(lines)
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
  mutating func finish(_ log: String, _ task: LogTask) throws {
    clearStatus()
    var analysis = analyzer.finish()
    task.team.suppress(&analysis, vocabulary, today: .today)
    let results = AnalysisResults(analysis, of: InertText.word(log), vocabulary)
    try Terminal.print("\n" + FollowedText.verdict(results, style))
    if let worst = results.worst, worst >= .warning { throw ExitStatus.findings }
  }
}
