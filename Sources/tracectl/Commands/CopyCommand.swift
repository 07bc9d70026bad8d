import ArgumentParser
import LifecycleModel
import TraceLog
import TraceReport
import TraceText

/// `tracectl copy`: a log, a part of it, or the pieces of one, as a whole log.
struct CopyCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "copy",
    abstract: "Copy a log: repair it, cut a part out, join its pieces, or hide the app's words.",
    discussion: """
      The copy is a binary log with every event that can be read, those of the ring beside the log and of its older parts too. Copying a damaged log repairs it: where events are lost the copy has a gap, with their numbers as far as they are known, and standard error lists what was lost. The log stays as it is.

        tracectl copy damaged.bin -o whole.bin
        tracectl copy log.bin -o part.bin --from 12s --to 40s
        tracectl copy log.bin -o one.bin --process 2051
        tracectl copy late.bin early.bin -o log.bin
        tracectl copy log.bin -o public.bin --scrub --keep label=autosave

      A part begins with what was true at its start, as a log does whose older parts were removed. It is contiguous: it ends before the first event behind --to. Events keep their times and numbers.

      Several logs are slices, parts or copies of one log, in any order: what is in two of them is in the copy once, and what one has lost another may have. tracectl analyze takes different logs side by side.

      --scrub keeps callbacks, UIKit names, categories, states, codes, numbers and times, and replaces all other words; the same word has the same replacement in the whole log. The clocks in the header are left out. A pattern names where the word stands, and maybe what it looks like: label, name, writer, verb, the key of an attribute, or * for any; then = and a word with * and ?. Of several patterns --drop wins, then --hash.

      The exit status is 0 if the copy was written, whatever was lost.
      """)

  @Argument(
    help: ArgumentHelp(
      """
      The log, in any form, or pieces of one; - is standard input. By default the newest recording \
      in this directory.
      """, valueName: "log"),
    completion: .file())
  var logs: [String] = []

  @OptionGroup var derived: DerivedLogOptions

  @OptionGroup var window: WindowOptions

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      """
      Only this process, by its number in reports; one whose start has no number by its place in \
      the log, from 1.
      """, valueName: "pid"), transform: WholeNumber.read)
  var process: Int?

  @Option(parsing: .unconditional, help: .maxWork, transform: WorkLimit.read)
  var maxWork: WorkLimit?

  @OptionGroup(title: "Scrubbing") var scrubbing: ScrubOptions

  @OptionGroup(title: "Console text") var console: ConsoleOptions

  func validate() throws {
    if logs.count > 1, logs.contains("-") {
      throw ValidationError("- reads one log from standard input; name no other logs with it")
    }
  }

  func run() throws {
    let paths = logs.isEmpty ? [try NewestLog.path()] : logs
    let log = try DerivedLog(derived, madeOf: paths)
    var settings = InputSettings(
      console: console.options, isQuiet: derived.quiet, work: maxWork ?? WorkLimit())
    // The summary lists all damages.
    settings.tellsDamages = derived.quiet
    let pieces = try paths.map { try SourceLog($0, settings: settings) }
    if pieces.count == 1 { try copy(pieces[0], to: log) } else { try join(pieces, to: log) }
  }

  // MARK: One log

  private func copy(_ source: SourceLog, to log: DerivedLog) throws {
    var source = source
    let (copy, made) = try copy(&source, of: source, to: log)
    var lines: [String] = []
    if let reader = source.input.log {
      lines = reader.damages.prefix(LogCopy.most).map { InertText.line("\($0)") }
      if reader.damageCount > lines.count {
        lines.append("and \(CountText.of(reader.damageCount - lines.count, "more damage"))")
      }
      let ring = VerifyReport.problem(ofRingBeside: source.path)
      lines += ring.map { [InertText.line("\($0)")] } ?? []
    }
    lines += copy.losses.lines + copy.changes
    if lines.isEmpty, source.input.log != nil, !isPart {
      lines = ["\(source.name): is whole" + (source.input.isCut ? " as far as it was read" : "")]
    }
    printSummary(lines + [made])
  }

  // MARK: Pieces of a log

  private func join(_ pieces: [SourceLog], to log: DerivedLog) throws {
    let first = pieces[0]
    let id = first.input.identity?.logID
    for piece in pieces.dropFirst() where id == nil || piece.input.identity?.logID != id {
      throw CommandError.usage(
        "\(piece.name): is no slice, part or copy of the same log as \(first.name), by the ids in "
          + "their headers; tracectl analyze \(first.name) \(piece.name) takes them side by side")
    }

    let joined = pieces.filter { !$0.isEmpty }
    var join = try SliceJoin(joined.map { ($0, $0.beginning) })
    do {
      let (copy, made) = try copy(&join, of: first, to: log)
      var lines = pieces.filter(\.isEmpty).map { "\($0.name): has no events" }
      lines += join.streams.compactMap { $0.input.damage(of: $0.path) }
      if join.repeatedCount > 0 {
        let events = CountText.of(join.repeatedCount, "event")
        lines.append("\(events) in more than one of the logs: copied once")
      }
      printSummary(lines + copy.losses.lines + copy.changes + [made])
    } catch let error as SliceJoin<SourceLog>.NotOneLog {
      throw CommandError.usage(
        "\(joined[error.index].name): has the log id of another log here, and other events, so they "
          + "are no slices of one log; did tracectl simulate write both? it needs another --seed")
    }
  }

  // MARK: Both

  private var isPart: Bool { !window.isEmpty || process != nil }

  /// Copies the log that `piece` is, or is of; returns what was written, in words.
  private func copy(
    _ source: inout some CopiedStream, of piece: SourceLog, to log: DerivedLog
  ) throws -> (LogCopy, made: String) {
    let part = try window.range(by: piece.input.clock)
    let slicer =
      isPart
      ? LogSlicer(source.vocabulary, after: source.beginning, in: part, process: process) : nil
    let scrubber = scrubbing.scrubber
    var copy = LogCopy(
      source, to: log, identity(piece.identity), part: slicer,
      words: scrubber ?? SameWords())
    try copy.run(&source)

    guard log.isBegun else {
      let one = source as? SourceLog
      if !copy.hasRead, let damage = one?.input.damage(of: piece.path) {
        throw CommandError.unreadable(damage)
      }
      throw nothing(in: piece.name, copy.processes)
    }
    let made = try log.close()
    for line in scrubber.map(scrubbing.unused) ?? [] { Terminal.printError(line) }
    return (copy, made)
  }

  /// The identity of the copy: which log it is and when it began say whose it is.
  private func identity(_ known: LogIdentity) -> LogIdentity {
    if !scrubbing.scrub { return known }
    var identity = LogIdentity.imported(originWall: nil)
    guard scrubbing.keepTime else { return identity }
    (identity.originWall, identity.originMonotonic) = (known.originWall, known.originMonotonic)
    (identity.originBoottime, identity.bootID) = (known.originBoottime, known.bootID)
    return identity
  }

  private func printSummary(_ lines: [String]) {
    if !derived.quiet { Terminal.printError(lines) }
  }

  /// Why the part has no event.
  private func nothing(in name: String, _ processes: [String]) -> CommandError {
    guard let process else {
      return .usage(
        "\(name): no event lies between --from and --to; tracectl analyze shows its time")
    }
    if processes.isEmpty {
      return .usage("\(name): no process starts in this log; choose a part with --from and --to")
    }
    let others = processes.map(InertText.word).joined(separator: ", ")
    return .usage(
      "\(name): has no events of process \(process)\(window.inPart); its processes: \(others)")
  }
}
