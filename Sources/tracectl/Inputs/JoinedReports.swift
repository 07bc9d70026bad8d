import LifecycleModel
import TraceSources
import TraceText

/// Puts the ends that crash reports tell into the events of a log, where they belong.
struct JoinedReports {
  private let entries: [ReportFiles.Entry]
  private var join: ReportJoin
  private var lastOfSystem: UInt64 = 0
  /// So many events of the system were put in.
  private var added: UInt64 = 0

  /// Whether there are none.
  var isEmpty: Bool { entries.isEmpty }

  init(_ entries: [ReportFiles.Entry]) {
    self.entries = entries
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
      for place in join.observe(event, vocabulary, facts) { tell(place, &result, vocabulary) }
      if event.isNumberedOfSystem {
        event.sequence &+= added
        lastOfSystem = event.sequence
      }
      result.append(event)
    }
    events = result
  }

  /// Puts in what the end of the log decides.
  mutating func finish(
    into events: inout [Event], _ vocabulary: Vocabulary,
    _ facts: ReportJoin.LogFacts
  ) {
    if isEmpty { return }
    for place in join.finish(facts) { tell(place, &events, vocabulary) }
  }

  private mutating func tell(
    _ place: ReportJoin.Place, _ events: inout [Event], _ vocabulary: Vocabulary
  ) {
    let entry = entries[place.report]
    let name = entry.path.split(separator: "/").last.map(String.init) ?? ""
    let note = Event(
      instant: place.instant, writer: .system, verb: .note, subject: .app,
      label: vocabulary.symbol("\(name): joined by \(place.means.rawValue)"))
    var told = [note] + entry.report.events(at: place.instant, vocabulary)

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

  /// Says what belongs nowhere in the log that is called so.
  func tellApart(_ log: String) {
    for (index, reason) in join.apart {
      Terminal.printError(
        "\(InertText.word(entries[index].path)): not joined to \(InertText.word(log)): \(reason)")
    }
  }
}

extension Event {
  /// Whether it has a number of the system's.
  fileprivate var isNumberedOfSystem: Bool { writer == .system && verb != .gap }
}
