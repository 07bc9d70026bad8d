import LifecycleModel

extension DeathVerdict {
  /// Reaches a verdict on the process that `end` ends; the moment is that before its memory goes.
  init(_ end: Event, _ moment: Moment, process number: Int) {
    let isSilent = end.verb == .processStart
    let scene = DeathScene(moment, at: isSilent ? moment.state.instant : end.instant)
    let cause = Cause(end, moment)
    let row = cause.code.flatMap(KillCodes.row)
    let reading = row.map(scene.reading)
    self.end = end
    process = Process(moment, number: number)
    self.cause = cause.name(row)
    manner = cause.manner
    code = cause.code
    meaning = row?.meaning ?? cause.word?.meaning ?? ""
    reason = cause.reason ?? row?.exitReason ?? cause.word?.exitReason
    let isOfBackground = reason.map(ExitReason.ofBackground.contains) ?? false
    audience = scene.audience == .unknown && isOfBackground ? .notVisible : scene.audience
    state = moment.state.appState
    stateAge = moment.state.app.map { scene.elapsed($0.since) } ?? 0
    isSuspended = moment.state.suspension != nil
    isTerminated = moment.termination != nil
    agreement = reading?.agreement
    suspects = reading?.suspects ?? scene.suspects(cause)
    var shares = scene.isMainBusy ? scene.shares : []
    busyTime = shares.reduce(0) { $0 &+ $1.time }
    if busyTime < Allowances.time(.reportedHang) { (shares, busyTime) = ([], 0) }
    self.shares = shares.prefix(3).map { Share(event: $0.fact.event, time: $0.time) }
    running = scene.running.map { Running(event: $0.event, elapsed: scene.elapsed($0)) }
    doubts = scene.doubt.map { [$0] } ?? []
    if moment.profile.debugger {
      doubts.append(.notSaid("what the system does without a debugger"))
    }
    let isNormal =
      cause.isNormal(audience, isTerminated: isTerminated, row)
      && (suspects.isEmpty && (running.isEmpty || manner != .kill) || isTerminated)
    if reason == nil && isNormal { reason = cause.reasonOfNormalEnd(isTerminated: isTerminated) }
    isHarmless = isNormal && running.isEmpty
    deathClass =
      isNormal
      ? .normal : cause.isFault(row) ? .fault : audience == .visible ? .unexplained : .unknown
  }
}

extension DeathVerdict.Process {
  fileprivate init(_ moment: Moment, number: Int) {
    self.number = number
    start = moment.state.processStart?.event
    let said = start.map { moment.vocabulary.attributes($0.attributes) } ?? []
    let profile = moment.profile.attributes
    pid = (said[.pid] ?? profile[.pid]).flatMap { Int($0) }
    bundle = said[.bundle] ?? profile[.bundle]
    launch = moment.launch
  }
}

/// What an end says of itself.
private struct Cause {
  var manner: DeathVerdict.Manner
  var code: UInt64?
  var reason: ExitReason?
  var word: KillReason?
  private var isJetsam = false
  /// Whether the system itself tells of a kill, and not only a signal that anybody may send.
  private var isKill = false

  init(_ end: Event, _ moment: Moment) {
    let said = moment.vocabulary.attributes(end.attributes)
    switch end.verb {
    case .exit:
      let signal = said[.signal].flatMap(Cause.signal)
      manner = signal == nil ? .exit : signal == 9 ? .kill : .crash
      reason = signal.map(Cause.reason) ?? (said[.status] ?? "0" == "0" ? .normal : .abnormal)
    case .kill:
      manner = .kill
      isKill = said[.namespace] != "SIGNAL"
      word = said[.reason].flatMap(KillCodes.reason)
      isJetsam = said[.namespace] == "JETSAM"
      let code = said[.code].flatMap(KillCodes.code)
      if said[.namespace] == "SIGNAL", let code {
        reason = Cause.reason(ofSignal: code)
        if code != 9 { manner = .crash }
      } else if isJetsam {
        // The code of jetsam is its own, and no termination code.
        reason = word?.exitReason ?? .memoryPressure
      } else {
        self.code = code
      }
    default: manner = .silent
    }
  }

  /// Reads `11` or `SIGSEGV`.
  private static func signal(_ text: String) -> UInt64? {
    let names: [String: UInt64] = [
      "SIGILL": 4, "SIGTRAP": 5, "SIGABRT": 6, "SIGBUS": 7, "SIGFPE": 8, "SIGKILL": 9,
      "SIGSEGV": 11, "SIGTERM": 15,
    ]
    return UInt64(text) ?? names[text]
  }

  /// What a signal means; a SIGKILL does not say who sent it.
  private static func reason(ofSignal signal: UInt64) -> ExitReason? {
    switch signal {
    case 4, 5: .illegalInstruction
    case 7, 10, 11: .badAccess
    case 9: nil
    case 15: .normal
    default: .abnormal
    }
  }

  /// What ended the process, in a word.
  func name(_ row: KillCode?) -> String {
    if let code { return "0x" + String(code, radix: 16) }
    return word?.word ?? reason?.rawValue ?? manner.rawValue
  }

  /// Whether the app did it.
  func isFault(_ row: KillCode?) -> Bool {
    if let row { return row.signature != .nothingWrong && row.signature != .notAKill }
    return manner == .crash || reason == .abnormal || word?.exitReason == .memoryResourceLimit
  }

  /// Whether the app did nothing wrong.
  func isNormal(
    _ audience: DeathVerdict.Audience, isTerminated: Bool, _ row: KillCode?
  ) -> Bool {
    if let reason { if reason != .memoryPressure { return reason == .normal } }
    if let row {
      switch row.signature {
      case .nothingWrong, .nothingWrongInForeground, .notAKill: return true
      default: return false
      }
    }
    if code != nil || word != nil && !isJetsam { return false }
    return isTerminated || audience == .notVisible
  }

  /// An app that was told to terminate has; one that a kill without a code ends in the background is
  /// reclaimed for its memory.
  func reasonOfNormalEnd(isTerminated: Bool) -> ExitReason? {
    isTerminated ? .normal : isKill && code == nil ? .memoryPressure : nil
  }
}

extension DeathScene {
  /// What took the time on the main thread.
  fileprivate var shares: [MainThreadWindow.Share] {
    moment.mainThread.shares(at: moment.state.awake(at: instant))
  }

  /// What explains an end that has no code.
  fileprivate func suspects(_ cause: Cause) -> [DeathVerdict.Suspect] {
    switch cause.word?.exitReason ?? cause.reason {
    case .backgroundTaskAssertionTimeout: tasks + scheduledTasks
    case nil where cause.manner == .kill || cause.manner == .silent: overruns + leakedTasks
    default: []
    }
  }
}
