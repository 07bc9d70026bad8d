import LifecycleModel
import TraceAnalysis

/// A whole trace, with what is true before each of its events: slow, large, and easy to ask.
///
/// The profile and the process are found by looking back over the list; the state is the model's.
struct ReferenceTrace {
  let events: [Event]
  let vocabulary: Vocabulary
  /// The state before each event, and after the last.
  let states: [LifecycleState]
  /// The profile that holds at each event, and after the last.
  let profiles: [Profile]
  /// The events of one process after another.
  let processes: [Range<Int>]
  /// For each event the place of what shows the beginning of its process.
  private let beginnings: [Int?]
  /// The places of what may be the first of another process.
  private let doubtfulPlaces: Set<Int>
  /// For each event why its process was launched, as far as it was known when the event came.
  private let launches: [LaunchReason?]
  /// The same when the event has been told.
  private let launchesAfter: [LaunchReason?]

  /// What the reader of the trace knows of the present process.
  private struct Present {
    var beginning: Int?
    var launch: LaunchReason?
    var seen: Set<Symbol> = []
    var isTerminating = false
    /// Whether the start of the process was seen, and the app has not been active since.
    var isBeginning = false
    /// Whether events are missing since the process began.
    var mayMissStart = false
  }

  init(_ trace: Trace) {
    var events = trace.events
    vocabulary = trace.vocabulary
    var state = LifecycleState()
    var profile = Profile()
    var states: [LifecycleState] = []
    var profiles: [Profile] = []
    var bounds = [0]
    var beginnings: [Int?] = []
    var doubtfulPlaces: Set<Int> = []
    var launches: [LaunchReason?] = []
    var launchesAfter: [LaunchReason?] = []
    var present = Present()
    for (index, event) in trace.events.enumerated() {
      // What tells of an end again is not shown to any rule.
      let isEcho = state.isEcho(event)
      if isEcho { events[index].verb = .note }
      let areStartsRecorded = profile.hooks?.contains(.process) ?? false
      // A gap may hide a start that would have been recorded.
      let mayTellStart = !areStartsRecorded || present.mayMissStart
      if ReferenceTrace.isLaunch(event) {
        let isLate = ReferenceTrace.isLate(event, state, present.isBeginning)
        if mayTellStart, present.seen.contains(event.name) || isLate {
          bounds.append(index)
          state.forgetProcess()
          present = Present()
        }
        present.seen.insert(event.name)
        present.beginning = present.beginning ?? index
      }
      let mayDoubt = event.verb == .profile ? !areStartsRecorded : mayTellStart
      if mayDoubt, ReferenceTrace.mayBegin(event, state, present.isTerminating) {
        doubtfulPlaces.insert(index)
        state.doubtProcess(before: event)
      }
      states.append(state)
      profiles.append(profile)
      beginnings.append(present.beginning)
      launches.append(present.launch)
      state.fold(event)
      if event.verb == .profile { profile = ReferenceTrace.profile(event, vocabulary) }
      if event.verb == .processStart {
        bounds.append(index)
        present = Present(beginning: index, launch: present.launch, isBeginning: true)
      }
      if event.verb == .gap { present.mayMissStart = true }
      if state.appState == .active { present.isBeginning = false }
      if event.verb == .processStart || event.verb == .profile {
        present.launch = ReferenceTrace.launch(state, profile, vocabulary)
      }
      launchesAfter.append(present.launch)
      if ReferenceTrace.isTermination(event) { present.isTerminating = true }
      if !isEcho, event.verb == .kill || event.verb == .exit {
        bounds.append(index + 1)
        present.isTerminating = false
      }
    }
    self.events = events
    self.beginnings = beginnings + [present.beginning]
    self.launches = launches + [present.launch]
    self.launchesAfter = launchesAfter
    self.doubtfulPlaces = doubtfulPlaces
    self.states = states + [state]
    self.profiles = profiles + [profile]
    bounds.append(events.count)
    processes = zip(bounds, bounds.dropFirst()).map { $0..<$1 }.filter { !$0.isEmpty }
  }

  /// Whether an event may be the first of another process, though no start says so.
  private static func mayBegin(
    _ event: Event, _ state: LifecycleState, _ isTerminating: Bool
  ) -> Bool {
    event.verb == .profile && state.profile != nil
      || event.verb == .bgtaskRegister && isTerminating
  }

  private static func profile(_ event: Event, _ vocabulary: Vocabulary) -> Profile {
    let said = vocabulary.attributes(event.attributes)
    return Profile(said.filter { $0.key != AttributeKey.line.rawValue })
  }

