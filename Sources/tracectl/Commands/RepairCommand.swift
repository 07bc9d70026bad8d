import ArgumentParser
import LifecycleModel
import TraceLog
import TraceReport
import TraceText

/// `tracectl repair`: what can be read of a damaged log, as a whole one.
struct RepairCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "repair",
    abstract: "Write what can be read of a damaged log as a whole log.",
    discussion: """
      The new log has every event that can be read, those of the ring beside the log and of its older parts too. Where events are lost it has a gap, with the numbers of the lost events as far as they are known. The damaged log stays as it is.

        tracectl repair log.bin -o repaired.bin

      Standard error lists what was lost. The exit status is 0 if the new log was written. Without -o, the repaired log.bin is log.repaired.bin.
      """)

  /// So many damages and losses are told.
  private static let told = 20

  @OptionGroup var input: LogArgument

  @OptionGroup var derived: DerivedLogOptions

  func run() throws {
    let path = try input.path()
    let log = try DerivedLog(
      derived.path(madeOf: path, "repaired"), derived, madeOf: [path])
    var settings = InputSettings(isQuiet: derived.quiet, work: derived.work.limit)
    // The summary lists all damages.
    settings.tellsDamages = derived.quiet
    var source = try SourceLog(path, settings: settings)
    guard source.input.isBinary else {
      throw CommandError.unreadable(
        "\(path): is text; only a binary log can be repaired; tracectl record --source with "
          + "--on-error skip makes a log of the lines that can be read")
    }

    var whole = WholeEvents(source.vocabulary, after: source.beginning.part)
    var losses = Losses()
    try log.begin(source.vocabulary, source.identity, after: source.beginning)
    var events: [Event] = []
    while try source.read(into: &events) {
      for event in events { losses.note(event, source.vocabulary) }
      try log.append(whole.take(events))
      try log.forgetUnusedWords()
    }

    let made = try log.close()
    if !derived.quiet { tell(path, made, source, whole, losses) }
  }

  private func tell(
    _ path: String, _ made: String, _ source: SourceLog, _ whole: WholeEvents, _ losses: Losses
  ) {
    let input = source.input
    let ring = VerifyReport.problem(ofRingBeside: path).map { [InertText.line("\($0)")] } ?? []
    let hasChanged = losses.places > 0 || whole.holeCount + whole.raisedCount > 0
    if input.damageCount == 0 && ring.isEmpty && !hasChanged {
      let whole = input.isCut ? "is whole as far as it was read" : "is whole"
      Terminal.printError(["\(InertText.word(path)): \(whole)", made])
      return
    }

    var lines = input.damages.prefix(Self.told).map { InertText.line("\($0)") }
    if input.damageCount > lines.count {
      lines.append("and \(CountText.of(input.damageCount - lines.count, "more damage"))")
    }
    lines += ring + losses.lines
    Terminal.printError(lines + whole.changes + [made])
  }

  /// What the log lost.
  private struct Losses {
    private(set) var places = 0
    private var known: Int64 = 0
    private var isUnknown = false
    private var isOpen = false
    private var writers: [String] = []
    private var more = 0

    mutating func note(_ event: Event, _ vocabulary: Vocabulary) {
      guard let gap = Gap(event, in: vocabulary), gap.isDamage else { return }
      places += 1
      known &+= gap.count ?? 0
      if gap.count == nil { isUnknown = true }
      // What stood behind the place where a log was cut, nobody knows.
      if gap.cause == GapCause.tornTail.rawValue { isOpen = true }
      guard let writer = gap.writer, let from = gap.from, let to = gap.to else { return }
      guard writers.count < RepairCommand.told else { return more += 1 }
      let range = from == to ? "event \(from)" : "events \(from) to \(to)"
      writers.append("lost of \(InertText.word(writer)): \(range)")
    }

    var lines: [String] {
      if places == 0 { return [] }
      let count = known == 0 ? "" : CountText.of(known, "event") + (isUnknown ? " and " : "")
      let unknown = isUnknown ? "an unknown number of events" : ""
      let rest = more == 0 ? [] : ["and \(more) more"]
      let least = isOpen && known > 0 ? "at least " : ""
      return writers + rest + ["lost in all: \(least)\(count)\(unknown)"]
    }
  }
}
