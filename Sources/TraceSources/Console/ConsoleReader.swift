import LifecycleModel

/// Turns the lines of one input into sightings of one app, in order and each one once.
struct ConsoleReader {
  /// So long after the app is known its bundle is waited for, in the input's time.
  private static let longestWait: Nanoseconds = .seconds(10)

  /// Which app it is.
  private(set) var identity: AppIdentity
  /// What was counted so far.
  private(set) var tally = SourceTally()
  private var detector = FramingDetector()
  /// The framing, and the lines by which it was chosen and that it has not read; `nil` until it is known.
  private var choice: FramingDetector.Choice?
  /// The first bytes of the first line that was read: how such lines begin.
  private var rowStart: [UInt8] = []
  /// The number of the last line, if it has no end.
  private var unended: Int?
  /// Whether the last line was blank.
  private var isBehindBlank = false
  private var replay = ReplayFilter()
  private let assembler = RecordAssembler()
  private(set) var clock: ConsoleClock
  private var window = ReorderWindow()
  private var latest = Instant.origin
  /// The limit that the kernel said last to be passed: by which process, if it named one, and when.
  private var limit: (end: Termination, pid: Int32?, instant: Instant)?
  /// The first end in words of the system that name no process.
  private var nameless: (end: ConsoleSighting, resolution: Int64)?
  /// The last words that a process had of its own end.
  private var lastWords: (process: String, instant: Instant)?
  /// Whether UIKit has printed in the app's own process.
  private(set) var hasUIKitSpoken = false
  private let rules = MessageRules.all

  init(_ options: ConsoleSource.Options) {
    identity = AppIdentity(wanted: options.app)
    clock = ConsoleClock(firstDay: options.date?.days)
  }

  /// The error of an input that no framing can read; `nil` when one can.
  var unknownForm: SourceError? { choice == nil ? detector.error : nil }

  /// Takes one line.
  mutating func take(_ line: LineSplitter.Line, _ number: Int) throws {
    tally.lines += 1
    guard let bytes = line else {
      chooseFraming()
      while try takeNext() {}
      return try takeHole(number, count: 1)
    }
    let text = TerminalText.plain(bytes)
    if text.count < bytes.count, bytes.contains(0) {
      tally.zeros += bytes.count { $0 == 0 }
      if TerminalText.hasHole(bytes) { return try takeHole(number, count: -1) }
    }
    if choice != nil { return try takeFramed(text, number) }
    if let choice = try detector.take(text, number: number) { begin(choice) }
  }

  /// Takes the last line of an input, which has no end: it may be cut.
  mutating func takeUnended(_ line: LineSplitter.Line, _ number: Int) throws {
    unended = number
    try take(line, number)
  }

  /// Chooses the framing by the lines that there are.
  mutating func chooseFraming() {
    if choice == nil, let choice = detector.choose() { begin(choice) }
  }

  private mutating func begin(_ choice: FramingDetector.Choice) {
    self.choice = choice
    tally.form = choice.framing.name
    detector = FramingDetector()
  }

  /// Takes the next of the lines by which the framing was chosen; false when there is none left.
  mutating func takeNext() throws -> Bool {
    guard let line = choice?.lines.popFirst() else { return false }
    try takeFramed(line.bytes, line.number)
    return true
  }

  private mutating func takeFramed(_ line: ArraySlice<UInt8>, _ number: Int) throws {
    let prefix = choice?.prefix ?? []
    let text = prefix.isEmpty ? line : line.dropping(prefix: prefix) ?? line
    // What a forum puts around a text that is pasted.
    if text.starts(with: "```") { return }
    guard let first = choice?.framing.read(text, number: number) else { return }
    if number == unended, isCut(first, text) {
      tally.cutAtLine = number
      guard case .broken = first else { return tally.skipped += 1 }
    }
    if rowStart.isEmpty, case .record = first { rowStart = Array(text.prefix(CutLine.startLength)) }
    try take(first, text, number)
    while let more = choice?.framing.more() { try take(more, text, number) }
  }

