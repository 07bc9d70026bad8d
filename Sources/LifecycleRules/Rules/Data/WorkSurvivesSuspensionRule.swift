import LifecycleModel
import TraceAnalysis

/// A save, a transfer, and what an event was handed over for is over before the process is suspended,
/// or covered by a background task.
struct WorkSurvivesSuspensionRule: Rule {
  static let description: RuleDescription = .init(
    id: "work-survives-suspension", formerRules: [FormerRule("data-save-survives")],
    number: 89,
    topic: .data,
    summary: "a suspension cuts no save and no transfer, nor the work of a completed event",
    severity: .warning,
    sources: [
      .s4, .beginBackgroundTask, .backgroundTransfers, .requestTimeout, .uploadsCut, .uploadLost,
    ],
    why: """
      A suspended process may end without running again. Half of a save is then on disk, and \
      possibly a lock. A transfer stands still: its server closes the connection, the request times \
      out, and the upload is lost or begins anew. Who completes a fetch, a push or a task of \
      BGTaskScheduler says that its work is over, and the system suspends the process at once.
      """,
    remedy: """
      Begin a background task before the save or the transfer, and end it afterwards. Hand large \
      transfers to a background URL session. Complete a fetch, a push or a BGTask where its work \
      ends.
      """,
    limits: """
      A save that a suspension meets is a finding, and so is one that a kill in the background cuts, \
      unless the kill is for a fault. Of a transfer, and of the work of an event, only \
      a suspension of a minute or more is: so long URLSession waits by default. Work by another \
      process, such as a background URL session, survives: it carries by=system. A transfer that is \
      labelled like a background URL session that the log shows, or that goes on as one is handed \
      over, is not judged, nor one under a task that expired. If the log does not record system \
      events, it shows no suspensions.
      """,
    needs: RuleNeeds(hooks: [[.work], [.system], [.tasks]]),
    patterns: [
      .never(
        .verbs(.suspend), while: .open(.workBegin(.save).where(.by, isNot: "system")),
        says: "the process was suspended during the save {held}, begun at {since}"
      ).unless(.taskOpen)
    ],
    given: "0s - profile mode=app hooks=app-delegate,work,system,tasks",
    examples: """
      clean: over before
      0s - profile hooks=app-delegate,work,system,tasks
      1s..1.2s main call applicationDidEnterBackground app
      1.1s..1.5s db work.begin save app "draft"
      2s - suspend app

      clean: covered by a task
      0s - profile hooks=app-delegate,work,system,tasks
      1s..1.2s main call applicationDidEnterBackground app
      1.05s main task.begin task:1 "save"
      1.1s db work.begin save app "draft"
      1.15s..901s net work.begin network app "upload"
      2s..900s - suspend app

      clean: handed to a background URL session
      0s - profile hooks=app-delegate,work,system,tasks
      1.1s main work.begin save app "upload" by=system
      1.2s main work.begin network app "photos" by=system
      2s..900s - suspend app
      905s main note "later"

      clean: a transfer that a short suspension does not cut, and one that ends under its fetch
      1s..1.2s main call applicationDidEnterBackground app
      1.1s..27s net work.begin network app "feed"
      6s..26s - suspend app
      26.1s - deliver fetch app
      27.1s..29s net work.begin network app "sync"
      29.1s main complete fetch app
      34s..900s - suspend app
      905s main note "later"

      clean: the task had expired: the system ended what covered the transfer
      0.9s..30.1s main task.begin task:1 "upload"
      1s..1.2s main call applicationDidEnterBackground app
      1.1s..905s net work.begin network app "upload"
      30s..30.2s main task.expire task:1
      31s..900s - suspend app

      cannot tell: the process is resumed for a background URL session, whose transfer it may be
      1s..1.2s main call applicationDidEnterBackground app
      1.1s..900.2s main work.begin network app "photo 7"
      6s..900s - suspend app
      900.1s - deliver urlsession app "photos"
      900.3s main complete urlsession app "photos"

      cannot tell: its end may be in the gap
      1s..1.2s main call applicationDidEnterBackground app
      1.1s net work.begin network app "upload"
      3s - gap ring-full 4
      6s..900s - suspend app
      905s main note "later"

      cannot tell: the log ends with the suspension
      1.1s net work.begin network app "upload"
      6s - suspend app

      violating: suspended in the middle of a save
      0s - profile hooks=app-delegate,work,system,tasks
      1s..1.2s main call applicationDidEnterBackground app
      1.1s..60.4s db work.begin save app "draft"
      2s..60s - suspend app ◀

      violating: killed in the background in the middle of a save
      0s - profile hooks=app-delegate,work,system,tasks
      1s..1.1s main call applicationDidEnterBackground app
      1.2s db work.begin save app "draft" ◀
      2s - kill app namespace=JETSAM reason=vm-pageshortage

      clean: killed while a task covers the save
      0s - profile hooks=app-delegate,work,system,tasks
      1s..1.1s main call applicationDidEnterBackground app
      1.15s main task.begin task:1 "save"
      1.2s db work.begin save app "draft"
      2s - kill app namespace=JETSAM reason=vm-pageshortage

      violating: an upload without a task, which stands still for a quarter of an hour
      0s - profile mode=scene hooks=scene-delegate,work,system,tasks
      1s..1.2s main call sceneDidEnterBackground scene:1
      1.1s..906.5s net work.begin network app "upload" ◀
      6s..906s - suspend app

      violating: the process ends in the suspension
      1s..1.2s main call applicationDidEnterBackground app
      1.1s net work.begin network app "upload" ◀
      6s - suspend app
      906s - kill app namespace=JETSAM reason=vm-pageshortage

      violating: a fetch that is completed as its transfer begins
      1s..1.1s main call applicationDidEnterBackground app
      6s..906s - suspend app
      906.1s - deliver fetch app
      906.2s..1805s net work.begin network app "sync"
      906.3s main complete fetch app ◀
      911s..1800s - suspend app

      violating: a task of BGTaskScheduler that is completed before its work
      0s - profile launch=bgtask mode=app hooks=app-delegate,work,system,tasks
      0s - process.start app launch=bgtask
      1s - bgtask.launch com.example.clean app handler=true
      1.1s..908s db work.begin other app "clean"
      1.2s main bgtask.complete com.example.clean app ◀
      6s..906s - suspend app
      """
  )

