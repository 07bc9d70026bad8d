import LifecycleModel
import LifecycleRules
import Run
import TraceAnalysis
import TraceText

/// The verdict on the end of a process in words: a phrase for headlines, and a paragraph.
package struct DeathText {
  private let verdict: DeathVerdict
  private let vocabulary: Vocabulary
  /// What the event of the end says beside its verb.
  private let attributes: [Attribute]
  /// Whether the log has several ends, so that each says whose it is.
  private let isOneOfSeveral: Bool

  package init(_ verdict: DeathVerdict, _ vocabulary: Vocabulary, isOneOfSeveral: Bool = false) {
    self.verdict = verdict
    self.vocabulary = vocabulary
    attributes = vocabulary.attributes(verdict.end.attributes)
    self.isOneOfSeveral = isOneOfSeveral
  }

  // MARK: In a phrase

  /// How it ended, as a headline says it: `killed by the watchdog (0x8badf00d)`.
  package var phrase: String {
    let cause = InertText.line(verdict.cause)
    switch verdict.manner {
    case .silent:
      return cause == "gone" ? "vanished" : "ended without a recorded cause"
    case .exit:
      if cause.hasPrefix("exit ") { return "exited with \(cause.dropFirst(5))" }
      // No fault is recorded, and there is no reason to be calm.
      let isOnScreen = verdict.audience == .visible && !verdict.isTerminated
      return isOnScreen ? "exited on screen" : "exited"
    case .crash:
      if verdict.exception != nil { return "crashed with an uncaught exception (\(cause))" }
      if cause == "a signal" { return "crashed" }
      return cause.first?.isLowercase == true && !cause.hasPrefix("signal ")
        ? "crashed at launch (\(cause))" : "crashed with \(cause)"
    case .kill:
      if verdict.reason == .appWatchdog { return "killed by the watchdog (\(cause))" }
      if cause.hasPrefix("SIG") || cause.hasPrefix("signal ") {
        return verdict.deathClass == .normal ? "ended by \(cause)" : "killed with \(cause)"
      }
      if cause == "kill" { return "killed" + (said.map { ": \(Self.short($0))" } ?? "") }
      if verdict.deathClass == .normal, verdict.reason == .memoryPressure {
        return "reclaimed in the background (\(cause))"
      }
      if cause == "jetsam" { return "killed to free memory" }
      return verdict.meaning.isEmpty
        ? "killed (\(cause))" : "killed: \(verdict.meaning) (\(cause))"
    }
  }

  // MARK: In a line

  /// Why it ended, and how sure that is; no cause where the log shows none.
  ///
  /// `remark` is what a report of the end says beside it, such as where a thread crashed.
  package func cause(_ remark: String?) -> (text: String?, certainty: Verdict.Certainty) {
    let kindOfWait = remark.flatMap { ThreadWait(in: $0) }
    // A thread that waited for events held nobody up.
    let wait = kindOfWait == nil || kindOfWait == .events ? nil : remark
    // An app whose main thread waits for events has finished the work of its launch.
    let isIdleLaunch = kindOfWait == .events && verdict.suspects.first?.kind == .launch
    if let suspicion, !isIdleLaunch {
      // What the system waited for is no cause by itself; what the main thread waited for is one.
      if let wait, verdict.suspects.first?.kind == .request {
        return ("\(suspicion); \(wait)", .likely)
      }
      if case .disagrees = verdict.agreement { return (suspicion, .possible) }
      return (suspicion, isLikely ? .likely : .possible)
    }
    if verdict.deathClass == .normal { return (nil, .unknown) }
    if case .disagrees(let what) = verdict.agreement {
      return ("code and trace disagree: \(what)", .unknown)
    }

    let isShown =
      said == verdict.cause || isFunction || said.map { remark?.contains($0) == true } == true
    let words = isShown ? nil : said.map { JSONText.quoted(Self.withoutID($0)) }
    let speaker = verdict.manner == .crash ? source : "the system"
    let quoted = words.map { verdict.exception == nil ? "\(speaker) says: \($0)" : $0 }
    let stated = overrun ?? quoted
    if verdict.manner == .crash {
      // What threw the exception says more than the signal that followed.
      let isThrown = remark?.contains(" was thrown in ") == true
      let isAnswer = DeathCauses.explaining(said) != nil || !isThrown
      let isSaid = verdict.exception == nil && !verdict.meaning.isEmpty && isAnswer
      let meaning = isSaid ? verdict.meaning : nil
      let isElsewhere = wait != nil || remark?.contains(" was in ") == true
      let isNeedless = remark?.contains(CrashedStack.missing) == true && !asksForFrames
      let place = isElsewhere || isNeedless ? nil : remark
      if let known = [meaning, stated, place].joined(by: "; ") { return (known, .certain) }
    }

    // What the main thread waits for as its time runs out probably held it; where it stood otherwise is no cause.
    let isOfHold = verdict.reason == .appWatchdog || verdict.cause == KillCode.deadlock
    if isOfHold, let wait { return ([wait, stated].joined(by: "; "), .likely) }
    let unknown = verdict.unknown.map(\.reason) ?? "\(source) does not \(unshown)"
    // That the main thread was idle matters where it ran out of time.
    let isIdle =
      kindOfWait == .events ? verdict.reason != .appWatchdog : remark?.contains("mach_msg") == true
    let place = isIdle ? nil : remark
    // A report of its memory limit states in the remark what the process used.
    let ofLimit = remark.flatMap { $0.contains(" when it passed its limit") ? $0 : nil }
    let memory = ofLimit ?? memory
    let isStated = stated != nil || memory != nil
    let answer = isStated ? [stated, memory] : [unknown]
    let known = answer + [ofLimit == nil ? place : nil]
    return (known.joined(by: "; "), isStated ? .stated : .unknown)
  }

  /// Whether the reason is a function that explains the end by its name: no word of anybody.
  private var isFunction: Bool {
    said?.contains(" ") == false && DeathCauses.explaining(said) != nil
  }

  /// Whether the words of a crash explain it only together with the frames.
  private var asksForFrames: Bool {
    verdict.exception == nil && DeathCauses.explaining(said)?.asksForFrames ?? true
  }

  /// What would say why the process ended, and is not there.
  private var unshown: String {
    if verdict.manner == .exit { return "show what called exit()" }
    return verdict.reason == .suspendedWithLockedFile
      ? "name the locked file" : "show what led to it"
  }

  /// What took longer than the watchdog allows, where the system states both.
  private var overrun: String? {
    let watchdog = attributes["watchdog"]
    guard verdict.reason == .appWatchdog, let watchdog, let allowance = verdict.allowance else {
      return nil
    }
    let time = TimeText.span(allowance)
    let isOfProcessor = attributes[.reason]?.contains(" CPU time allowance of ") == true
    let what = isOfProcessor ? "used more processor time than" : "took longer than"
    let used = verdict.processorTime.map { ", with \(TimeText.span($0)) of processor time" } ?? ""
    return "\(InertText.word(watchdog)) \(what) the \(time) that the system allows\(used)"
  }

  /// What says how it ended.
  private var source: String {
    attributes[.by] == "report" ? "the report" : "the log"
  }

  /// The memory that was used, and its limit, in the words of the system.
  private var memory: String? {
    let used = attributes["memory"].map { "the process used \(InertText.word($0))" }
    let limit = attributes["limit"].map { "its limit is \(InertText.line($0))" }
    return [used, limit].joined(by: "; ")
  }

  /// Words with `…` for the process, which stands beside them, and without the bodies of objects.
  private static func withoutID(_ words: String) -> String {
    withoutBodies(words).replacing(#/\[?app(lication)?<[^>]*>(:\d+)?\]?/#, with: "…")
  }

  /// An object's description in the words of an exception, such as `<UILabel: 0x600; frame = (0 0; 9 9)>`: of it the
  /// class matters alone, and the sentence goes on behind it.
  private static func withoutBodies(_ words: String) -> String {
    var left = words
    guard left.contains(#/<[\w.]+: 0x[0-9a-f]+;/#) else { return words }
    // They stand within each other.
    for _ in 0..<4 { left = left.replacing(#/<([\w.]+): 0x[0-9a-f]+[^<>]*>/#) { $0.output.1 } }
    return left.replacing(#/<([\w.]+): 0x[0-9a-f]+[^>]*$/#) { "\($0.output.1)…" }
  }

  // MARK: In a paragraph

  /// The sentences, in the order of the questions: what ended it, was it on screen, what explains
  /// it, does the code fit, what took the time, what is lost, is it normal, what is not known.
  package var paragraph: String {
    let sentences: [String?] = [
      DeathText.loop(verdict.launchesInARow), ending, words, audience, explanation, running,
      agreement, shares, processor,
      verdict.memory, losses, normal, doubts,
    ]
    return sentences.joined(by: " ") ?? ""
  }

  /// What is said of a number of launches in a row that ended at the same place; `nil` where they are few.
  package static func loop(_ launches: Int) -> String? {
    launches < DeathVerdict.crashLoop
      ? nil : "A crash loop: \(launches) launches in a row ended at the same place."
  }

  private var ending: String {
    let process = verdict.process
    // Where there are several, it is stated whose end it is.
    let name = isOneOfSeveral ? "Process \(process.pid ?? process.number): " : ""
    guard let reason = verdict.reason, reason != .unknown, reason != .normal,
      verdict.deathClass != .normal
    else {
      return name + verdict.sentence
    }
    let sentence = verdict.sentence.dropLast()
    return name
      + (sentence.hasSuffix(")")
        ? "\(sentence.dropLast()), \(reason.rawValue))." : "\(sentence) (\(reason.rawValue)).")
  }

  /// The reason that the event of the end states, or another one about the same end.
  private var said: String? {
    [attributes[.reason], verdict.wordsOfEcho].lazy.compactMap(\.self)
      .first { $0 != "<no explanation given>" }
  }

  private static let longestWords = 72

  /// Words of the system for a headline.
  private static func short(_ words: String) -> String {
    JSONText.quoted(words.count > longestWords ? words.prefix(longestWords - 1) + "…" : words)
  }

  private var words: String? {
    if verdict.exception != nil || verdict.manner == .silent { return nil }
    let by = attributes[.by].flatMap {
      // A report states the end, and asked for nothing.
      $0 == "report" ? nil : $0
    }
    // That the app ended itself is said already, and so is a word that names the cause.
    let reason = said == "voluntary" || said == verdict.cause || isFunction ? nil : said
    return [
      reason.map { "The system says: \(JSONText.quoted($0))" + ($0.hasSuffix(".") ? "" : ".") },
      by.map { "The request came from \(InertText.word($0))." },
    ].joined(by: " ")
  }

  private var audience: String {
    if verdict.isSuspended { return "The process was suspended, and the app was not on screen." }
    let least = verdict.isEndSeen ? "" : "at least "
    let state = verdict.state.map {
      verdict.stateAge > 0
        ? "\($0.inWords) for \(least)\(TimeText.span(verdict.stateAge))" : $0.inWords
    }

    switch verdict.audience {
    case .visible where verdict.state == .background:
      return "The app was on its way to the screen."
    case .visible:
      if verdict.state == .inactive, let state {
        return "The app was \(state): on screen, or moving to or from it."
      }
      return state.map { "The app was on screen, \($0)." } ?? "The app was on screen."
    case .notVisible:
      return state.map { "The app was \($0)." } ?? "The app was not on screen."
    case .unknown: return "It is not known whether the app was on screen."
    }
  }

  private var explanation: String? {
    suspicion.map { "\(isLikely ? "Likely" : "Possible") cause: \($0)." }
  }

  /// What was open at the end and explains it; `nil` where nothing does.
  private var suspicion: String? {
    guard let first = verdict.suspects.first else { return nil }
    let shared = verdict.suspects.filter(\.isShared)
    if shared.count > 1 { return text(shared: shared) }
    let more = verdict.suspects.count - 1
    return text(first) + (more > 0 ? ", and \(more) more like it" : "")
  }

  /// Whether what was open explains the end: of one that nobody saw it may be the cause, and what held the
  /// main thread probably is.
  private var isLikely: Bool {
    let isHeld = verdict.suspects.first?.kind == .mainThread
    return (isHeld || verdict.manner != .silent) && verdict.deathClass != .unknown
  }

  /// What took all of the time together: `a, 5.95s, and b, 3.9s: together 9.85s of the 10s allowed`.
  private func text(shared suspects: [DeathVerdict.Suspect]) -> String {
    let parts = suspects.map { "\(named($0.event)), \(TimeText.span($0.elapsed))" }
    let total = TimeText.span(suspects.reduce(0) { $0 &+ $1.elapsed })
    let allowed = suspects[0].allowed.map { " of the \(TimeText.span($0)) allowed" } ?? ""
    return parts.dropLast().joined(separator: ", ") + ", and \(parts[parts.count - 1]), which held "
      + "the main thread together for \(total)\(allowed)"
  }

  /// What was cut off, when it does not explain the end.
  private var running: String? {
    guard verdict.suspects.isEmpty, let outermost = verdict.running.first else { return nil }
    // What the trace shows instead of the cause names it.
    if case .notShown = verdict.agreement { return nil }
    let inner = verdict.running.count > 1 ? verdict.running.last : nil
    let inside = inner.map { ", and inside it \(named($0.event))" } ?? ""
    let event = named(outermost.event)
    if outermost.elapsed <= 0 { return "At the end \(event) was running\(inside)." }
    return "At the end \(event) had been running for "
      + "\(TimeText.span(outermost.elapsed))\(inside)."
  }

  private func text(_ suspect: DeathVerdict.Suspect) -> String {
    let event = suspect.event
    let age = TimeText.span(suspect.elapsed)
    // The system's time begins before the app's code runs.
    let isCountedBefore = suspect.allowed.map { suspect.elapsed < $0 } ?? false
    let allowed =
      suspect.allowed.map {
        " (limit \(TimeText.span($0))\(isCountedBefore ? ", counted from before it" : ""))"
      } ?? ""

    switch suspect.kind {
    case .mainThread: return "\(named(event)), which held the main thread for \(age)\(allowed)"
    case .launch: return "the launch, which took \(age)\(allowed)"
    case .termination:
      return "the exit: the process was still there \(age) after it was told to terminate"
    case .task:
      let isTask = event.subjectKind == .task
      let subject =
        isTask
        ? "background task \(event.label.isNone ? "\(event.subject)" : label(event))" : named(event)
      // How long it was in the background may not be known.
      if suspect.elapsed <= 0 { return "\(subject), not ended" }
      return "\(subject), not ended after \(age) in the background\(allowed)"
    case .lock: return "the lock \(label(event)), held for \(age)"
    case .socket: return "the socket \(label(event)), held across a suspension"
    case .delivery: return "\(named(event)), not completed after \(age)"
    case .resume: return "the repeated resumes since \(TimeText.instant(event.instant))"
    case .request:
      let limit = suspect.isOverrun ? suspect.allowed.map { "within \(TimeText.span($0))" } : nil
      return "the app did not \(asked(event)) \(limit ?? "in \(age)\(allowed)")"
    }
  }

  /// What the system asked the app to do: `go to the background ("Logical Background")`.
  private func asked(_ event: Event) -> String {
    let name = event.label.isNone ? named(event) : label(event)
    let meaning = ["\"Logical Background\"": "go to the background"][name]
    return meaning.map { "\($0) (\(name))" } ?? "finish the system's \(name)"
  }

  private var agreement: String? {
    switch verdict.agreement {
    case .agrees: "The code agrees with the trace."
    case .notShown(let what): what.prefix(1).uppercased() + what.dropFirst() + "."
    case .disagrees(let what): "Code and trace disagree: \(what)."
    case .cannotTell(let doubt):
      "Cannot tell whether the code fits the trace: \(doubt.reason)."
    case .nothingToShow, nil: nil
    }
  }

  private var shares: String? {
    let total = verdict.busyTime
    if verdict.shares.isEmpty || total <= 0 { return nil }
    // What took less than a hundredth says nothing.
    let parts = verdict.shares.filter { $0.elapsed >= total / 100 }.map { share in
      "\(named(share.event)) \(share.elapsed / max(1, total / 100))%"
    }
    return "The main thread was busy for \(TimeText.span(total)) before the end: "
      + parts.joined(separator: ", ") + "."
  }

  /// Whether the app computed or waited, where the system states the processor time.
  private var processor: String? {
    guard let used = verdict.processorTime, let allowed = verdict.allowance,
      verdict.reason == .appWatchdog
    else { return nil }
    let text = "The app used \(TimeText.span(used)) of processor time"
    if verdict.isIdle {
      let isHeld = verdict.suspects.first?.kind == .mainThread
      return text
        + (isHeld
          ? ": the main thread waited, and did not compute."
          : ": it waited, or did not get the processor.")
    }
    return used > allowed / 2 ? text + ": it computed." : text + "."
  }

  /// What the end cut off or lost.
  private var losses: String? {
    let parts = verdict.losses.prefix(3).map { loss in
      loss.event.verb == .dataDirty
        ? "\(label(loss.event)), changed at \(TimeText.instant(loss.event.instant)), was not saved"
        : "\(named(loss.event)), begun at \(TimeText.instant(loss.event.instant)), was cut off"
    }
    if parts.isEmpty { return nil }
    let more = CountText.more(verdict.losses.count - parts.count, behind: "; ")
    return "Lost: \(parts.joined(separator: "; "))\(more)."
  }

  private var normal: String? {
    if verdict.isStopOfDebugger { return nil }
    guard verdict.deathClass == .normal else { return nil }
    if verdict.isTerminated {
      return "It was told to terminate" + (verdict.isHarmless ? ": a normal end." : ".")
    }

    if !verdict.losses.isEmpty { return "The end itself is normal; what was lost is not." }
    guard verdict.isHarmless else { return nil }
    if verdict.manner == .exit { return "This is a normal end." }
    if verdict.cause == "SIGKILL" {
      return "The system kills background apps like this when it needs their memory."
    }

    let isReclaim = verdict.reason == .memoryPressure || verdict.cause == "kill" && said == nil
    return verdict.audience == .notVisible && isReclaim
      ? "The system reclaims background apps this way; no action is needed."
      : "Nothing shows a fault of the app."
  }

  private var doubts: String? {
    var all = verdict.doubts.map(\.reason)
    if let unknown = verdict.unknown?.reason, !all.contains(unknown) { all.append(unknown) }
    // Numbers of processes are used again.
    if let doubt = attributes["doubt"] { all.append(InertText.line(doubt)) }
    return all.isEmpty ? nil : "Not certain: \(all.joined(separator: "; "))."
  }

  private func named(_ event: Event) -> String {
    InertText.word(vocabulary.text(event.name)) + (event.label.isNone ? "" : " " + label(event))
  }

  private func label(_ event: Event) -> String {
    event.label.isNone ? "" : JSONText.quoted(vocabulary.text(event.label))
  }
}

extension AppState {
  /// The state as it stands in a sentence: `the app was in the background`.
  package var inWords: String {
    switch self {
    case .background, .suspended: "in the background"
    case .notRunning: "not running"
    case .active, .inactive: rawValue
    }
  }
}
