import ArgumentParser
import LifecycleModel
import TraceAnalysis
import TraceConfiguration
import TraceLog
import TraceReport
import TraceText

/// `tracectl replay`: what was true at a moment of a run, or what changed between two.
struct ReplayCommand: ParsableCommand {
  /// The forms of a moment.
  enum Format: String, CaseIterable, ExpressibleByArgument {
    case text, json
  }

  static let configuration = CommandConfiguration(
    commandName: "replay",
    abstract: "Show the state at any moment of a run, or what each event changed.",
    discussion: """
      With --at, the state of the app and its scenes, what was open, for how long, and how much of its limit was left, and the events before and after:

        tracectl replay log.bin --at 15.1s
        tracectl replay log.bin --at main#25
        tracectl replay log.bin --at @death

      A moment is a time, a wall-clock time, an event, a finding's fingerprint, @start, @end or @death (the last end of a process). Without --at, one line per event with what it changed; --from and --to choose a part.
      """)

  @OptionGroup var input: LogArgument

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "The moment: 15.1s, 17:30:31, main#25, a fingerprint, @start, @end or @death.",
      valueName: "moment"))
  var at: PointArgument?

  @OptionGroup var window: WindowOptions

  @Flag(
    help: "Print all changes, even if the text is over a thousand times as long as the log.")
  var noLimit = false

  @Option(help: ArgumentHelp("The form of --at: text (the default) or json.", valueName: "form"))
  var format: Format?

  @OptionGroup(title: "What the log does not state") var inputOptions: InputOptions

  @OptionGroup var configured: ConfigurationOption

  @OptionGroup var color: ColorOptions

  func validate() throws {
    try at?.check("--at")
    if at != nil && !window.isEmpty {
      throw ValidationError("--at shows one moment; --from and --to show a part")
    }
    if at != nil && noLimit {
      throw ValidationError("--at shows one moment, which has no limit")
    }
    if at == nil && format != nil { throw ValidationError("--format needs --at") }
  }

  func run() throws {
    let log = try input.path()
    let team = try configured.load()
    let settings = try inputOptions.settings(team)
    if let at {
      try showMoment(at, log, team, settings)
    } else {
      try showChanges(log, settings)
    }
  }

  // MARK: A moment

  private func showMoment(
    _ point: PointArgument, _ log: String, _ team: Configuration, _ settings: InputSettings
  ) throws {
    let (target, clock) = try target(point, log, team, settings)
    // Where a report belongs is found among all events.
    let blocks = settings.reports.isEmpty ? target.blocks : BlockFilter()
    var found = try moment(target, log, settings, blocks)
    // Behind the last event no block is worth reading, and a block may not say what was true before it.
    if found.moment == nil && blocks != BlockFilter() && log != "-" {
      found = try moment(target, log, settings, BlockFilter())
    }
    guard let moment = found.moment else {
      if case .event(let event) = target { throw event.missing(last: found.lastSequence) }
      let name = InertText.word(log)
      guard !found.isDamaged else {
        throw CommandError.unreadable(
          "\(name): has no event that can be read; tracectl verify says where it is damaged")
      }
      throw CommandError.usage("\(name): has no events")
    }

    switch format ?? .text {
    case .text:
      let text = MomentText(moment, clock ?? found.clock, style: color.color.style)
      try Terminal.print(text.text)
    case .json: try Terminal.print(MomentText.json(moment))
    }
  }

  /// What a reading of the log has found.
  private struct Found {
    var moment: RunMoment?
    /// The last event of the writer that was asked for.
    var lastSequence: UInt64 = 0
    var clock: WallClock?
    var isDamaged = false
  }

  private func moment(
    _ target: MomentFinder.Target, _ log: String, _ settings: InputSettings, _ blocks: BlockFilter
  ) throws -> Found {
    var input = try TraceInput(log, filter: blocks, settings: settings)
    var finder = MomentFinder(target, input.vocabulary)
    var events: [Event] = []
    var isFirst = true
    while !finder.isComplete, try input.read(into: &events) {
      if let checkpoint = input.checkpoint {
        finder.skip(to: checkpoint, before: events)
      } else if isFirst, input.isBinary, blocks != BlockFilter(), log != "-" {
        return Found()
      }
      isFirst = false
      finder.observe(events)
      finder.forgetUnusedWords()
    }
    return Found(
      moment: finder.finish(), lastSequence: finder.lastSequence, clock: input.clock,
      isDamaged: input.damageCount > 0)
  }

  /// What is looked for; what needs the analysis of the log is looked up there first.
  private func target(
    _ point: PointArgument, _ log: String, _ team: Configuration, _ settings: InputSettings
  ) throws -> (target: MomentFinder.Target, clock: WallClock?) {
    switch point.form {
    case .start: return (.start, nil)
    case .end: return (.end, nil)
    case .event(let event): return (.event(event), nil)
    case .moment(let moment):
      if let instant = moment.plainInstant { return (.instant(instant), nil) }
      try ByteInput.checkFile(log, "--at \(point.text)")
      let clock = try clock(of: log, settings)
      return (.instant(try moment.instant(by: clock, "--at")), clock)
    case .death, .finding:
      try ByteInput.checkFile(log, "--at \(point.text)")
      var quiet = settings
      quiet.isQuiet = true
      var reading = LogAnalysis(team, statistics: false, settings: quiet)
      let (analysis, vocabulary, _) = try reading.analyze(log)
      return (try point.target(in: analysis, vocabulary, of: log), reading.clock)
    }
  }

  /// The clock of a log; a console's text says its time with its first event.
  private func clock(of log: String, _ settings: InputSettings) throws -> WallClock? {
    var input = try TraceInput(log, settings: settings, isReadAgain: true)
    var events: [Event] = []
    while events.isEmpty, try input.read(into: &events) {}
    return input.clock
  }

  // MARK: Changes

  private func showChanges(_ log: String, _ settings: InputSettings) throws {
    var input = try TraceInput(log, settings: settings)
    var lines = ChangeLines(input.vocabulary)
    var part = window.filter()
    let limit = ExpansionLimit(
      path: InertText.word(log), isOff: noLimit, advice: "show a part with --from and --to")
    var events: [Event] = []

    while try input.read(into: &events) {
      if events.isEmpty { continue }
      let shown = try part.part(by: input.clock)
      for event in events {
        lines.take(event, isShown: shown.contains(event.instant))
        guard lines.isLong else { continue }
        try limit.check(lines.byteCount, of: input.logByteCount)
        try Terminal.write(lines.takeBytes())
      }
      try Terminal.write(lines.takeBytes())
      lines.forgetUnusedWords()
    }

    if lines.isEmpty {
      let what = window.isEmpty ? "has no events" : "no event lies in this part"
      Terminal.printError("\(InertText.word(log)): \(what)")
    }
  }
}

extension MomentFinder.Target {
  /// The blocks of a log in which the moment can be, and what comes right behind it.
  fileprivate var blocks: BlockFilter {
    if case .instant(let instant) = self { BlockFilter(from: instant) } else { BlockFilter() }
  }
}