  static let interests: [EventPattern] = [
    .verbs(
      .suspend, .resume, .kill, .exit, .taskExpire, .bgtaskExpire, .bgtaskComplete),
    .complete(.fetch, .push, .urlsession), .deliver(.urlsession),
    .call(.applicationHandleEventsForBackgroundURLSession),
    .named(.workEnd, worksOfEvents),
  ]

  /// What may have been begun for an event.
  private static let worksOfEvents: [WorkCategory] = [.network, .load, .dispatch, .other]
  private static let symbols = Set(worksOfEvents.map(\.symbol))
  private static let answered = Set([Delivery.fetch, .push, .urlsession].map(\.symbol))

  /// Work that a suspension has met.
  private struct Cut {
    var work: OpenEvent
    var suspension: OpenEvent
    /// What said that the work was over.
    var completion: OpenEvent?
    /// For how long it stood still; `nil` while it does.
    var time: Nanoseconds?
  }

  private var cuts = Remembered<Cut>(256, beyond: .cannotTell)
  /// The completions in the background, each with the place of what it answers.
  private var completions = Remembered<(opener: UInt64, end: OpenEvent)>(64, beyond: .oldestGoes)
  /// The place of the last expiration.
  private var expiration: UInt64 = 0
  /// The place of the last resume.
  private var resume: UInt64 = 0
  /// The places of the work that is judged.
  private var judged = RememberedSet<UInt64>(256)
  /// The labels of the background URL sessions of the app.
  private var sessions = RememberedSet<Symbol>(256)

  mutating func keep(from last: Self) { sessions = last.sessions }

  mutating func observe(_ event: Event, _ moment: Moment, _ findings: inout RuleFindings) {
    switch event.verb {
    case .suspend: suspend(event, moment, &findings)
    case .resume:
      resume = moment.fact(event).ordinal
      measure(until: event.instant)
      cuts.removeAll { $0.time.map { $0 < Allowances.requestTimeout } ?? false }
      if !cuts.isEmpty { findings.wake(at: moment.awake(event) &+ Allowances.Background.wake) }
    case .kill, .exit:
      measure(until: event.instant)
      reportCuts(moment, &findings) { $0 >= Allowances.requestTimeout }
    case .taskExpire, .bgtaskExpire: expiration = moment.fact(event).ordinal
    case .complete, .bgtaskComplete: complete(event, moment)
    case .workEnd: endWork(event, moment, &findings)
    default: handOver(event, &findings)
    }
  }

  mutating func wake(_ now: Nanoseconds, _ moment: Moment, _ findings: inout RuleFindings) {
    reportCuts(moment, &findings) { _ in true }
  }

  /// A process that the system ends off screen loses a save that no task covers.
  mutating func conclude(
    _ death: DeathVerdict, _ moment: Moment, _ findings: inout RuleFindings
  ) {
    let isReclaim = death.manner == .kill && death.deathClass != .fault
    guard isReclaim, death.audience == .notVisible, moment.state.suspension == nil else { return }
    let saves = moment.state.open.facts(.work, WorkCategory.save)
    for save in saves where !moment.isSystems(save.event) {
      if isCovered(save, moment) {
        findings.foundClean()
      } else {
        findings.report(
          save, until: death.end, missing: moment.end(of: save),
          says: "the process was killed during {name} {label}, which no background task covered")
      }
    }
  }