  private mutating func take(
    _ framed: FramedLine, _ line: ArraySlice<UInt8>, _ number: Int
  ) throws {
    switch framed {
    case .record(let record): try assembler.begin(record) { try take($0) }
    case .unstamped(let record): try assembler.beginUnstamped(record) { try take($0) }
    case .continuation:
      // What follows a record at once is more of its message.
      let isApart = isBehindBlank || !assembler.hasRecord
      isBehindBlank = !line.contains { $0 > 0x20 }
      guard isApart, let cited = PlainFraming.cited(line, number) else {
        return assembler.join(line, &tally)
      }
      return try assembler.beginUnstamped(cited) { try take($0) }
    case .nothing: break
    case .broken: try takeHole(number, count: 1)
    case .disconnected: try takeHole(number, count: -1)
    }
    isBehindBlank = false
  }

  /// Whether a line without an end was cut: it does not say all that it began to say.
  private func isCut(_ framed: FramedLine, _ line: ArraySlice<UInt8>) -> Bool {
    switch framed {
    case .record(let record), .unstamped(let record):
      return isCut(record.message, by: identity.printer(record.process))
    case .continuation: return CutLine.isStart(line, of: rowStart)
    case .broken: return true
    case .nothing, .disconnected: return false
    }
  }

  /// Whether a message that has no end lacks something: a bracket that closes, or digits of a number.
  ///
  /// What ends a process is kept all the same.
  private func isCut(_ message: ArraySlice<UInt8>, by printer: MessageRule.Printer) -> Bool {
    let fact = rules.read(message, by: printer)?.fact
    // An app may print a bracket that never closes.
    if CutLine.isOpen(message), printer != .app || fact != nil { return true }
    guard let last = message.last, last.isDigit else { return false }
    if case .endForetold? = fact { return false }
    if fact?.isEnd == true { return false }
    return fact != rules.read(message + CutLine.digit, by: printer)?.fact
  }

  /// Ends the record that more lines could still be joined to.
  mutating func endRecord() throws { try assembler.handOut { try take($0) } }

  /// Takes what the last line has left open.
  mutating func end() throws {
    if let last = choice?.framing.finish() {
      if case .broken = last { tally.cutAtLine = tally.lines }
      try take(last, [], tally.lines)
    }
    try endRecord()
    try assembler.handOutCited { try take($0) }
  }

  /// Decides by what there is, at the end of the input: an end without a name is of the app that the text is about,
  /// where nothing else in it is of any.
  mutating func settle() {
    if let nameless, !identity.isKnown, window.count == 0 {
      identity.isAnonymous = true
      tally.namelessEnds = 1
      window.insert(nameless.end, resolution: nameless.resolution, &tally)
    }
    identity.settle(by: window.all)
  }

  // MARK: Taking

  private mutating func take(_ record: ConsoleRecord) throws {
    var record = record
    // Text that names no process is all of the app's.
    if record.process.isEmpty {
      record.process = identity.wanted ?? AppIdentity.anonymous
      identity.isAnonymous = true
    }

    tally.records += 1
    let point = clock.point(of: record.stamp)
    if replay.drops(record, lag: clock.lag(of: point)) { return tally.replayed += 1 }
    correctSpelling(by: record.process)
    let printer = identity.printer(record.process)
    let isSystem = printer != .app
    let instant = clock.instant(of: record.stamp, at: point)
    tally.clockSteps = clock.stepCount
    if instant < latest { tally.inversions += 1 }
    latest = max(latest, instant)

    var sighting = ConsoleSighting(
      instant: instant, line: record.line, isSystem: isSystem, process: record.process,
      pid: record.pid, fact: .printed, fingerprint: 0)
    if identity.learn(from: record, at: instant, isSystem: isSystem) { try take(sighting, record) }
    guard let found = rules.read(record.message, by: printer) else {
      return isSystem ? () : try takeLife(sighting, record)
    }
    var fact = found.fact

    if isSystem {
      let mention = ConsoleMention(found.said, by: printer)
      if printer == .kernel { noteLimit(fact, mention?.pid, at: instant) }
      guard let mention else { return noteNameless(sighting, record, fact) }
      if mention.isOfWebKit, mention.process != identity.wanted {
        return try takeWebProcess(sighting, record, fact, found.said)
      }
      fact = withLimit(fact, of: mention, at: instant)
      if !fact.isRequest { identity.note(mention) }
      // Of a helper only its end counts.
      if mention.isHelper, !fact.isEnd, mention.bundle != identity.bundle,
        mention.bundle != identity.wanted
      {
        return
      }
      sighting.mention = mention
    }

    sighting.fact = fact
    sighting.fingerprint = record.message.hashValue
    try take(sighting, record)
  }

