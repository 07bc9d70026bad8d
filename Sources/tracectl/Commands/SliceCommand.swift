import ArgumentParser
import LifecycleModel
import TraceLog
import TraceText

/// `tracectl slice`: a part of a log as a log.
struct SliceCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "slice",
    abstract: "Cut a part out of a log: a window of time, or one process.",
    discussion: """
      The slice is a binary log. It begins with what was true at its start, as a log does whose older parts were removed, so that rules judge it as they judge such a log. Events keep their times and numbers:

        tracectl slice log.bin --from 12s --to 40s -o slice.bin
        tracectl slice log.bin --process 2051

      A slice is contiguous: it ends before the first event behind --to. Without -o, a slice of log.bin is log.sliced.bin.
      """)

  @OptionGroup var input: LogArgument

  @OptionGroup var window: WindowOptions

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      """
      Only this process, by its number in reports; one whose start has no number by its place in \
      the log, from 1.
      """, valueName: "pid"), transform: WholeNumber.read)
  var process: Int?

  @OptionGroup var derived: DerivedLogOptions

  @OptionGroup(title: "Console text") var console: ConsoleOptions

  func validate() throws {
    if window.isEmpty && process == nil {
      throw ValidationError("slice needs --from, --to or --process; to copy a log, use cp")
    }
  }

  func run() throws {
    let path = try input.path()
    let log = try DerivedLog(
      derived.path(madeOf: path, "sliced"), derived, madeOf: [path])
    let settings = InputSettings(
      console: console.options, isQuiet: derived.quiet, work: derived.work.limit)
    var source = try SourceLog(path, settings: settings)
    let part = try window.part(by: source.input.clock) ?? .distantPast ... .distantFuture
    var slicer = LogSlicer(source.vocabulary, after: source.beginning, in: part, process: process)
    var whole: WholeEvents?

    func write(_ events: [Event]) throws {
      guard let beginning = slicer.beginning, !events.isEmpty else { return }
      if !log.isBegun { try log.begin(source.vocabulary, source.identity, after: beginning) }
      var stage = whole ?? WholeEvents(source.vocabulary, after: beginning.part)
      try log.append(stage.take(events))
      whole = stage
    }

    var events: [Event] = []
    var hasRead = false
    while !slicer.isOver, try source.read(into: &events) {
      hasRead = hasRead || events.contains { $0.verb != .gap }
      try write(slicer.take(events, checkpoint: source.checkpoint))
      try forgetUnusedWords(slicer, log, source.vocabulary)
    }

    try write(slicer.finish())
    guard log.isBegun else {
      if !hasRead, let damage = source.damage { throw CommandError.unreadable(damage) }
      throw nothing(in: path, slicer)
    }
    let made = try log.close()
    if !derived.quiet {
      Terminal.printError([source.damage].compactMap(\.self) + (whole?.changes ?? []) + [made])
    }
  }

  private func forgetUnusedWords(
    _ slicer: LogSlicer, _ log: DerivedLog, _ vocabulary: Vocabulary
  ) throws {
    guard vocabulary.isLarge, slicer.holdsNothing else { return }
    if log.isBegun { return try log.forgetUnusedWords() }
    var use = VocabularyUse()
    slicer.addWords(to: &use)
    vocabulary.forget(except: use)
  }

  /// Why the slice has no event.
  private func nothing(in path: String, _ slicer: LogSlicer) -> CommandError {
    let name = InertText.word(path)
    guard let process else {
      return .usage(
        "\(name): no event lies between --from and --to; tracectl summary shows its time")
    }
    if slicer.processes.isEmpty {
      return .usage("\(name): no process starts in this log; choose a part with --from and --to")
    }
    let others = slicer.processes.map(InertText.word).joined(separator: ", ")
    return .usage(
      "\(name): has no events of process \(process)\(window.inPart); its processes: \(others)")
  }
}
