import LifecycleModel
import TraceLog

/// Something that must never happen has happened.
struct Violation: Error, CustomStringConvertible {
  let description: String

  init(_ description: String) { self.description = description }
}

/// What was recorded, and how much of it is promised to be there.
struct Recorded {
  /// The facts of a writer by their sequence, as text.
  private var facts: [String: [UInt64: String]] = [:]
  /// The last sequence of each writer that survives the end of the process, and of the machine.
  var keptBehindKill: [String: UInt64] = [:]
  var keptBehindPowerLoss: [String: UInt64] = [:]
  /// The writers of which the recorder may have refused facts, since its ring was full.
  private var mayBeRefused: Set<String> = []
  /// The facts of this process that may be among them.
  private var doubtful: [String: Set<UInt64>] = [:]

  /// What a power loss took, which was not promised then.
  private var gone: [String: Set<UInt64>] = [:]
  /// Whether the machine has ended before: what it took stays damaged.
  private var hasLostPower = false
  /// Whether a process has ended before: what it tore stays until another one goes on.
  private var hasEnded = false
  /// Whether a sync had failed when a process was killed, or the log was opened: who opens it then cannot
  /// know what it took.
  var isSyncUnknown = false
  /// Whether the disk refused to take a part of a block away again.
  var isCutFailed = false

  /// The last sequence of each writer that was given away.
  private(set) var last: [String: UInt64] = [:]
  /// The highest sequence of each writer that was ever given away.
  private var highest: [String: UInt64] = [:]

  /// Takes the next fact of a writer; returns its sequence.
  mutating func add(_ writer: String, _ text: String) -> UInt64 {
    let sequence = (last[writer] ?? 0) + 1
    last[writer] = sequence
    highest[writer] = max(highest[writer] ?? 0, sequence)
    facts[writer, default: [:]][sequence] = text
    return sequence
  }

  /// Notes that the last fact of a writer may have been refused.
  mutating func noteRefusal(_ writer: String) {
    mayBeRefused.insert(writer)
    doubtful[writer, default: []].insert(last[writer] ?? 0)
  }

  /// Promises nothing any more of what a power loss leaves.
  mutating func takePromisesBack() { keptBehindPowerLoss = [:] }

  /// What was recorded into a log that was moved aside; a power loss may bring its name back.
  private var aside: [String: [UInt64: String]] = [:]

  /// The number of the file that was moved aside last.
  var asideFile: UInt64?

  /// Begins with another log; nothing is promised of the last one.
  mutating func beginAnew() {
    for (writer, own) in facts { aside[writer, default: [:]].merge(own) { $1 } }
    (facts, last, gone) = ([:], [:], [:])
    (keptBehindKill, keptBehindPowerLoss) = ([:], [:])
  }

  /// Goes on behind what the recorder that goes on knows.
  mutating func goOn(behind sequences: [String: UInt64]) {
    last = sequences
    for (writer, own) in facts { facts[writer] = own.filter { $0.key <= last[writer] ?? 0 } }
  }

  /// Holds what a reader gets against what was recorded: what is read was recorded, in order; what is
  /// promised is there; what is missing is told, where it is missing.
  func check(_ log: ReadLog, behind end: Fault?) throws {
    let isPowerLoss = end?.isPowerLoss ?? false
    let kept = isPowerLoss ? keptBehindPowerLoss : keptBehindKill
    for writer in Set(log.writers).union(kept.keys).sorted() {
      let own = try accounted(writer, log)
      let first = log.firstKept[writer] ?? 1
      for sequence in first..<max(first, 1 + (kept[writer] ?? 0))
      where !own.contains(sequence) && gone[writer]?.contains(sequence) != true {
        // Which facts were refused is told by the next one, which may be lost.
        let isDoubtful = doubtful[writer]?.contains(sequence) ?? false
        if isPowerLoss, log.hasUnknownLoss, isDoubtful { continue }
        throw Violation("\(writer) \(sequence) of \(kept[writer] ?? 0) is lost: \(log)")
      }
    }

    if let block = log.unnumbered { throw Violation("\(block): \(log)") }
    if let event = log.tooLate { throw Violation("\(event) is behind a later event: \(log)") }
    for gap in log.gaps { try check(gap, end) }
    for damage in log.damages where damage.kind != .tornTail && !isPowerLoss && !hasLostPower {
      throw Violation("\(damage), and no power was lost: \(log)")
    }
  }