  /// Notes an end in words of the system that name no process, as prose cites them.
  private mutating func noteNameless(
    _ sighting: ConsoleSighting, _ record: ConsoleRecord, _ fact: ConsoleStatement
  ) {
    guard nameless == nil, choice?.framing is PlainFraming, case .ended(let end) = fact else {
      return
    }
    var sighting = sighting
    (sighting.isSystem, sighting.process) = (false, AppIdentity.anonymous)
    let words = record.message.drop { $0 <= 0x20 }.prefix(MessageRules.longestName).line
    sighting.fact = .endForetold(end, words.text)
    nameless = (sighting, record.stamp.resolution)
  }

  /// Takes the end of a process of WebKit: the app that shows its page lives on, and stands in another line.
  private mutating func takeWebProcess(
    _ sighting: ConsoleSighting, _ record: ConsoleRecord, _ fact: ConsoleStatement, _ said: Said
  ) throws {
    switch fact {
    case .ended, .endForetold: break
    default: return
    }

    var sighting = sighting
    (sighting.isSystem, sighting.process, sighting.pid) = (false, AppIdentity.anonymous, nil)
    identity.isAnonymous = true
    sighting.fact = .warned(.webContentGone, said.words)
    sighting.fingerprint = record.message.hashValue
    try take(sighting, record)
  }

  /// Notes a limit that says nothing of an end, or not whose.
  private mutating func noteLimit(_ fact: ConsoleStatement, _ pid: Int32?, at instant: Instant) {
    switch fact {
    case .endForetold(let end, _) where pid == nil: limit = (end, nil, instant)
    case .remark(let words) where pid != nil && words.hasPrefix("caught burning CPU"):
      limit = (Termination(kind: .gone, reason: "CPU limit: " + words), pid, instant)
    default: break
    }
  }

  /// A kill without a cause, with the limit that the kernel said just before it.
  private mutating func withLimit(
    _ fact: ConsoleStatement, of mention: ConsoleMention, at instant: Instant
  ) -> ConsoleStatement {
    guard case .ended(let kill) = fact, kill.reason == nil,
      [.killed(namespace: "JETSAM", code: nil), Termination.signal(9).kind].contains(kill.kind),
      let said = limit, instant.since(said.instant) <= ReorderWindow.length,
      said.pid == nil || said.pid == mention.pid
    else { return fact }
    limit = nil
    return .ended(kill.joined(with: said.end))
  }

  /// Takes a line that says nothing but that its process goes on, where that was in doubt.
  private mutating func takeLife(_ sighting: ConsoleSighting, _ record: ConsoleRecord) throws {
    guard let last = lastWords, last.process == sighting.process,
      sighting.instant > last.instant
    else { return }
    if sighting.instant.since(last.instant) > ConsoleNarrator.longestEnd { lastWords = nil }
    var sighting = sighting
    sighting.fact = .wentOn
    try take(sighting, record)
  }

