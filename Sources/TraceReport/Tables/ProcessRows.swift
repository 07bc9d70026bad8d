import LifecycleModel
import TraceAnalysis

/// The rows of `processes`, which wait for what is concluded about their ends.
struct ProcessRows {
  private struct Row {
    let number: Int
    let start: Instant
    var said: StartWords
    var end: Instant
    var hasEnded = false
    /// How long it was in which state; `nil` of a process of which only the end is known.
    var times: ProcessClocks?
    /// The place of its end among the ends that are judged, from 1; `nil` when none is.
    var verdict: Int?
  }

  /// From which event to which a process goes.
  private struct Extent {
    let process: Int
    let first: UInt64
    var last = UInt64.max
  }

  private let log: String
  /// The process that runs; `nil` when none does.
  private(set) var current: Int?
  private var running: (row: Row, clocks: ProcessClocks)?
  private var waiting: [Row] = []
  private var extents: [Extent] = []
  private var count = 0
  private var lastVerdict = 0
  private var endedAt: (event: UInt64, process: Int)?
  /// How many conclusions were taken.
  private var taken = 0
  private var conclusions: [Int: ConclusionWords] = [:]
  private var last: ConclusionWords?

  init(_ log: String) { self.log = log }

  /// A process begins.
  mutating func begin(
    _ bar: LaneBar, _ clocks: ProcessClocks, _ profile: Profile, _ vocabulary: Vocabulary
  ) {
    count += 1
    current = count
    let said = StartWords(bar.event, profile, vocabulary)
    running = (Row(number: count, start: bar.event.instant, said: said, end: bar.begin), clocks)
    extents.append(Extent(process: count, first: bar.ordinal))
  }

  /// The process ends; `verdict` is the number of that on the event that tells of it, `nil` when there is
  /// none.
  mutating func end(
    _ bar: LaneBar, _ end: LaneEnd, _ clocks: ProcessClocks, _ profile: Profile,
    verdict: Int?
  ) {
    guard let (known, before) = running else { return }
    var row = known
    row.end = max(end.instant, row.start)
    row.times = clocks.since(before)
    // The profile of the next process may stand before its start already.
    if end.cause != .replaced { row.said.complete(by: profile) }
    row.hasEnded = end.cause != .endOfLog
    if end.cause == .replaced, let verdict, verdict > lastVerdict {
      row.verdict = verdict
      lastVerdict = verdict
    }

    waiting.append(row)
    if end.cause != .endOfLog { extents[extents.count - 1].last = end.ordinal }
    endedAt = (end.ordinal, row.number)
    (running, current) = (nil, nil)
  }

  /// An event tells of the end of a process, of which nothing else may be known.
  mutating func noteDeath(at instant: Instant, _ number: UInt64, _ judged: Int) {
    lastVerdict = judged + 1
    if endedAt?.event != number {
      count += 1
      waiting.append(
        Row(number: count, start: instant, said: StartWords(), end: instant, hasEnded: true))
      extents.append(Extent(process: count, first: number, last: number))
      endedAt = (number, count)
    }
    waiting[waiting.count - 1].verdict = lastVerdict
    waiting[waiting.count - 1].hasEnded = true
  }

  /// The process that ended with the event of this number.
  func ended(at number: UInt64) -> Int? { endedAt?.event == number ? endedAt?.process : nil }

  /// The process of the event with this number; `nil` of those between two processes.
  func process(of event: UInt64) -> Int? {
    var (low, high) = (0, extents.count)
    while low < high {
      let middle = (low + high) / 2
      if extents[middle].first <= event { low = middle + 1 } else { high = middle }
    }
    guard low > 0, event <= extents[low - 1].last else { return nil }
    return extents[low - 1].process
  }

  // MARK: Conclusions

  /// Takes what is concluded of the next process that is over.
  mutating func take(_ conclusion: ProcessConclusion, _ vocabulary: Vocabulary) {
    let words = ConclusionWords(conclusion, vocabulary)
    if conclusion.death == nil {
      last = words
    } else {
      taken += 1
      conclusions[taken] = words
    }
  }

