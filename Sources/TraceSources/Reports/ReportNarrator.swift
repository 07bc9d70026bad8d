import LifecycleModel
import TraceText

/// Makes events of reports: no more than they say.
struct ReportNarrator {
  private let vocabulary: Vocabulary
  private(set) var events: [Event] = []

  init(vocabulary: Vocabulary) { self.vocabulary = vocabulary }

  // MARK: Deaths

  /// Adds the events of one report, or of all those of a file, perhaps among other processes.
  mutating func tell(_ reports: [TerminationReport], amongOthers: Bool = false) {
    for life in ReportedLife.all(of: reports) {
      tell(life, isOneOfSeveral: amongOthers || reports.count > 1)
    }
  }

  private mutating func tell(_ life: ReportedLife, isOneOfSeveral: Bool) {
    let report = life.report
    let hasStart = report.isDeath && (report.age != nil || isOneOfSeveral)
    let pid = report.pid.map { [Attribute(.pid, String($0))] } ?? []
    let partial = report.openTasks.isEmpty ? [] : [Hook.tasks.rawValue]
    let names = (hasStart ? [Hook.process.rawValue] : []) + partial

    var list = report.profile + (hasStart ? [] : pid)
    if !names.isEmpty { list.append(Attribute(.hooks, names.joined(separator: ","))) }
    if !partial.isEmpty { list.append(Attribute(.partial, partial.joined(separator: ","))) }
    list.append(Attribute(.clock, report.awakeAge == nil ? "wall" : "monotonic"))
    append(.profile, .none, life.start, list)

    if hasStart {
      let bundle = report.bundle.map { [Attribute(.bundle, $0)] } ?? []
      append(.processStart, .app, life.start, pid + bundle + [Attribute(.launch, "unknown")])
    }
    let end = life.end
    for remark in report.remarks { append(note: remark, end) }
    for warning in report.warnings { append(warning, end) }
    tellTasks(of: report, end)
    appendEnd(of: report, end)
  }

  /// Tasks that were open: when they began is not said, so that their begins stand after a gap.
  private mutating func tellTasks(of report: TerminationReport, _ end: Nanoseconds) {
    if report.openTasks.isEmpty { return }
    append(gapAt: end)
    for (index, task) in report.openTasks.enumerated() {
      var list: [Attribute] = []
      if let reason = task.reason { list.append(Attribute(.reason, reason)) }
      if let allowed = task.allowed {
        list.append(Attribute(.allowance, InstantText.print(allowed)))
      }
      let subject = Subject.task(UInt32(index + 1))
      append(.taskBegin, subject, end, list, label: vocabulary.symbol(task.name))
    }
  }

  // MARK: Breadcrumbs

  /// Adds what an SDK has noted: the oldest are gone, and others may be.
  mutating func tell(_ life: NotedLife, notes: [String]) {
    let crumbs = life.crumbs
    let origin = life.first ?? 0
    var hooks: Set<String> = []
    for crumb in crumbs {
      if case .notification(let name) = crumb.fact { hooks.insert(name.hook.rawValue) }
    }

    var list = life.about.profile
    let names = hooks.sorted().joined(separator: ",")
    if !names.isEmpty {
      list += [Attribute(.hooks, names), Attribute(.partial, names)]
    }
    list.append(Attribute(.clock, "wall"))
    append(.profile, .none, 0, list)
    append(gapAt: 0)
    for crumb in crumbs { tell(crumb, at: crumb.time - origin) }
    for note in notes { append(note: note, life.endTime - origin) }
    appendEnd(of: life.about, life.endTime - origin)
  }

  private mutating func tell(_ crumb: BreadcrumbReader.Crumb, at time: Nanoseconds) {
    switch crumb.fact {
    case .processStart: append(.processStart, .app, time, [Attribute(.launch, "unknown")])
    case .note(let text): append(note: text, time)
    case .notification(let name):
      let isOfScene = name.hook == .sceneNotifications
      append(.notify, isOfScene ? .scene(1) : .app, time, [], name: name.symbol)
    }
  }

  // MARK: Events

  /// Adds a note in words.
  mutating func append(note text: String, _ time: Nanoseconds = 0) {
    append(.note, .app, time, [], label: vocabulary.symbol(text))
  }

  /// Adds what is wrong with the app.
  mutating func append(_ warning: ReportWarning, _ time: Nanoseconds) {
    append(
      .note, .app, time, [Attribute(.warning, warning.warning.rawValue)],
      label: warning.words.isEmpty ? .none : vocabulary.symbol(warning.words))
  }

  /// Adds the end that a report states; `doubt` is why the report may be about another process.
  mutating func appendEnd(
    of report: TerminationReport, _ time: Nanoseconds, doubt: String? = nil
  ) {
    guard let verb = report.endVerb else { return }
    let doubts = doubt.map { [Attribute("doubt", $0)] } ?? []
    append(verb, .app, time, report.endAttributes + doubts)
  }

  private mutating func append(gapAt time: Nanoseconds) {
    append(.gap, .none, time, [], name: GapCause.sourceHole.symbol, value: -1)
  }

  private mutating func append(
    _ verb: Verb, _ subject: Subject, _ time: Nanoseconds, _ attributes: [Attribute],
    name: Symbol = .none, label: Symbol = .none, value: Int64? = nil
  ) {
    events.append(
      Event(
        instant: Instant(nanoseconds: time), writer: .system, verb: verb, name: name,
        subject: subject, label: label, value: value, attributes: vocabulary.attributes(attributes))
    )
  }

  /// A profile that says nothing of hooks: what follows are notes.
  mutating func beginNotes() { append(.profile, .none, 0, [Attribute(.clock, "wall")]) }
}

extension TerminationReport {
  /// The events of the report as those of a process of its own, which begin at `instant`; they are not numbered.
  public func ownEvents(from instant: Instant, _ vocabulary: Vocabulary) -> [Event] {
    var narrator = ReportNarrator(vocabulary: vocabulary)
    narrator.tell([self], amongOthers: true)
    let first = narrator.events.first?.instant ?? instant
    return narrator.events.map { event in
      var event = event
      event.instant = instant.advanced(by: event.instant.since(first))
      return event
    }
  }

  /// The attributes of a profile: the system, the release and the device.
  fileprivate var profile: [Attribute] {
    var list: [Attribute] = []
    if let platform { list.append(Attribute(.platform, platform)) }
    if let os { list.append(Attribute(.os, os)) }
    if isSimulator { list.append(Attribute(.simulator, "true")) }
    if bundle == nil, let process { list.append(Attribute(.process, process)) }
    return list + release.attributes(bundle)
  }

  /// The events of the end, for a log of the same process: notes, and the end itself.
  ///
  /// They are not numbered. `doubt` is why the report may be about another process.
  public func events(
    at instant: Instant, _ vocabulary: Vocabulary, doubt: String? = nil
  ) -> [Event] {
    guard isDeath else { return [] }
    var narrator = ReportNarrator(vocabulary: vocabulary)
    for remark in remarks { narrator.append(note: remark, instant.nanoseconds) }
    narrator.appendEnd(of: self, instant.nanoseconds, doubt: doubt)
    return narrator.events
  }
}