  private static func launch(
    _ state: LifecycleState, _ profile: Profile, _ vocabulary: Vocabulary
  ) -> LaunchReason? {
    let start = state.processStart.map { vocabulary.attributes($0.event.attributes) }
    return (start?[.launch] ?? profile.launch).flatMap { LaunchReason(rawValue: $0) }
  }

  private static func isLaunch(_ event: Event) -> Bool {
    switch event.verb {
    case .call:
      event.name == Callback.applicationWillFinishLaunching.symbol
        || event.name == Callback.applicationDidFinishLaunching.symbol
    case .notify: event.name == LifecycleNotification.applicationDidFinishLaunching.symbol
    default: false
    }
  }

  private static func isTermination(_ event: Event) -> Bool {
    event.verb == .call && event.name == Callback.applicationWillTerminate.symbol
      || event.verb == .notify
        && event.name == LifecycleNotification.applicationWillTerminate.symbol
  }

  /// Whether a process that was in such a state cannot be launching.
  private static func isLate(
    _ event: Event, _ state: LifecycleState, _ isBeginning: Bool
  ) -> Bool {
    if state.processEnd != nil { return true }
    return event.verb == .notify || isBeginning ? state.appState == .active : state.app != nil
  }

  /// The place of what shows the beginning of the process of an event; `nil` when nothing does.
  func beginning(_ index: Int) -> Int? { beginnings[index] }

  /// The process that an event belongs to.
  func process(_ index: Int) -> Range<Int> {
    processes.first { $0.contains(index) } ?? events.count..<events.count
  }

  /// Whether nothing was lost between an event and a later one, and both are surely of one process.
  func isUnbroken(_ first: Int, _ last: Int) -> Bool {
    first >= last
      || !events[(first + 1)..<last].contains { $0.verb == .gap }
        && !doubtfulPlaces.contains { (first + 1...last).contains($0) }
  }

  /// Whether nothing was lost between what a fact says and an event.
  func isUnbroken(_ fact: OpenEvent, _ last: Int) -> Bool {
    isUnbroken(Int(fact.ordinal) - 1, last)
  }

  /// Why the process was launched of which an event tells something that became clear before
  /// `decided`, or with the event itself; a profile may say it anew at any time.
  func launch(_ index: Int, decidedBefore decided: Int? = nil) -> LaunchReason? {
    decided.map { launchesAfter[$0 - 1] } ?? launches[index]
  }

  /// The awake time at an event, which never runs back.
  func awake(_ index: Int) -> Nanoseconds {
    states[index].awake(at: instant(index))
  }

  /// What a clock shows at an event; no clock runs back.
  func time(_ clock: TimeLimit.Clock, _ index: Int) -> Nanoseconds {
    clock == .awake ? awake(index) : instant(index).nanoseconds
  }

  /// The instant of an event; a profile may be that of a process that begins long after the last event.
  private func instant(_ index: Int) -> Instant {
    let latest = states[index].instant
    return events[index].verb == .profile ? latest : max(events[index].instant, latest)
  }

  /// The role that the connection of an event's scene said last in its process, before another event.
  func role(_ index: Int, knownBefore end: Int) -> SceneRole? {
    let event = events[index]
    guard event.subjectKind == .scene else { return nil }
    let said = (process(index).lowerBound..<end).reversed().lazy.compactMap { place -> SceneRole? in
      let other = events[place]
      guard other.verb == .call, other.name == Callback.sceneWillConnect.symbol,
        other.subject == event.subject
      else { return nil }
      return vocabulary.attributes(other.attributes)[.role].flatMap(SceneRole.init)
    }
    return said.first
  }

  /// Whether a pattern means an event; `nil` when an attribute that the event does not say decides.
  func matches(_ pattern: EventPattern, _ index: Int) -> Bool? {
    let answers = pattern.branches.filter { isNamed(index, by: $0) }
      .map { says(events[index], all: $0.attributes) }
    return answers.contains(true) ? true : answers.contains(nil) ? nil : false
  }

  /// Whether an event says what is asked of it; `nil` when it leaves open what is asked.
  private func says(_ event: Event, all conditions: [AttributeCondition]) -> Bool? {
    let said = Dictionary(
      uniqueKeysWithValues: vocabulary.attributes(event.attributes).map { ($0.key, $0.value) })
    var isOpen = false
    for condition in conditions {
      switch (condition.test, said[condition.key.rawValue]) {
      case (.isOneOf, nil): isOpen = true
      case (.isNoneOf, nil): if event.writer == .system { isOpen = true }
      case (.isOneOf(let values), let value?): if !values.contains(value) { return false }
      case (.isNoneOf(let values), let value?): if values.contains(value) { return false }
      case (.isSaid, let value): if value == nil { return false }
      case (.isNotSaid, let value): if value != nil { return false }
      }
    }
    return isOpen ? nil : true
  }

