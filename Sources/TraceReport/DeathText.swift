import LifecycleModel
import TraceAnalysis

/// The verdict on a death as one paragraph.
struct DeathText {
  private let verdict: DeathVerdict
  /// The ends before it, by their reason; those without one under `nil`.
  private let before: [ExitReason?: Int]
  private let vocabulary: Vocabulary

  /// The paragraph on the last death; `nil` when no process ended.
  init?(_ deaths: Deaths, _ vocabulary: Vocabulary) {
    guard let verdict = deaths.last else { return nil }
    self.verdict = verdict
    var before: [ExitReason?: Int] = [:]
    for (kind, count) in deaths.counts { before[kind.exitReason, default: 0] += count }
    before[verdict.reason, default: 0] -= 1
    self.before = before.filter { $0.value > 0 }
    self.vocabulary = vocabulary
  }

  /// The sentences, in the order of the questions: what ended it, was anybody looking, what explains
  /// it, does the code fit, what took the time, is it normal, what is not known.
  var paragraph: String {
    let sentences: [String?] = [
      ending, words, audience, explanation, running, agreement, shares, normal, doubts, earlier,
    ]
    return sentences.compactMap(\.self).joined(separator: " ")
  }

  private var ending: String {
    switch verdict.manner {
    case .silent:
      return "Nothing tells how the process ended; the next one started\(bucket)."
    case .exit:
      let status = attribute(.status).map { " with status \($0)" } ?? ""
      return "The app ended itself\(status)\(bucket)."
    case .crash:
      return "The app crashed\(signal)\(bucket)."
    case .kill:
      if let signal = killingSignal { return "The app was killed with signal \(signal)\(bucket)." }
      let meaning = verdict.meaning.isEmpty ? "" : ": \(verdict.meaning)"
      return "The system killed the app\(meaning)\(codeAndBucket)."
    }
  }

  private var signal: String { killingSignal.map { " with signal \($0)" } ?? "" }

  /// The signal that ended the process, as far as one is told.
  private var killingSignal: String? {
    if attribute(.namespace) != "SIGNAL" { return attribute(.signal) }
    return attribute(.code).map { code in
      UInt64(code.dropFirst(2), radix: 16).map(String.init) ?? code
    }
  }

  private var bucket: String { verdict.reason.map { " (\($0.rawValue))" } ?? "" }

  private var codeAndBucket: String {
    let code = verdict.code.map { "0x" + String($0, radix: 16) }
    let all = [code, verdict.reason?.rawValue].compactMap(\.self)
    return all.isEmpty ? "" : " (\(all.joined(separator: ", ")))"
  }

  private var words: String? {
    vocabulary.attributes(verdict.end.attributes)[.reason].map {
      "The system's words: \(JSONText.quoted($0))."
    }
  }

  private var audience: String {
    let state: String
    if verdict.isSuspended {
      state = ": the process was suspended"
    } else if let last = verdict.state {
      state = ": the app was \(words(last)) for \(TimeText.span(verdict.stateAge))"
    } else {
      state = ""
    }
    switch verdict.audience {
    case .visible: return "Somebody was looking\(state)."
    case .notVisible: return "Nobody was looking\(state)."
    case .unknown: return "Whether somebody was looking is not known."
    }
  }

  private func words(_ state: AppState) -> String {
    switch state {
    case .background, .suspended: "in the background"
    case .active, .inactive, .notRunning: state.rawValue
    }
  }

  private var explanation: String? {
    guard let first = verdict.suspects.first else { return nil }
    let more = verdict.suspects.count - 1
    return "It is explained by \(text(first))\(more > 0 ? ", and \(more) more like it" : "")."
  }

  /// What was cut off, when it does not explain the end.
  private var running: String? {
    guard verdict.suspects.isEmpty, let outermost = verdict.running.first else { return nil }
    let inner = verdict.running.count > 1 ? verdict.running.last : nil
    let inside = inner.map { ", in it \(named($0.event))" } ?? ""
    return "It came in the middle of \(named(outermost.event)), after "
      + "\(TimeText.span(outermost.elapsed))\(inside)."
  }

