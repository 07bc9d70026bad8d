import LifecycleModel

/// Takes findings in, and keeps what one can read: the same thing over and over in one window is one
/// finding with a count, and of one fingerprint only the first are kept.
struct FindingCollector {
  /// How many findings of one fingerprint are kept.
  static let keptPerFingerprint = 20

  /// What makes two findings one.
  private struct Recurrence: Hashable {
    var clause: Int
    var opener: UInt64
    var name: Symbol
    var label: Symbol
    var subject: Subject
  }

  private static let rememberedRecurrences = 4096
  private static let rememberedFingerprints = 1024

  private(set) var findings: [Finding] = []
  private(set) var leftOut: [String: Int] = [:]
  private var kept: [String: Int] = [:]
  private var recurrences: [Recurrence: Int?] = [:]
  /// The fingerprints of findings that came before, by all that they are made of.
  private var fingerprints: [Fingerprint.Shape: String] = [:]
  /// The fingerprint of the finding that came last, kept or left out.
  private(set) var lastFingerprint = ""
  /// Where the findings of the process begin that runs.
  private var firstOfProcess = 0
  /// What was left out of this process: the events that a death may have as its suspects.
  private var leftOutOfProcess: [Finding] = []
  private static let rememberedLeftOut = 64

  /// Takes a finding in; its place, or `nil` when it was left out.
  ///
  /// `message` is a template until ``finish(_:)``. `opener` is the place of the opening event.
  mutating func add(
    _ finding: Finding, clause: Int, opener: UInt64?, _ vocabulary: Vocabulary
  ) -> Int? {
    let culprit = finding.culprit
    let recurrence = Recurrence(
      clause: clause, opener: opener ?? finding.ordinal, name: culprit?.name ?? .none,
      label: culprit?.label ?? .none, subject: finding.subject)

    if let known = recurrences[recurrence] {
      if let known { findings[known].occurrences += 1 }
      return known
    }

    if recurrences.count >= FindingCollector.rememberedRecurrences { recurrences.removeAll() }
    var finding = finding
    finding.fingerprint = fingerprint(of: finding, clause: clause, vocabulary)
    lastFingerprint = finding.fingerprint
    let count = kept[finding.fingerprint, default: 0]
    guard count < FindingCollector.keptPerFingerprint else {
      leftOut[finding.fingerprint, default: 0] += 1
      recurrences[recurrence] = .some(nil)
      if leftOutOfProcess.count < Self.rememberedLeftOut { leftOutOfProcess.append(finding) }
      return nil
    }

    kept[finding.fingerprint] = count + 1
    finding.number = findings.count + 1
    findings.append(finding)
    recurrences[recurrence] = findings.count - 1
    return findings.count - 1
  }

  /// The fingerprint of a finding; what was seen before costs a look-up.
  private mutating func fingerprint(
    of finding: Finding, clause: Int, _ vocabulary: Vocabulary
  ) -> String {
    guard let shape = Fingerprint.Shape(finding, clause: clause) else {
      return Fingerprint.of(finding, vocabulary)
    }
    if let known = fingerprints[shape] { return known }
    if fingerprints.count >= Self.rememberedFingerprints { fingerprints.removeAll() }
    let made = Fingerprint.of(finding, vocabulary)
    fingerprints[shape] = made
    return made
  }

  /// The findings that come from now on are of another process.
  mutating func beginProcess() {
    firstOfProcess = findings.count
    leftOutOfProcess.removeAll()
  }

  /// The findings of the process that runs, or has just ended.
  var ofProcess: ArraySlice<Finding> { findings[firstOfProcess...] }

  /// Withdraws the findings about times that were made, or became more serious, from a place on although
  /// what they are about began before it; the rules' ids.
  mutating func withdrawTimes(across place: UInt64) -> [String] {
    let across = ofProcess.indices.filter { index in
      let finding = findings[index]
      let isTimed = finding.elapsed != nil || finding.allowed != nil
      return isTimed && finding.ordinal < place && finding.madeBefore >= place
        && !finding.isWithdrawn
    }
    for index in across { findings[index].isWithdrawn = true }
    return across.map { findings[$0].rule }
  }

  /// The place of the finding of this process that names one of these suspects as what is wrong, or
  /// as what opened it, for the same cause: the most serious one, of equal ones that which tells most.
  func place(naming suspects: [DeathVerdict.Suspect]) -> Int? {
    places(naming: suspects).min {
      (findings[$1].severity, FindingCause.rank(findings[$0]), $0)
        < (findings[$0].severity, FindingCause.rank(findings[$1]), $1)
    }
  }

  /// The places of all findings of this process that name one of these suspects.
  func places(naming suspects: [DeathVerdict.Suspect]) -> [Int] {
    ofProcess.indices.filter { place in
      !findings[place].isWithdrawn && suspects.contains { findings[place].names($0) }
    }
  }

  /// The fingerprint of a finding of this process that names one of these suspects and was left out.
  func leftOut(naming suspects: [DeathVerdict.Suspect]) -> String? {
    leftOutOfProcess.first { finding in suspects.contains { finding.names($0) } }?.fingerprint
  }

  /// Words are forgotten: from now on the same thing in the same window is a finding of its own.
  mutating func forgetRecurrences() {
    recurrences.removeAll()
    fingerprints.removeAll()
  }

  mutating func update(_ index: Int, _ change: (inout Finding) -> Void) {
    change(&findings[index])
  }

  /// The findings behind the first `count`, as they are now, with their messages, withdrawn ones too.
  func findings(after count: Int, _ vocabulary: Vocabulary) -> [Finding] {
    findings.dropFirst(count).map { finding in
      var finding = finding
      finding.message = MessageTemplate.fill(finding, vocabulary)
      return finding
    }
  }

  /// The findings in the order of their culprits, then of their rules, with their messages.
  func finish(_ vocabulary: Vocabulary) -> [Finding] {
    FindingCause.join(findings(after: 0, vocabulary).filter { !$0.isWithdrawn })
      .ordered(by: FindingCollector.comesFirst)
  }

  /// By culprit, then rule, then what opened the window.
  private static func comesFirst(_ first: Finding, _ second: Finding) -> Bool {
    let openers = [first, second].map { finding in
      finding.witnesses.lazy.compactMap(\.event).first?.instant.nanoseconds ?? 0
    }
    return (first.ordinal, first.rule, openers[0], first.message)
      < (second.ordinal, second.rule, openers[1], second.message)
  }
}

extension Finding {
  /// Whether it is about the same cause as a suspect: what the suspect is opened it, or is what is
  /// wrong.
  fileprivate func names(_ suspect: DeathVerdict.Suspect) -> Bool {
    switch suspect.kind {
    case .mainThread, .launch, .termination, .request: if elapsed == nil { return false }
    case .task:
      if cause?.cause != .leakedTask && cause?.cause != .uncompletedHandover { return false }
    case .lock, .socket: if cause?.cause != .heldResource { return false }
    case .delivery: if cause?.cause != .uncompletedHandover { return false }
    case .resume: return rule == suspect.rule
    }
    return witnesses.contains { witness in
      witness.role != .closes && witness.event == suspect.event
        // What an account counts beside its first span has not ended either.
        || suspect.kind == .mainThread && witness.missing?.after == suspect.event
    }
  }
}