  /// Adds the rows about which all is known by now; at the end of the log, all.
  mutating func hand(
    isEnd: Bool, in window: ClosedRange<Instant>, to chunk: inout TableChunk
  ) {
    var ready = 0
    for row in waiting {
      if !isEnd, let verdict = row.verdict, verdict > taken { break }
      ready += 1
      let words = row.verdict.flatMap { conclusions.removeValue(forKey: $0) }
      guard row.start <= window.upperBound, row.end >= window.lowerBound else { continue }
      let told = words ?? (row.hasEnded ? nil : last)
      chunk.add(head(row) + (told ?? ConclusionWords()).values(row.said, row.hasEnded))
    }
    waiting.removeFirst(ready)
  }

  private func head(_ row: Row) -> [TableValue] {
    [
      .text(log), .of(row.number), .integer(row.start.nanoseconds),
      .of(row.times.map { _ in row.end.since(row.start) }), .of(row.times?.awake),
      .of(row.times?.foreground), .of(row.times?.background),
    ]
  }
}

/// What the start of a process says, in words of its own.
private struct StartWords {
  var pid: Int?
  var launch: String?
  var bundle: String?
  var version: String?
  var build: String?
  var os: String?

  /// Of a process whose start is not known.
  init() {}

  init(_ first: Event, _ profile: Profile, _ vocabulary: Vocabulary) {
    let said = vocabulary.attributes(first.attributes) + profile.attributes
    pid = said[.pid].flatMap { Int($0) }
    (launch, bundle) = (said[.launch], said[.bundle])
    complete(by: profile)
  }

  /// Takes what a profile says of the release, where nothing is known yet.
  mutating func complete(by profile: Profile) {
    version = version ?? profile.version
    build = build ?? profile.build
    os = os ?? profile.os
    bundle = bundle ?? profile.app
  }
}

/// What is concluded of a process, in words of its own.
private struct ConclusionWords {
  private var said = StartWords()
  /// From `manner` to `code_fits`; NULL where the end is not known.
  private var death: [TableValue] = Array(repeating: .null, count: 13)
  private var rules: [TableValue] = [.null, .null]
  private var verdict: String?

  /// Of a process about which nothing is concluded.
  init() {}

  init(_ conclusion: ProcessConclusion, _ vocabulary: Vocabulary) {
    rules = [.of(conclusion.rulesTold), .of(conclusion.rulesUntold)]
    guard let death = conclusion.death else { return }
    let process = death.process
    (said.pid, said.launch) = (process.pid, process.launch?.rawValue)
    said.bundle = process.bundle
    self.death = ConclusionWords.values(death, vocabulary)
    verdict = DeathText(death, vocabulary).paragraph
  }

  private static func values(_ death: DeathVerdict, _ vocabulary: Vocabulary) -> [TableValue] {
    let attributes = vocabulary.attributes(death.end.attributes)
    let reason = death.exception ?? (death.manner == .silent ? nil : attributes[.reason])
    let suspect = death.suspects.first
    let fits: Bool? =
      switch death.agreement {
      case .agrees: true
      case .disagrees: false
      case .nothingToShow, .notShown, .cannotTell, nil: nil
      }

    return [
      .text(death.manner.rawValue), .of(death.reason?.rawValue),
      .text(death.deathClass.rawValue), .text(death.cause),
      .of(death.code.map { "0x" + String($0, radix: 16) }), .of(death.namespace), .of(reason),
      .text(death.audience.rawValue), .of(death.state?.rawValue),
      .of(death.deathClass == .unknown ? nil : death.isNormal), .of(suspect?.kind.rawValue),
      .of(suspect.flatMap { word(of: $0.event, vocabulary) }), .of(fits),
    ]
  }

  /// The app's own word for what an event opened, or else its name.
  private static func word(of event: Event, _ vocabulary: Vocabulary) -> String? {
    let words = [event.label, event.name].filter { !$0.isNone }.map(vocabulary.text)
    return words.first { !$0.isEmpty }
  }

  /// The values from `pid` on, of a process whose start says this.
  func values(_ start: StartWords, _ hasEnded: Bool) -> [TableValue] {
    let facts: [TableValue] = [
      .of(said.pid ?? start.pid), .of(said.launch ?? start.launch),
      .of(said.bundle ?? start.bundle), .of(start.version), .of(start.build), .of(start.os),
      .boolean(hasEnded),
    ]
    return facts + death + rules + [.of(verdict)]
  }
}
