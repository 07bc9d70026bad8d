import LifecycleModel

/// A cause that several rules may find, each from its side: one leaked task overruns the time in the
/// background, is never ended, is not ended by its expiration handler, and is open at the kill.
public enum FindingCause: CaseIterable, Sendable {
  case leakedTask, uncompletedHandover, heldResource, unsavedData
  case misplacedCallback, missedNotification, slowLaunch
  case slowCallback, death, lockedData, unstoppedWork

  /// What two findings of the cause have in common when they are about the same thing.
  private struct Key: Hashable {
    var cause: FindingCause
    /// The task, where the cause is a task.
    var task: UInt32?
    /// The event that brought it about.
    var event: Event?
    /// The place of the first event of the turn that brought it about.
    var turn: UInt64?
  }

  private func key(_ finding: Finding) -> Key? {
    if let end = finding.explains { return Key(cause: .death, event: end) }
    let events = finding.witnesses.filter { $0.role != .closes }.compactMap(\.event)
    switch self {
    case .leakedTask:
      // The task that was overwritten, or held over a suspension, opened the finding.
      let task = events.first { $0.verb == .taskBegin } ?? finding.culprit
      guard let task, task.subjectKind == .task else { return nil }
      return Key(cause: self, task: task.subjectNumber)
    case .heldResource:
      return events.first { $0.verb == .acquire }.map { Key(cause: self, event: $0) }
    case .unsavedData:
      return events.first { $0.verb == .dataDirty }.map { Key(cause: self, event: $0) }
    case .death:
      // What took the time up to a kill belongs to the finding that stands for the kill.
      return (finding.standsFor ?? finding.event(.closes) ?? finding.culprit).map {
        Key(cause: self, event: $0)
      }
    case .misplacedCallback:
      // One step is wrong, whichever of its call and its notification shows it.
      return finding.turn.map { Key(cause: self, turn: $0) }
    case .missedNotification:
      // The call without its notification, or that which came for another scene instead.
      return events.first.map { Key(cause: self, event: $0) }
    case .slowLaunch:
      // A launch that the system ended is why the process died.
      let end = finding.event(.closes) ?? finding.missing.first?.before
      if let end, end.verb == .kill || end.verb == .exit {
        return Key(cause: .death, event: end)
      }
      // What took the time of the launch, or only a part of it, is the culprit.
      return (finding.event(.opens) ?? finding.culprit).map { Key(cause: self, event: $0) }
    case .unstoppedWork:
      return events.first { $0.verb == .workBegin }.map { Key(cause: self, event: $0) }
    case .uncompletedHandover, .slowCallback, .lockedData:
      return finding.culprit.map { Key(cause: self, event: $0) }
    }
  }

  /// Puts findings of one cause together.
  ///
  /// The most serious one comes first, of equal ones that which tells most. A rule appears once in
  /// each, or once for a call and once for its notification; what it found beyond that stands by itself.
  static func join(_ findings: [Finding]) -> [Finding] {
    var joined: [Finding] = []
    var mains: [Key: [Int]] = [:]
    for finding in findings.ordered(by: comesFirst) {
      let key = finding.cause?.cause.key(finding)
      var place = joined.count
      var known = key.flatMap { mains[$0] } ?? []
      if finding.cause?.cause == .slowCallback {
        known += joined.indices.filter { joined[$0].isSlow(during: finding) }
      }
      if let main = known.first(where: { joined[$0].takes(finding) }) {
        joined[main].dependents.append(finding)
        place = main
      } else {
        if let key { mains[key, default: []].append(place) }
        joined.append(finding)
      }
      // What other rules say of an end belongs to the finding that stands for it.
      if let end = finding.standsFor { mains[Key(cause: .death, event: end)] = [place] }
    }
    return joined
  }

  /// The place of a finding's rule among those of its cause: the first tells most.
  static func rank(_ finding: Finding) -> Int { finding.cause?.rank ?? 0 }

  private static func comesFirst(_ first: Finding, _ second: Finding) -> Bool {
    let ranks = (rank(first), rank(second))
    if (first.standsFor != nil) != (second.standsFor != nil) { return first.standsFor != nil }
    return (second.severity, ranks.0, first.ordinal, first.rule, first.message)
      < (first.severity, ranks.1, second.ordinal, second.rule, second.message)
  }
}

/// The cause that a rule shares with others, and its place among them.
public struct SharedCause: Hashable, Sendable {
  /// What the rules find, each from its side.
  public var cause: FindingCause
  /// The place among the rules of the cause; the first, 1, tells most.
  public var rank: Int

  /// Makes the share of one rule; no two rules of a cause have the same rank.
  public init(_ cause: FindingCause, rank: Int) { (self.cause, self.rank) = (cause, rank) }
}

extension Finding {
  /// Whether both tell of the main thread at the same time: one call in another, or in a stretch in which
  /// the thread was busy.
  fileprivate func isSlow(during other: Finding) -> Bool {
    guard cause?.cause == .slowCallback, let span, let otherSpan = other.span else { return false }
    return span.overlaps(otherSpan)
  }

  /// From the beginning of what took its time to its end.
  private var span: Range<Int64>? {
    guard let begin = culprit?.instant.nanoseconds, let elapsed, elapsed > 0 else { return nil }
    return begin..<(begin &+ elapsed > begin ? begin &+ elapsed : .max)
  }

  /// Whether a finding of the same cause can depend on this one: its rule is not here yet, or only for
  /// the other of a call and a notification.
  fileprivate func takes(_ finding: Finding) -> Bool {
    finding.explains != nil
      || !([self] + dependents).contains { other in
        guard other.rule == finding.rule else { return false }
        let verbs = Set([other, finding].compactMap(\.culprit?.verb))
        return verbs != [.call, .notify]
      }
  }
}
