import LifecycleModel
import TraceSources
import TraceText

/// Puts the ends that crash reports tell into the events of a log, where they belong.
struct JoinedReports {
  private struct Insertion {
    var place: ReportJoin.Place
    var entry: ReportFiles.Entry
  }

  /// What belongs nowhere in the log, with the reason.
  private(set) var apart: [(path: String, reason: String)] = []
  /// What belongs to the log, with what tells it.
  private(set) var joined: [(path: String, means: ReportJoin.Means)] = []
  /// In the order of the log; the first is the next.
  private var insertions: [Insertion] = []
  private var count: UInt64 = 0
  private var lastOfSystem: UInt64 = 0
  /// So many events of the system were put in.
  private var added: UInt64 = 0

  /// Looks through a log for the processes that reports are about; without reports it is not read.
  init(_ entries: [ReportFiles.Entry], log path: String, settings: InputSettings) throws {
    if entries.isEmpty { return }
    if path == "-" {
      throw CommandError.usage(
        "--crash reads the log twice, so that it must be a file, not standard input")
    }

    var settings = settings
    settings.isQuiet = true
    var input = try TraceInput(path, settings: settings, isReadAgain: true)
    var processes = RecordedProcesses()
    var events: [Event] = []
    while try input.read(into: &events) { processes.observe(events, input.vocabulary) }

    let join = ReportJoin(input.joinFacts, processes.list)
    for entry in entries {
      switch join.outcome(of: entry.report) {
      case .apart(let reason): apart.append((entry.path, reason))
      case .joined(let place):
        joined.append((entry.path, place.means))
        insertions.append(Insertion(place: place, entry: entry))
      }
    }
    insertions.sort { $0.place.eventCount < $1.place.eventCount }
  }

  /// Puts ends into the next events of the log.
  mutating func put(into events: inout [Event], _ vocabulary: Vocabulary) {
    if insertions.isEmpty && added == 0 { return }
    var result: [Event] = []
    result.reserveCapacity(events.count)
    for var event in events {
      count += 1
      if event.writer == .system && event.verb != .gap {
        event.sequence &+= added
        lastOfSystem = event.sequence
      }
      result.append(event)

      while let next = insertions.first, next.place.eventCount <= count {
        insertions.removeFirst()
        result += told(next, vocabulary)
      }
    }
    events = result
  }

  private mutating func told(_ insertion: Insertion, _ vocabulary: Vocabulary) -> [Event] {
    let (place, report) = (insertion.place, insertion.entry.report)
    let name = insertion.entry.path.split(separator: "/").last.map(String.init) ?? ""
    let note = Event(
      instant: place.instant, writer: .system, verb: .note, subject: .app,
      label: vocabulary.symbol("\(name): joined by \(place.means.rawValue)"))

    var told = [note] + report.events(at: place.instant, vocabulary)
    for index in told.indices {
      added += 1
      lastOfSystem += 1
      told[index].sequence = lastOfSystem
    }
    return told
  }

  /// Says what belongs nowhere.
  func tellApart(_ log: String) {
    for (path, reason) in apart {
      Terminal.printError(
        "\(InertText.word(path)): not joined to \(InertText.word(log)): \(reason)")
    }
  }
}