  /// The sequences of a writer that were read, or told to be refused.
  private func accounted(_ writer: String, _ log: ReadLog) throws -> Set<UInt64> {
    var own: Set<UInt64> = []
    var next = log.firstKept[writer] ?? 1
    for item in log.items where item.writer == writer {
      // Of a block without a header it is not known whose events are missing, nor which of them a gap
      // in the block behind it tells.
      let isTold = item.first > next && log.hasUnknownLoss || item.first < next && item.text == nil
      guard item.first == next || isTold else {
        throw Violation("\(writer) goes on with \(item.first), not \(next): \(log)")
      }
      next = max(next, item.last + 1)
      if !item.isDamage { own.formUnion(item.first...item.last) }
      guard let text = item.text else { continue }
      guard facts[writer]?[item.first] == text || aside[writer]?[item.first] == text else {
        let fact = facts[writer]?[item.first] ?? "nothing"
        throw Violation("\(writer) \(item.first) reads \(text), recorded was \(fact): \(log)")
      }
    }

    if next > (highest[writer] ?? 0) + 1 {
      throw Violation("\(writer) has \(next - 1) of \(highest[writer] ?? 0): \(log)")
    }
    return own
  }

  private func check(_ gap: Gap, _ end: Fault?) throws {
    let isPowerLoss = hasLostPower || end?.isPowerLoss ?? false
    switch GapCause(rawValue: gap.cause) {
    case .ringFull, .diskFull:
      if let writer = gap.writer, mayBeRefused.contains(writer) { return }
    case .tornTail where end != nil || hasEnded || isCutFailed: return
    case .corruptBlock where isPowerLoss, .sourceHole where isPowerLoss: return
    default: break
    }
    throw Violation("a gap \(gap) without a reason, behind \(end.map { "\($0)" } ?? "no end")")
  }

  /// Goes on with what a reader got: a recorder that goes on counts from there.
  mutating func goOn(with log: ReadLog, behind end: Fault?) {
    hasEnded = true
    doubtful = [:]
    if end?.isPowerLoss ?? false { hasLostPower = true }

    for writer in facts.keys {
      let last = log.last(writer)
      let read = (try? accounted(writer, log)) ?? []
      let told = log.items.last { $0.writer == writer }?.last ?? last
      gone[writer, default: []].formUnion((1..<told + 1).filter { !read.contains($0) })
      self.last[writer] = last
      keptBehindKill[writer] = last
      // What is read behind a power loss is on the disk.
      let isOnDisk = end?.isPowerLoss ?? false
      keptBehindPowerLoss[writer] = isOnDisk ? last : min(keptBehindPowerLoss[writer] ?? 0, last)
    }
  }
}

extension SimulatedMachine {
  /// Starts another process, checks what the last one has left at `path`, and counts from there.
  func startAgain(_ path: String, _ recorded: inout Recorded) throws {
    let end = end
    recorded.isSyncUnknown =
      (recorded.isSyncUnknown || failedSyncs > 0) && !(end?.isPowerLoss ?? false)
    restart()

    try checkAside(path, &recorded, behind: end)
    let left = try withoutFaults { try read(path) }
    Simulation.tell("left \(left) of \(allNames)")
    try recorded.check(left, behind: end)
    recorded.goOn(with: left, behind: end)
  }

  /// Checks a log that was moved aside since this was asked last: all is there that was promised of it.
  func checkAside(_ path: String, _ recorded: inout Recorded, behind end: Fault?) throws {
    let aside = path + ".damaged"
    let file = fileNumber(aside)
    guard file != recorded.asideFile else { return }
    recorded.asideFile = file
    if file == nil { return }
    recorded.isCutFailed = failedTruncates > 0

    let left = try withoutFaults { try read(aside) }
    Simulation.tell("aside \(left)")
    try recorded.check(left, behind: end)
    recorded.beginAnew()
  }

