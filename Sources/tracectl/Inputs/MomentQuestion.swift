import LifecycleModel
import TraceConfiguration
import TraceLog
import TraceReport
import TraceText

/// Finds what was true at a moment of a run.
struct MomentQuestion {
  let log: String
  let team: Configuration
  let settings: InputSettings

  /// What was true at a moment, and the clock of the log, where it is known.
  func answer(_ point: PointArgument) throws -> (moment: RunMoment, clock: WallClock?) {
    let (target, clock) = try target(point)
    // Where a report belongs is found among all events.
    let blocks = settings.reports.isEmpty ? target.blocks : BlockFilter()
    var found = try read(target, blocks)
    // Behind the last event no block is worth reading, and a block may not say what was true before it.
    if found.moment == nil && blocks != BlockFilter() && log != "-" {
      found = try read(target, BlockFilter())
    }
    if let moment = found.moment { return (moment, clock ?? found.clock) }

    if case .event(let event) = target { throw event.missing(last: found.lastSequence) }
    let name = InertText.word(log)
    throw found.isDamaged
      ? CommandError.unreadable(
        "\(name): has no event that can be read; tracectl verify says where it is damaged")
      : CommandError.usage("\(name): has no events")
  }

  /// What a reading of the log finds, and the last event of the writer that was asked for.
  private func read(_ target: MomentFinder.Target, _ blocks: BlockFilter) throws -> (
    moment: RunMoment?, lastSequence: UInt64, clock: WallClock?, isDamaged: Bool
  ) {
    var input = try TraceInput(log, filter: blocks, settings: settings)
    var finder = MomentFinder(target, input.vocabulary)
    var events: [Event] = []
    var isFirst = true

    while !finder.isComplete, try input.read(into: &events) {
      if let checkpoint = input.checkpoint {
        finder.skip(to: checkpoint, before: events)
      } else if isFirst, input.log != nil, blocks != BlockFilter(), log != "-" {
        return (nil, 0, nil, false)
      }
      isFirst = false
      finder.observe(events)
      finder.forgetUnusedWords()
    }

    let moment = finder.finish()
    return (moment, finder.lastSequence, input.clock, input.damage(of: log) != nil)
  }

  /// What is looked for; what needs the analysis of the log is looked up there first.
  private func target(
    _ point: PointArgument
  ) throws -> (target: MomentFinder.Target, clock: WallClock?) {
    switch point.form {
    case .target(let target): return (target, nil)
    case .moment(let moment):
      if let instant = moment.plainInstant { return (.instant(instant), nil) }
      try ByteInput.checkFile(log, "--at \(point.text)")
      let clock = try readClock()
      return (.instant(try moment.instant(by: clock, "--at")), clock)
    case .death, .finding:
      try ByteInput.checkFile(log, "--at \(point.text)")
      var quiet = settings
      quiet.isQuiet = true
      let analyzed = try LogTask(team, quiet).analyze(log)
      return (try point.target(in: analyzed), analyzed.clock)
    }
  }

  /// The clock of a log; a console's text states its time with its first event.
  private func readClock() throws -> WallClock? {
    var input = try TraceInput(log, settings: settings, isReadAgain: true)
    var events: [Event] = []
    while events.isEmpty, try input.read(into: &events) {}
    return input.clock
  }
}

extension MomentFinder.Target {
  /// The blocks of a log in which the moment can be, and what comes right behind it.
  fileprivate var blocks: BlockFilter {
    if case .instant(let instant) = self { BlockFilter(from: instant) } else { BlockFilter() }
  }
}
