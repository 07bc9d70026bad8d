import LifecycleModel

/// Turns the lines of one input into sightings of one app, in order and each one once.
struct ConsoleReader {
  /// So long after the app is known its bundle is waited for, in the input's time.
  private static let longestWait: Nanoseconds = .seconds(10)
  /// Reports of one death come within this time.
  private static let deathReports: Nanoseconds = .milliseconds(50)

  /// Which app it is.
  private(set) var identity: AppIdentity
  private var counts = SourceTally()
  private var detector = FramingDetector()
  private var framing: (any ConsoleFraming)?
  private var prefix: [UInt8] = []
  private var lookedAt: ArraySlice<FramingDetector.Line> = []
  private var assembler = RecordAssembler()
  private var clock: ConsoleClock
  /// The wall clock at instant 0, when the input or the person says it.
  var wallOrigin: Nanoseconds? { clock.wallOrigin }
  private var window = ReorderWindow()
  private var latest = Instant.origin
  private let rules = MessageRules.all

  init(_ options: ConsoleSource.Options) {
    identity = AppIdentity(wanted: options.app)
    clock = ConsoleClock(
      firstDay: options.date.map {
        ConsoleStamp.days(year: $0.year, month: $0.month, day: $0.day)
      })
  }

  /// What was counted so far.
  var tally: SourceTally {
    var tally = counts
    tally.form = framing.map { type(of: $0).name }
    tally.joined = assembler.joined
    tally.cut = assembler.cut
    tally.duplicates = window.duplicates
    tally.inversions = clock.inversionCount
    tally.clockSteps = clock.stepCount
    tally.late = window.late
    return tally
  }

  /// The error of an input that no framing can read; `nil` when one can.
  var unknownForm: SourceError? { framing == nil ? detector.error : nil }

  /// Takes one line.
  mutating func take(_ line: LineSplitter.Line, _ number: Int) throws {
    counts.lines += 1
    guard case .whole(let bytes) = line else {
      chooseFraming()
      while try takeNext() {}
      return try takeHole(number)
    }
    let text = TerminalText.withoutEscapes(bytes)
    if framing != nil { return try takeFramed(text, number) }
    if let choice = try detector.take(text, number: number) { begin(choice) }
  }

  /// Chooses the framing by the lines that there are.
  mutating func chooseFraming() {
    if framing == nil, let choice = detector.choose() { begin(choice) }
  }

  private mutating func begin(_ choice: FramingDetector.Choice) {
    framing = choice.framing
    prefix = choice.prefix
    detector = FramingDetector()
    lookedAt = choice.lines[...]
  }

  /// Takes the next of the lines by which the framing was chosen; false when there is none left.
  mutating func takeNext() throws -> Bool {
    guard let line = lookedAt.popFirst() else { return false }
    try takeFramed(line.bytes, line.number)
    return true
  }

  private mutating func takeFramed(_ line: ArraySlice<UInt8>, _ number: Int) throws {
    let text = prefix.isEmpty ? line : line.dropping(prefix: prefix) ?? line
    // What a forum puts around a text that is pasted.
    if text.starts(with: Array("```".utf8)) { return }
    guard let first = framing?.read(text, number: number) else { return }
    try take(first, text, number)
    while let more = framing?.more() { try take(more, text, number) }
  }

  private mutating func take(
    _ framed: FramedLine, _ line: ArraySlice<UInt8>, _ number: Int
  ) throws {
    switch framed {
    case .record(let record):
      try assemble { assembler, body in try assembler.begin(record, body) }
    case .unstamped(let record):
      try assemble { assembler, body in try assembler.beginUnstamped(record, body) }
    case .continuation:
      if !assembler.join(line) { counts.skipped += 1 }
    case .nothing: break
    case .broken: try takeHole(number)
    }
  }