  private func text(_ suspect: DeathVerdict.Suspect) -> String {
    let event = suspect.event
    let age = TimeText.span(suspect.elapsed)
    let allowed = suspect.allowed.map { ", of which \(TimeText.span($0)) are allowed" } ?? ""
    switch suspect.kind {
    case .mainThread: return "\(named(event)), which held the main thread for \(age)\(allowed)"
    case .launch: return "the launch, which took \(age)\(allowed)"
    case .termination:
      return "its exit: it was still there \(age) after it had been told to terminate"
    case .task:
      let subject = event.subjectKind == .task ? "\(event.subject) \(label(event))" : named(event)
      return "\(subject), still open after \(age) in the background\(allowed)"
    case .lock: return "the lock \(label(event)), held for \(age)"
    case .delivery: return "\(named(event)), not completed after \(age)"
    case .resume: return "the resumes since \(InstantText.print(event.instant.nanoseconds))"
    }
  }

  private var agreement: String? {
    switch verdict.agreement {
    case .agrees: "The code agrees with the trace."
    case .disagrees(let what): "Code and trace disagree: \(what)."
    case .cannotTell(let doubt):
      "Whether the code fits the trace cannot be told: \(doubt.reason)."
    case .nothingToShow, nil: nil
    }
  }

  private var shares: String? {
    let total = verdict.busyTime
    if verdict.shares.isEmpty || total <= 0 { return nil }
    // What took less than a hundredth says nothing.
    let parts = verdict.shares.filter { $0.time >= total / 100 }.map { share in
      "\(named(share.event)) \(share.time / max(1, total / 100)) %"
    }
    return "The main thread was busy for \(TimeText.span(total)) up to then: "
      + parts.joined(separator: ", ") + "."
  }

  private var normal: String? {
    guard verdict.isNormal else { return nil }
    if verdict.isTerminated { return "It had been told to terminate: a normal end." }
    switch verdict.manner {
    case .exit: return "A normal end."
    case .kill, .silent:
      return verdict.isHarmless && verdict.audience == .notVisible && verdict.meaning.isEmpty
        ? "That is how the system reclaims apps in the background: nothing to worry about."
        : "Nothing that the app did wrong."
    case .crash: return nil
    }
  }

  private var doubts: String? {
    let all = verdict.doubts.map(\.reason)
    return all.isEmpty ? nil : "Not certain: \(all.joined(separator: "; "))."
  }

  private var earlier: String? {
    let rows = before.map { (name: $0.key?.rawValue ?? "not known", count: $0.value) }
      .sorted { ($1.count, $0.name) < ($0.count, $1.name) }
    if rows.isEmpty { return nil }
    let deaths = rows.reduce(0) { $0 + $1.count }
    let list = rows.map { rows.count == 1 ? $0.name : "\($0.count) \($0.name)" }
    return "Before it \(deaths == 1 ? "one process" : "\(deaths) processes") ended: "
      + list.joined(separator: ", ") + "."
  }

  private func attribute(_ key: AttributeKey) -> String? {
    vocabulary.attributes(verdict.end.attributes)[key].map { InertText.word($0) }
  }

  private func named(_ event: Event) -> String {
    InertText.word(vocabulary.text(event.name)) + (event.label.isNone ? "" : " " + label(event))
  }

  private func label(_ event: Event) -> String {
    event.label.isNone ? "" : JSONText.quoted(vocabulary.text(event.label))
  }
}

extension Analysis {
  /// What reports say of the last death, as a paragraph; `nil` when no process ended.
  public func deathParagraph(_ vocabulary: Vocabulary) -> String? {
    DeathText(deaths, vocabulary)?.paragraph
  }
}
