import ArgumentParser
import LifecycleModel
import LifecycleRules
import TraceAnalysis
import TraceLog
import TraceReport
import TraceText

/// `tracectl summary`: what a log holds.
struct SummaryCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "summary",
    abstract: """
      Print what a log contains: the app, times, processes and how they ended, and counts.
      """,
    discussion: """
      Reads the block headers of a binary log, then every event once. A text log, or a log on standard input, has only events.
      """)

  /// So many losses are told.
  private static let shownLosses = 1000
  /// So many kinds of ends are told.
  private static let shownKinds = 8

  @OptionGroup var input: LogArgument

  @OptionGroup var crash: CrashOption

  @OptionGroup var work: WorkOption

  func run() throws {
    let path = try input.path()
    var input = try TraceInput(
      path, settings: InputSettings(reports: crash.reports(app: nil), work: work.limit))
    var headers: LogSummary?
    if input.hasHeaders {
      do {
        headers = try LogSummary(path: path)
      } catch LogError.notALog {
        // A compressed log has no headers to be read by themselves.
      } catch {
        throw CommandError.unreadable("\(error)")
      }
    }

    var contents = LogContents(input.vocabulary)
    var words = UnknownWords(input.vocabulary)
    var analyzer = RuleProgram([]).analyzer(input.vocabulary)
    var events: [Event] = []
    var losses = headers?.losses ?? []

    while try input.read(into: &events) {
      contents.observe(events)
      for event in events {
        words.observe(event) { input.lines?.line(of: event, in: input.vocabulary) }
        // Headers do not show that a payload is damaged.
        guard let gap = Gap(event, in: input.vocabulary) else { continue }
        // What a block's events tell to be missing, its header shows as a hole.
        if !gap.isDamage { losses = losses.compactMap(gap.rest) }
        guard gap.isDamage || gap.isNotRead, !losses.contains(gap),
          losses.count < SummaryCommand.shownLosses
        else { continue }
        losses.append(gap)
      }
      analyzer.observe(events)
      analyzer.forgetUnusedWords()
    }

    let analysis = analyzer.finish()
    var lines = [size(headers, contents, input.damages)] + app(contents, analysis)
    lines += time(analysis, input)
    if let headers {
      let id = headers.identity.map { LogIdentity.hex($0.logID) }
      lines.append("log        \(id ?? "unknown: the file header is damaged")")
    }

    lines += contents.processLines + ends(analysis.deaths)
    lines += input.damages.isEmpty ? headers?.writers.map(line) ?? [] : []
    lines += headers == nil || !input.damages.isEmpty ? contents.writerLines : []
    if let headers { lines += parts(headers) }
    lines += contents.verbLines
    lines += words.list.map { "unknown    \($0.text)" }

    if headers != nil {
      lines += losses.map { "missing    \(text(of: $0))" }
      let ring = VerifyReport.problem(ofRingBeside: path)
      let damages = input.damages.map { "\($0)" } + (ring.map { ["\($0)"] } ?? [])
      lines += damages.map { "damage     \(InertText.line($0))" }
      if !input.isCut {
        let problems = CountText.of(damages.count, "problem")
        lines.append(damages.isEmpty ? "whole" : "not whole: \(problems)")
      }
    }
    if input.isCut { lines.append("not read to its end") }
    try Terminal.print(lines.joined(separator: "\n") + "\n")
  }

  // MARK: Lines

  private func app(_ contents: LogContents, _ analysis: Analysis) -> [String] {
    let profile = analysis.profile
    let system = profile.os.map { "\(profile.platform ?? "OS") \($0)" } ?? profile.platform ?? ""
    let facts = [
      contents.bundle ?? profile.app, system.isEmpty ? nil : system,
      profile.mode.map { "\($0.rawValue) mode" },
    ]
    let text = facts.compactMap(\.self).map(InertText.line).joined(separator: ", ")
    return text.isEmpty ? [] : ["app        \(text)"]
  }

  /// How much can be read: a block whose header alone is left holds nothing.
  private func size(
    _ headers: LogSummary?, _ contents: LogContents, _ damages: [LogDamage]
  ) -> String {
    guard let headers else { return CountText.of(contents.eventCount, "event") }
    let unread = damages.filter { $0.kind == .corruptBlock }.compactMap(\.block)
    let isFromStart = headers.parts.lowerBound == 1
    // What the first events of a later part repeat did not happen there.
    let events =
      isFromStart
      ? contents.eventCount - min(contents.eventCount, UInt64(headers.ringEvents))
      : headers.eventCount - unread.reduce(0) { $0 + UInt64($1.eventCount) }
    return "\(CountText.of(events, "event")) in "
      + "\(CountText.of(headers.blockCount - unread.count, "block")), \(headers.byteCount) bytes"
      + bytesPerEvent(headers)
  }

  private func time(_ analysis: Analysis, _ input: TraceInput) -> [String] {
    var lines: [String] = []
    if let extent = analysis.extent {
      let (first, last) = (extent.lowerBound.nanoseconds, extent.upperBound.nanoseconds)
      let span = extent.upperBound.since(extent.lowerBound)
      let suspended = span &- analysis.awake
      lines.append(
        "from       \(InstantText.print(first)) to \(InstantText.print(last)): "
          + TimeText.span(span)
          + (suspended > 0 ? ", suspended for \(TimeText.span(suspended))" : ""))
      if let origin = input.wallOrigin {
        lines.append(
          "wall clock \(WallTime.text(origin &+ first)) to \(WallTime.text(origin &+ last))")
      } else if let clock = input.clock {
        lines.append("wall clock \(clock.span(extent.lowerBound, extent.upperBound))")
      } else if input.isBinary {
        lines.append("wall clock unknown")
      }
    }
    return lines
  }

  private func ends(_ deaths: Deaths) -> [String] {
    if deaths.count == 0 { return [] }
    let kinds = deaths.counts.sorted { first, second in
      first.value == second.value
        ? words(of: first.key) < words(of: second.key) : first.value > second.value
    }
    let shown = kinds.prefix(SummaryCommand.shownKinds).map { "\($0.value) \(words(of: $0.key))" }
    let more = kinds.count - shown.count
    return [
      "ends       \(deaths.count): " + shown.joined(separator: ", ")
        + (more > 0 ? " and \(more) more kinds" : "")
    ]
  }

  /// `fault (0x8badf00d)`.
  private func words(of kind: Deaths.Kind) -> String {
    let word = kind.deathClass.rawValue
    return kind.cause == word ? word : "\(word) (\(InertText.line(kind.cause)))"
  }

  private func parts(_ summary: LogSummary) -> [String] {
    var lines: [String] = []
    if summary.parts.upperBound > 1 {
      let parts = "\(summary.parts.lowerBound) to \(summary.parts.upperBound)"
      let removed = summary.removedEvents
      lines.append(
        "parts      \(parts)\(removed > 0 ? ", after \(CountText.of(removed, "removed event"))" : "")"
      )
    }

    if summary.ringEvents > 0 {
      lines.append(
        "ring       \(CountText.of(summary.ringEvents, "more event")), not yet in the log")
    }
    return lines
  }

  private func line(_ writer: LogSummary.WriterSummary) -> String {
    "writer     \(InertText.word(writer.name)): \(CountText.of(writer.count, "event")), "
      + "\(writer.first) to \(writer.last)"
  }

  private func bytesPerEvent(_ summary: LogSummary) -> String {
    guard summary.eventCount > 0 else { return "" }
    let hundredths = summary.byteCount * 100 / Int(summary.eventCount)
    let fraction = hundredths % 100
    return " (\(hundredths / 100).\(fraction < 10 ? "0" : "")\(fraction) an event)"
  }

  private func text(of gap: Gap) -> String {
    let count = gap.count.map { CountText.of($0, "event") } ?? "events"
    let writer = gap.writer.map { " of \(JSONText.quoted($0))" } ?? ""
    let range = gap.from.flatMap { from in gap.to.map { ", \(from) to \($0)" } } ?? ""
    return "\(count)\(writer)\(range): \(InertText.cause(of: gap))"
  }
}