  mutating func end(_ reason: Doubt, _ moment: Moment, _ findings: inout RuleFindings) {
    // What follows the resume shows that it was not for a background URL session.
    if moment.state.ordinal > resume { reportCuts(moment, &findings) { _ in true } }
    for _ in cuts { findings.cannotTell(reason) }
  }

  private mutating func complete(_ event: Event, _ moment: Moment) {
    guard moment.isInBackground == true, let opener = moment.state.opener(closedBy: event) else {
      return
    }
    completions.append((opener.ordinal, moment.fact(event)))
  }

  /// Looks at what is open as the process is suspended.
  private mutating func suspend(
    _ event: Event, _ moment: Moment, _ findings: inout RuleFindings
  ) {
    defer { completions.removeAll() }
    reportCuts(moment, &findings) { _ in true }
    if moment.state.open.count(.work) == 0 { return }
    for work in moment.state.open.facts(.work)
    where Self.symbols.contains(work.event.name) && judged.contains(work.ordinal) == false {
      let completion = completion(of: work, moment)
      let isTransfer = work.event.name == WorkCategory.network.symbol
      if completion == nil && !isTransfer || moment.isSystems(work.event) { continue }

      if isCovered(work, moment) || isOfSession(work.event) {
        // Of a transfer whose task expired nothing is judged: it may have been stopped.
        if expiration <= work.ordinal { findings.foundClean() }
      } else {
        cuts.append(
          Cut(work: work, suspension: moment.fact(event), completion: completion), &findings)
      }
    }
  }

  /// What said in the background, where the app still is, that the work was over: it was begun for what
  /// that answers.
  private func completion(of work: OpenEvent, _ moment: Moment) -> OpenEvent? {
    guard let background = moment.backgroundSince else { return nil }
    return completions.last {
      $0.opener < work.ordinal && work.ordinal < $0.end.ordinal
        && background.ordinal < $0.end.ordinal
    }?.end
  }

  /// Whether a task covers the work, or did until it expired, or something waits for its completion.
  private func isCovered(_ work: OpenEvent, _ moment: Moment) -> Bool {
    let open = moment.state.open
    if open.count(.task) > 0 || open.count(.bgtask) > 0 || expiration > work.ordinal { return true }
    let background = moment.backgroundSince?.ordinal ?? 0
    return open.facts(.delivery).contains {
      Self.answered.contains($0.event.name) && $0.ordinal > background
    }
  }

  private func isOfSession(_ work: Event) -> Bool {
    work.isLabelled && sessions.contains(work.label) != false
  }

  private mutating func measure(until instant: Instant) {
    for index in cuts.indices where cuts[index].time == nil {
      cuts[index].time = instant.since(cuts[index].suspension.event.instant)
    }
  }

  /// Work has ended: at last, or while the process was suspended, so that another one did it.
  private mutating func endWork(
    _ event: Event, _ moment: Moment, _ findings: inout RuleFindings
  ) {
    guard !cuts.isEmpty, let begin = moment.state.opener(closedBy: event),
      let index = cuts.firstIndex(where: { $0.work.ordinal == begin.ordinal })
    else { return }
    let cut = cuts.remove(at: index)
    if cut.time == nil { return findings.foundClean() }
    report(cut, moment, &findings)
  }

  /// The events of a background URL session: it may have carried out what seemed to stand still.
  private mutating func handOver(_ event: Event, _ findings: inout RuleFindings) {
    if event.isLabelled { sessions.insert(event.label) }
    for cut in cuts where cut.time != nil {
      judged.insert(cut.work.ordinal)
      findings.cannotTell(.notSaid("whether a background URL session carries out the transfer"))
    }
    cuts.removeAll { $0.time != nil }
  }

  private mutating func reportCuts(
    _ moment: Moment, _ findings: inout RuleFindings, where isLong: (Nanoseconds) -> Bool
  ) {
    for cut in cuts where cut.time.map(isLong) ?? false { report(cut, moment, &findings) }
    cuts.removeAll { $0.time.map(isLong) ?? false }
  }

  private mutating func report(
    _ cut: Cut, _ moment: Moment, _ findings: inout RuleFindings
  ) {
    judged.insert(cut.work.ordinal)
    findings.report(
      cut.completion ?? cut.work, since: cut.completion == nil ? nil : cut.work,
      until: cut.suspension.event, elapsed: cut.time, missing: moment.end(of: cut.work),
      restingOn: [cut.work],
      says: cut.completion == nil
        ? """
        {name} {label} was running when the process was suspended, without a background task, and \
        stood still for {elapsed}
        """
        : """
        {name} was completed while {opener} {held}, begun for it, was running; the process was \
        suspended, and it stood still for {elapsed}
        """)
  }
}
