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
    help: ArgumentHelp(
      "The moment: 15.1s, 17:30:31, main#25, a fingerprint, @start, @end or @death.",
      valueName: "moment"))
  var at: PointArgument?

  @Option(
    help: ArgumentHelp(
      "Show changes from this time on: 4.2s, or 17:30:31 by the wall clock.", valueName: "moment"))
  var from: MomentArgument?

  @Option(help: ArgumentHelp("Show changes up to this time.", valueName: "moment"))
  var to: MomentArgument?

  @Flag(help: "Draw the changes, too.")
  var timeline = false

  @Option(help: ArgumentHelp("The form of --at: text (the default) or json.", valueName: "form"))
  var format: Format?

  @OptionGroup(title: "The picture") var picture: PictureOptions

  @OptionGroup(title: "What the log does not state") var inputOptions: InputOptions

  @OptionGroup var configured: ConfigurationOption

  @OptionGroup var color: ColorOptions

  func validate() throws {
    try at?.check("--at")
    try from?.check("--from")
    try to?.check("--to")
    if at != nil && (from != nil || to != nil || timeline) {
      throw ValidationError("--at shows one moment; --from, --to and --timeline show a part")
    }
    if at == nil && format != nil { throw ValidationError("--format needs --at") }
    if !timeline && !picture.isEmpty {
      throw ValidationError("--axis, --ascii and --width need --timeline")
    }
  }

  func run() throws {
    let log = try input.path()
    let team = try configured.load()
    let settings = try inputOptions.settings(team)
    if let at {
      try showMoment(at, log, team, settings)
    } else {
      try showChanges(log, team, settings)
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
    // Behind the last event no block is worth reading.
    if found.moment == nil && blocks != BlockFilter() && log != "-" {
      found = try moment(target, log, settings, BlockFilter())
    }
    guard let moment = found.moment else {
      if case .event(let event) = target { throw event.missing(last: found.lastSequence) }
      throw CommandError.usage("\(InertText.word(log)): has no events")
    }

    switch format ?? .text {
    case .text:
      let text = MomentText(moment, clock ?? found.clock, style: color.color.style)
      try Terminal.print(text.text)
    case .json: try Terminal.print(MomentText.json(moment))
    }
  }

  private func moment(
    _ target: MomentFinder.Target, _ log: String, _ settings: InputSettings, _ blocks: BlockFilter
  ) throws -> (moment: RunMoment?, lastSequence: UInt64, clock: WallClock?) {
    var input = try TraceInput(log, filter: blocks, settings: settings)
    var finder = MomentFinder(target, input.vocabulary)
    var events: [Event] = []
    while !finder.isComplete, try input.read(into: &events) {
      if let checkpoint = input.checkpoint { finder.skip(to: checkpoint) }
      finder.observe(events)
      finder.forgetUnusedWords()
    }
    return (finder.finish(), finder.lastSequence, input.clock)
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
      let clock = try clock(of: log, settings)
      return (.instant(try moment.instant(by: clock, "--at")), clock)
    case .death, .finding:
      try PictureOptions.check(log)
      var quiet = settings
      quiet.isQuiet = true
      var reading = LogAnalysis(team, statistics: false, settings: quiet)
      let (analysis, vocabulary, _) = try reading.analyze(log)
      return (try point.target(in: analysis, vocabulary, of: log), reading.clock)
    }
  }

  /// The clock of a log; a console's text says its time with its first event.
  private func clock(of log: String, _ settings: InputSettings) throws -> WallClock? {
    try PictureOptions.check(log)
    var input = try TraceInput(log, settings: settings, isReadAgain: true)
    var events: [Event] = []
    while events.isEmpty, try input.read(into: &events) {}
    return input.clock
  }

  // MARK: Changes

  private func showChanges(
    _ log: String, _ team: Configuration, _ settings: InputSettings
  ) throws {
    if timeline { try drawPart(log, team, settings) }
    var input = try TraceInput(log, settings: settings, isReadAgain: timeline)
    var changes = ChangeLines(input.vocabulary)
    var events: [Event] = []
    var window: ClosedRange<Instant>?
    while try input.read(into: &events) {
      if events.isEmpty { continue }
      let part =
        try window ?? MomentArgument.window(from, to, by: input.clock)
        ?? .distantPast ... .distantFuture
      window = part
      for event in events {
        changes.take(event, isShown: part.contains(event.instant))
        if changes.isLong { try Terminal.write(changes.takeBytes()) }
      }
      try Terminal.write(changes.takeBytes())
      changes.forgetUnusedWords()
    }
    if changes.isEmpty { Terminal.printError("\(InertText.word(log)): no event lies in this part") }
  }

  private func drawPart(_ log: String, _ team: Configuration, _ settings: InputSettings) throws {
    try PictureOptions.check(log)
    var reading = LogAnalysis(team, statistics: false, settings: settings)
    var instants = StoryInstants()
    let (analysis, _, _) = try reading.analyze(log) { _, _, events in instants.observe(events) }
    let window = try MomentArgument.window(from, to, by: reading.clock)
    guard let drawn = try picture.picture(of: log, analysis, instants, reading, in: window) else {
      return
    }
    try Terminal.print(drawn.lines(color.color.style).joined(separator: "\n") + "\n\n")
  }
}

extension MomentFinder.Target {
  /// The blocks of a log in which the moment can be, and what comes right behind it.
  fileprivate var blocks: BlockFilter {
    if case .instant(let instant) = self { BlockFilter(from: instant) } else { BlockFilter() }
  }
}