/// What the events of a log are, counted.
private struct LogContents {
  /// So many processes are named.
  private static let named = 8

  private let vocabulary: Vocabulary
  private var counts = Array(repeating: UInt64(0), count: 256)
  private var writers: [UInt16: (count: UInt64, first: UInt64, last: UInt64)] = [:]
  private var processes: [String] = []
  private var processCount = 0
  private(set) var eventCount: UInt64 = 0
  /// The bundle of the last process that says it.
  private(set) var bundle: String?

  init(_ vocabulary: Vocabulary) { self.vocabulary = vocabulary }

  mutating func observe(_ events: [Event]) {
    for event in events {
      counts[Int(event.verb.code)] += 1
      if event.verb == .gap { continue }
      eventCount += 1
      let writer = event.writer.rawValue
      writers[writer, default: (0, event.sequence, 0)].count += 1
      writers[writer]?.last = event.sequence
      if event.verb == .processStart { add(vocabulary.attributes(event.attributes)) }
    }
  }

  private mutating func add(_ start: [Attribute]) {
    processCount += 1
    bundle = start[.bundle] ?? bundle
    guard processes.count < LogContents.named else { return }
    let facts = [start[.pid].map { "pid \($0)" }, start[.launch].map { "launch \($0)" }]
      .compactMap(\.self).joined(separator: " ")
    processes.append(InertText.line(facts.isEmpty ? "not named" : facts))
  }

  var processLines: [String] {
    if processCount == 0 { return ["processes  not recorded"] }
    let more = processCount - processes.count
    return [
      "processes  \(processCount): " + processes.joined(separator: ", ")
        + (more > 0 ? " and \(more) more" : "")
    ]
  }

  /// `412 work, 80 call`: the most frequent first, then as the document lists them.
  var verbLines: [String] {
    let verbs = counts.indices.filter { counts[$0] > 0 }
      .sorted { (counts[$1], $0) < (counts[$0], $1) }
      .map { "\(counts[$0]) \(InertText.word(vocabulary.word(of: Verb(code: UInt8($0)))))" }
    return stride(from: 0, to: verbs.count, by: 6).map { start in
      (start == 0 ? "verbs      " : "           ")
        + verbs[start..<min(start + 6, verbs.count)].joined(separator: ", ")
    }
  }

  var writerLines: [String] {
    writers.sorted { $0.key < $1.key }.map { number, span in
      let name = InertText.word(vocabulary.name(of: WriterID(rawValue: number)))
      return
        "writer     \(name): \(CountText.of(span.count, "event")), \(span.first) to \(span.last)"
    }
  }
}