  /// Works with the assembler, moved out so that its record can be taken meanwhile.
  private mutating func assemble(
    _ work: (inout RecordAssembler, (ConsoleRecord) throws -> Void) throws -> Void
  ) throws {
    var assembler = RecordAssembler()
    swap(&assembler, &self.assembler)
    defer { self.assembler = assembler }
    try work(&assembler) { record in try take(record) }
  }

  /// Ends the record that more lines could still be joined to.
  mutating func endRecord() throws {
    try assemble { assembler, body in try assembler.handOut(body) }
  }

  /// Takes what the last line has left open.
  mutating func end() throws {
    if let last = framing?.finish() { try take(last, [], counts.lines) }
    try endRecord()
  }

  /// Decides by what there is, at the end of the input.
  mutating func settle() { identity.settle(by: window.all) }

  // MARK: Taking

  private mutating func take(_ record: ConsoleRecord) throws {
    counts.records += 1
    let isSystem = identity.isSystem(record.process)
    identity.learn(from: record, isSystem: isSystem)
    let instant = clock.instant(of: record.stamp)
    latest = max(latest, instant)
    guard let fact = rules.fact(of: record.message, by: isSystem ? .system : .app) else { return }
    let mention = isSystem ? ConsoleMention(in: record.message) : nil
    if isSystem && mention == nil { return }
    let sighting = ConsoleSighting(
      instant: instant, line: record.line, isSystem: isSystem, process: record.process,
      pid: record.pid, mention: mention, fact: fact, fingerprint: record.message.hashValue)
    try identity.learn(from: sighting)
    if identity.concerns(sighting) == false { return }
    window.insert(sighting, resolution: record.stamp.resolution)
  }

  /// Takes a line that should have been a record.
  private mutating func takeHole(_ number: Int) throws {
    try endRecord()
    counts.skipped += 1
    window.insert(
      ConsoleSighting(
        instant: latest, line: number, isSystem: true, process: "", fact: .hole,
        fingerprint: number),
      resolution: 1)
  }

  // MARK: Handing out

  /// Whether a sighting can be told now.
  ///
  /// Cost: a comparison, for most lines.
  var isAnythingDue: Bool {
    guard let first = window.first else { return false }
    if window.count >= ReorderWindow.maximumCount { return true }
    guard latest.since(first.instant) > ReorderWindow.length, identity.isKnown else { return false }
    return isSettled || latest.since(first.instant) > Self.longestWait
  }

  /// Whether it is clear for the oldest sighting whom it is about.
  private var isSettled: Bool {
    window.first.map { identity.concerns($0) != nil } ?? true
  }

  /// The next sighting of the app: one that is due, or any.
  mutating func next(all: Bool) -> ConsoleSighting? {
    while all ? window.count > 0 : isAnythingDue {
      guard var sighting = window.pop() else { return nil }
      guard identity.isKnown, identity.concerns(sighting) == true else { continue }
      if case .ended(let termination) = sighting.fact {
        sighting.fact = .ended(joined(termination, of: sighting))
      }
      return sighting
    }
    return nil
  }

  /// One death is reported by several processes: takes from each report what the others lack.
  private func joined(_ termination: Termination, of sighting: ConsoleSighting) -> Termination {
    var joined = termination
    for other in window.all {
      guard other.instant.since(sighting.instant) <= Self.deathReports else { break }
      guard case .ended(let report) = other.fact, other.appPID == sighting.appPID,
        identity.concerns(other) == true
      else { continue }
      joined = joined.joined(with: report)
    }
    return joined
  }
}

extension Termination {
  /// Both reports of one death as one: the more telling kind, and any reason.
  fileprivate func joined(with other: Termination) -> Termination {
    var joined = other.weight > weight ? other : self
    joined.reason = reason ?? other.reason
    return joined
  }

  /// How much the kind says: the watchdog's code more than the signal that carries it out.
  private var weight: Int {
    switch kind {
    case .exited(nil): 0
    case .exited: 1
    case .killed(_, nil): 2
    case .killed("SIGNAL", _): 3
    case .killed: 4
    }
  }
}