  /// What a reader gets of the log at `path`; nothing of one whose file header never reached the disk: what
  /// was promised is missed then.
  func read(_ path: String) throws -> ReadLog {
    do { return try ReadLog(path: path) } catch LogError.empty {
    } catch LogError.notALog {
    } catch LogError.notFound {}
    return ReadLog()
  }
}

/// What a reader gets of a log.
struct ReadLog: CustomStringConvertible {
  /// An event of a writer, or events that are told to be missing.
  struct Item {
    let writer: String
    let first: UInt64
    let last: UInt64
    /// `nil` of a gap.
    let text: String?
    /// Whether the file is damaged there, as a recorder that goes on mends at the file's end.
    var isDamage = false
  }

  private(set) var items: [Item] = []
  private(set) var gaps: [Gap] = []
  private(set) var damages: [LogDamage] = []
  /// The first sequence that parts which were not removed hold.
  private(set) var firstKept: [String: UInt64] = [:]
  private var lastInstant = Instant.distantPast
  /// The first event that stands behind a later one.
  private(set) var tooLate: String?
  /// The first block whose number is not the next one of its part, and no damage explains it.
  private(set) var unnumbered: String?

  /// What a reader gets where there is no log.
  init() {}

  /// Reads the log at `path` as every command does.
  init(path: String) throws {
    var reader = try LogReader(path: path)
    reader.leaveOutBeginning()
    for mark in reader.firstPart.writers { firstKept[mark.name] = mark.last + 1 }
    var batch: [Event] = []
    var place = (part: reader.firstPart.number, block: UInt64?.none, damages: 0)
    while try reader.read(into: &batch) {
      for event in batch { try add(event, reader.vocabulary) }
      guard let block = reader.block?.number else { continue }
      let next = place.part == reader.part.number ? place.block.map { $0 + 1 } ?? 0 : 0
      if block != next, reader.damageCount == place.damages, unnumbered == nil {
        unnumbered = "block \(block) of part \(reader.part.number) comes for block \(next)"
      }
      place = (reader.part.number, block, reader.damageCount)
    }
    damages = reader.damages
    for damage in damages { Simulation.tell("\(damage)") }
  }

  private mutating func add(_ event: Event, _ vocabulary: Vocabulary) throws {
    if event.instant < lastInstant, tooLate == nil {
      tooLate = "\(vocabulary.name(of: event.writer)) \(event.sequence)"
    }
    lastInstant = max(lastInstant, event.instant)
    if let gap = Gap(event, in: vocabulary) {
      gaps.append(gap)
      guard let writer = gap.writer, let from = gap.from, let to = gap.to,
        writer != Vocabulary.systemWriter
      else { return }
      items.append(Item(writer: writer, first: from, last: to, text: nil, isDamage: gap.isDamage))
      return
    }

    // Which end the process had is not the writer's word.
    if event.writer == .system, event.verb == .exit { return }
    let writer = vocabulary.name(of: event.writer)
    items.append(
      Item(
        writer: writer, first: event.sequence, last: event.sequence,
        text: ReadLog.text(of: event, vocabulary)))
  }

  /// All that a fact says, but for its time.
  static func text(of event: Event, _ vocabulary: Vocabulary) -> String {
    let value = event.value.map { " value=\($0)" } ?? ""
    return "\(event.verb.code) \(vocabulary.text(event.name)) \(event.subject)"
      + " \(vocabulary.text(event.label))\(value)"
  }

  /// The last sequence of a writer that was read, or is told to be refused.
  func last(_ writer: String) -> UInt64 {
    items.last { $0.writer == writer && !$0.isDamage }?.last ?? (firstKept[writer] ?? 1) - 1
  }

  /// Whether events are missing of which nothing is known.
  var hasUnknownLoss: Bool {
    gaps.contains { $0.cause == GapCause.corruptBlock.rawValue && $0.writer == nil }
  }

  var writers: [String] { items.map(\.writer) }

  var description: String {
    let told = items.map {
      $0.text == nil ? "gap \($0.writer) \($0.first)-\($0.last)" : "\($0.writer) \($0.first)"
    }
    return "["
      + (told + gaps.filter { $0.writer == nil }.map { "gap \($0.cause)" })
      .joined(separator: ", ") + "]"
  }
}