  private func isNamed(_ index: Int, by pattern: EventPattern) -> Bool {
    let event = events[index]
    let isNamed = pattern.alternatives.contains {
      $0.verb == event.verb && ($0.name == nil || $0.name == event.name)
    }
    if let labels = pattern.labels, !labels.contains(vocabulary.text(event.label)) { return false }
    if let names = pattern.identifiers, !names.contains(vocabulary.text(event.name)) {
      return false
    }
    guard isNamed, pattern.subjects?.contains(event.subjectKind) ?? true else { return false }
    switch pattern.writer {
    case nil: return true
    case .main: return event.writer == .main
    case .other: return event.writer != .main && event.writer != .system
    case .app: return event.writer != .system
    }
  }

  /// What an event is about, in a scope; `nil` when it is about nothing that the scope tells apart.
  func instance(_ scope: Scope, _ index: Int) -> String? {
    let event = events[index]
    switch scope {
    case .app: return "app"
    case .scene: return event.subjectKind == .scene ? "\(event.subject)" : nil
    case .task: return event.subjectKind == .task ? "\(event.subject)" : nil
    case .name: return event.name.isNone ? nil : vocabulary.text(event.name)
    case .label: return event.label.isNone ? nil : vocabulary.text(event.label)
    case .subject:
      // A notification of the app is about the app, whatever its object is.
      let notification = event.verb == .notify ? LifecycleNotification(event.name) : nil
      switch notification?.hook {
      case .appNotifications: return "app"
      case .sceneNotifications: return event.subjectKind == .scene ? "\(event.subject)" : nil
      default: return event.subjectKind == .scene ? "\(event.subject)" : "app"
      }
    case .value: return event.value.map { "\($0)" }
    case .session: return event.subjectKind == .session ? "\(event.subject)" : session(index)
    case .holder: return holder(index)
    }
  }

  /// Whether an event belongs to an instance of a scope, and nothing says to which.
  func isStray(_ scope: Scope, _ index: Int) -> Bool {
    if instance(scope, index) != nil { return false }
    switch scope {
    case .session: return events[index].subjectKind == .scene
    case .holder: return events[index].subjectKind == .task && begin(index) != nil
    default: return false
    }
  }

  /// The session that the connection of an event's scene said last in its process, up to the event.
  private func session(_ index: Int) -> String? {
    let event = events[index]
    guard event.subjectKind == .scene else { return nil }
    return (process(index).lowerBound...index).reversed().lazy.compactMap { place -> String? in
      let other = events[place]
      guard other.verb == .call, other.name == Callback.sceneWillConnect.symbol,
        other.subject == event.subject
      else { return nil }
      return vocabulary.attributes(other.attributes)[.session].flatMap { UInt32($0) }
        .map { "\(Subject.session($0))" }
    }.first
  }

  private func holder(_ index: Int) -> String? {
    guard let begin = begin(index) else { return nil }
    if let said = vocabulary.attributes(begin.attributes)[.holder] { return "variable \(said)" }
    let isKnown = begin.subjectKind != .task && begin.writer != .system
    return isKnown ? "thread \(begin.writer.rawValue)" : nil
  }

  /// What began the thing that an event is about: for the end of something its begin, for what happens
  /// to a task that of the task; `nil` when it is not open.
  private func begin(_ index: Int) -> Event? {
    let event = events[index]
    if event.subjectKind == .task {
      if event.verb == .taskBegin { return event }
      return states[index].open.facts.last {
        $0.event.verb == .taskBegin && $0.event.subject == event.subject
      }?.event
    }
    guard let family = SpanFamily.allCases.first(where: { $0.closing == event.verb }) else {
      return event
    }
    return states[index].open.span(closedBy: event, family)?.event
  }

  /// Whether the event is work of the system's.
  func isSystems(_ index: Int) -> Bool {
    let event = events[index]
    guard event.verb == .work || event.verb == .workBegin else { return false }
    return states[index].open.count(.snapshot) > 0
      || vocabulary.attributes(event.attributes)[.by] == "system"
  }

  /// Whether a kill says this code.
  func says(_ event: Event, code: String) -> Bool {
    vocabulary.attributes(event.attributes)[.code]?.lowercased() == code
  }
}
