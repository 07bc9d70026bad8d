import LifecycleModel
import TraceSources
import TraceText

/// Puts the ends that crash reports tell into the events of a log, where they belong.
struct JoinedReports {
  private let entries: [ReportFiles.Entry]
  /// The number of entries, at the start, that were named.
  ///
  /// The others stand in the log's own text: those of them that belong to none of its processes are shown all the same.
  private let namedCount: Int
  private var join: ReportJoin
  private var lastOfSystem: UInt64 = 0
  /// The instant of the last event of the log.
  private var lastInstant = Instant.origin
  /// What is told of reports that were joined, and leave a question.
  private var complaints: [String] = []
  /// So many events of the system were put in.
  private var added: UInt64 = 0
  /// How many ends the log itself has.
  private var endCount = 0

  /// Whether there are none.
  var isEmpty: Bool { entries.isEmpty }

  init(_ named: [ReportFiles.Entry], beside: [TerminationReport] = []) {
    entries = named + beside.map { ("the report below", $0) }
    namedCount = entries.count - beside.count
    join = ReportJoin(entries.map(\.report))
  }

  /// Puts ends into the next events of the log.
  mutating func put(
    into events: inout [Event], _ vocabulary: Vocabulary,
    _ facts: ReportJoin.LogFacts
  ) {
    if isEmpty { return }
    var result: [Event] = []
    result.reserveCapacity(events.count)

    for var event in events {
      tell(join.observe(event, vocabulary, facts), &result, vocabulary)
      if event.isNumberedOfSystem {
        event.sequence &+= added
        lastOfSystem = event.sequence
      }
      if event.verb == .kill || event.verb == .exit { endCount += 1 }
      result.append(event)
    }
    events = result
    lastInstant = result.last?.instant ?? lastInstant
  }

  /// Puts in what the end of the log decides.
  mutating func finish(
    into events: inout [Event], _ vocabulary: Vocabulary,
    _ facts: ReportJoin.LogFacts
  ) {
    if isEmpty { return }
    tell(join.finish(facts), &events, vocabulary)
    showBesides(&events, vocabulary)
  }

  /// Shows the reports of the log's own text that belong to none of its processes, each as one of its own.
  private mutating func showBesides(_ events: inout [Event], _ vocabulary: Vocabulary) {
    for (index, reason) in join.apart where index >= namedCount {
      let last = events.last?.instant ?? lastInstant
      let report = entries[index].report
      // Who shows the lines of one end and a report without a name shows one end twice.
      let isSame =
        report.process == nil && report.bundle == nil && report.pid == nil && endCount == 1
      var own =
        isSame
        ? report.events(at: last, vocabulary, doubt: "the report in the same text names no process")
        : report.ownEvents(from: last, vocabulary)
      let words = isSame ? "without a name" : "of another process: \(reason)"
      own.insert(note("a report in the same text, \(words)", at: last, vocabulary), at: 0)

      for offset in own.indices { own[offset].sequence = lastOfSystem + UInt64(offset) + 1 }
      lastOfSystem += UInt64(own.count)
      events += own
    }
  }

  /// Tells the ends of one process, and which of them contradict each other.
  private mutating func tell(
    _ places: [ReportJoin.Place], _ events: inout [Event], _ vocabulary: Vocabulary
  ) {
    let contradiction = contradiction(among: places.filter { !$0.isSecond }.map(\.report))
    if let contradiction { complaints.append(contradiction) }
    for place in places.sorted(by: { $0.instant < $1.instant }) {
      let name = name(of: place.report)
      if place.isSecond {
        let words =
          "\(name): fits this process, too, and stands with an earlier one of the same number: "
          + "which one ended so is not known"
        complaints.append(words)
        put([note(words, at: place.instant, vocabulary)], place, &events)
        continue
      }

      let means = "\(name): joined by \(place.means.rawValue)"
      let told = entries[place.report].report.events(
        at: place.instant, vocabulary, doubt: contradiction ?? place.means.doubt)
      put([note(means, at: place.instant, vocabulary)] + told, place, &events)
    }
  }

  /// Which two of the reports tell of ends that one process cannot have both; `nil` if none do.
  private func contradiction(among reports: [Int]) -> String? {
    for (offset, first) in reports.enumerated() {
      for second in reports[(offset + 1)...]
      where entries[first].report.contradicts(entries[second].report) {
        let ends = [first, second].map { "\(name(of: $0)): \(entries[$0].report.summary)" }
        return "two reports contradict each other (\(ends.joined(separator: "; ")))"
      }
    }
    return nil
  }

  private func name(of report: Int) -> String {
    entries[report].path.split(separator: "/").last.map(String.init) ?? ""
  }

  private func note(_ text: String, at instant: Instant, _ vocabulary: Vocabulary) -> Event {
    Event(
      instant: instant, writer: .system, verb: .note, subject: .app,
      label: vocabulary.symbol(text))
  }

  /// Puts events of the system where they belong, and numbers them and what follows.
  private mutating func put(
    _ told: [Event], _ place: ReportJoin.Place, _ events: inout [Event]
  ) {
    var told = told
    let index = max(0, events.count - place.profilesBehind)
    var count = UInt64(0)
    for later in events.indices[index...] where events[later].isNumberedOfSystem {
      events[later].sequence += UInt64(told.count)
      count += 1
    }
    for offset in told.indices { told[offset].sequence = lastOfSystem - count + UInt64(offset) + 1 }
    events.insert(contentsOf: told, at: index)
    added += UInt64(told.count)
    lastOfSystem += UInt64(told.count)
  }

  /// How many reports there are, where none belongs to the log that was read; 0 where one does.
  var countOfNone: Int {
    let apart = join.apart.count { $0.report < namedCount }
    return apart == namedCount ? namedCount : 0
  }

  /// Says what belongs nowhere in the log that is called so, and which ends leave a question.
  func tellApart(_ log: String) {
    for complaint in complaints {
      Terminal.printError("\(InertText.word(log)): \(InertText.line(complaint))")
    }
    for (index, reason) in join.apart where index < namedCount {
      Terminal.printError(
        "\(InertText.word(entries[index].path)): not joined to \(InertText.word(log)): \(reason)")
    }
  }
}

extension Event {
  /// Whether it has a number of the system's.
  fileprivate var isNumberedOfSystem: Bool { writer == .system && verb != .gap }
}