  private mutating func take(_ sighting: ConsoleSighting, _ record: ConsoleRecord) throws {
    try identity.learn(from: sighting)
    if identity.concerns(sighting) == false { return }
    if sighting.fact.isEnd { identity.learnEnd(at: sighting.instant) }
    if !sighting.isSystem, case .endForetold = sighting.fact {
      lastWords = (sighting.process, sighting.instant)
    }
    window.insert(sighting, resolution: record.stamp.resolution, &tally)
  }

  /// Takes the app that was asked for by another spelling for the process that prints.
  private mutating func correctSpelling(by process: String) {
    guard identity.process == nil, let wanted = identity.wanted, wanted != process,
      wanted.utf8.count == process.utf8.count, wanted.lowercased() == process.lowercased()
    else { return }
    identity.wanted = process
  }

  /// Takes note that the input was cut: nobody knows how much is missing.
  mutating func takeCut() throws { try takeHole(tally.lines, count: -1) }

  /// Takes a line that should have been a record, or says that some are missing.
  private mutating func takeHole(_ number: Int, count: Int64) throws {
    try endRecord()
    if count > 0 { tally.skipped += 1 } else { replay.noteCut() }
    window.insert(
      ConsoleSighting(
        instant: latest, line: number, isSystem: true, process: "", fact: .hole(count: count),
        fingerprint: number),
      resolution: 1, &tally)
  }

  // MARK: Handing out

  /// Whether a sighting can be handed out now.
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

  /// The next sighting of the app, one that is due or any, and the sightings behind it.
  mutating func next(all: Bool) -> (sighting: ConsoleSighting, ahead: ArraySlice<ConsoleSighting>)?
  {
    while all ? window.count > 0 : isAnythingDue {
      guard var sighting = window.pop() else { return nil }
      guard identity.isKnown, identity.concerns(sighting) == true else { continue }
      hasUIKitSpoken =
        hasUIKitSpoken || isOfUIKit(sighting) || window.all.contains(where: isOfUIKit)
      switch sighting.fact {
      case .ended(let end): sighting.fact = .ended(join(end, of: &sighting).end)
      case .endForetold(let end, _):
        let (end, hasCome) = join(end, of: &sighting)
        if hasCome { sighting.fact = .ended(end) }
      default: break
      }
      return (sighting, window.all)
    }
    return nil
  }

  /// Whether UIKit printed a sighting in the app's own process.
  private func isOfUIKit(_ sighting: ConsoleSighting) -> Bool {
    !sighting.isSystem && sighting.fact.isOfUIKit && identity.concerns(sighting) == true
  }

  /// Joins the reports of one death, which several processes print within the window's time.
  ///
  /// Each adds what the others lack. A start between them is another process's.
  private func join(
    _ termination: Termination, of sighting: inout ConsoleSighting
  ) -> (end: Termination, hasCome: Bool) {
    var joined = termination
    var hasCome = false
    for other in window.all {
      guard other.instant.since(sighting.instant) <= ReorderWindow.length else { break }
      guard identity.concerns(other) == true else { continue }
      let report: Termination
      switch other.fact {
      // assertiond tidies up after a process that is gone in words of an end.
      case .ended(let end) where joined.kind == .gone && end.isTidying: continue
      case .ended(let end), .endForetold(let end, _): report = end
      case .endCarriedOut: report = joined
      case .processStarted, .launchRequested: return (joined, hasCome)
      default: continue
      }
      guard isSameProcess(other, sighting) else { continue }
      if sighting.isSystem, sighting.appPID == nil { sighting.mention?.pid = other.appPID }
      joined = joined.joined(with: report)
      hasCome = hasCome || other.fact.isEnd
    }
    return (joined, hasCome)
  }

  /// Whether two sightings may be about one process: neither number says otherwise.
  private func isSameProcess(_ one: ConsoleSighting, _ other: ConsoleSighting) -> Bool {
    if [one, other].contains(where: { $0.isOfHelper(ofAppWith: identity.bundle) }) {
      return one.mention?.pid == other.mention?.pid
    }
    guard let pid = one.appPID, let second = other.appPID else { return true }
    return pid == second
  }
}
