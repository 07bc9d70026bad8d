import LifecycleModel
import TraceLog

/// What the log of a run holds about its end, for ``PreviousRun/cause``.
///
/// It comes from what is open at the end, from the last block and from the ring: a long run costs as much as a
/// short one.
struct RunFacts: Hashable, Sendable {
  /// A background task that was not ended.
  struct OpenTask: Hashable, Sendable {
    /// Its name, or its number where it has none.
    var name: String
    /// For how long it was open in the background, as later facts show.
    var age: Nanoseconds = 0
    /// Whether its expiration handler was called.
    var hasExpired = false
  }

  /// What was sampled last.
  struct Memory: Hashable, Sendable {
    /// The bytes that the process used.
    var used: Int64?
    /// The bytes that it could still take.
    var available: Int64?
    /// Whether there was more to take before: systems without a limit always say 0.
    var wasAvailable = false
    /// The level of the system's last memory-pressure event.
    var pressure: String?
  }

  /// What the run said about itself last.
  var profile: [Attribute] = []
  /// Why the process was launched.
  var launch: String?
  /// The attributes of the event that ended the process.
  var end: [Attribute] = []
  /// Whether the device was started anew since the run began.
  var hasRebooted = false
  /// For how long the main thread had been in its outermost open callback, as later facts show.
  var callbackAge: Nanoseconds = 0
  /// Whether a turn of the main run loop was recorded as too long, and did not end.
  var isMainBusy = false
  /// The background tasks that were not ended, the oldest first.
  var tasks: [OpenTask] = []
  /// What was sampled last.
  var memory = Memory()
  /// Whether the state of the app was lost in a gap.
  var isStateDoubtful = false
}

extension RunFacts {
  /// Takes the facts from the state behind the last event of a run, and from its last events; `last` is the
  /// instant of the last one.
  init(_ state: LifecycleState, _ events: [Event], last: Instant, _ vocabulary: Vocabulary) {
    func attributes(_ fact: OpenEvent?) -> [Attribute] {
      fact.map { vocabulary.attributes($0.event.attributes) } ?? []
    }
    profile = attributes(state.profile)
    launch = attributes(state.processStart)[.launch] ?? profile[.launch]
    end = attributes(state.processEnd)
    isStateDoubtful = state.app.map { !state.isCertain($0.since) } ?? false

    let calls = state.open.facts(.call).filter { $0.event.writer == .main }
    callbackAge = calls.first.map { state.awake(since: $0, at: last) } ?? 0
    isMainBusy = state.open.facts(.work).contains { $0.event.name == WorkCategory.mainBusy.symbol }

    let start = events.lastIndex { $0.verb == .processStart } ?? events.startIndex
    let own = events[start...]
    memory = Memory(own, vocabulary)
    let expired = own.filter { $0.verb == .taskExpire }.map(\.subject)
    let background = state.app.flatMap { $0.state.isForeground ? nil : $0.since }
    tasks = state.open.facts(.task).map { task in
      let label = vocabulary.text(task.event.label)
      let age = background.map { since in
        state.awake(since: since.ordinal > task.ordinal ? since : task, at: last)
      }
      return OpenTask(
        name: label.isEmpty ? "\(task.event.subjectNumber)" : label, age: age ?? 0,
        hasExpired: expired.contains(task.event.subject))
    }
  }
}

extension RunFacts.Memory {
  fileprivate init(_ events: ArraySlice<Event>, _ vocabulary: Vocabulary) {
    for event in events where event.verb == .sample {
      switch event.name {
      case SampledValue.memory.symbol: used = event.value
      case SampledValue.availableMemory.symbol:
        available = event.value
        if event.value ?? 0 > 0 { wasAvailable = true }
      default: continue
      }
      pressure = vocabulary.attributes(event.attributes)[.reason] ?? pressure
    }
  }

  /// Whether hardly any memory was left before the limit of the process: a twentieth at most.
  var isNearLimit: Bool {
    guard let used, let available, wasAvailable, used >= 0, available >= 0 else { return false }
    return available <= used / 19
  }

  /// Whether the system lacked memory itself.
  var isSystemShort: Bool { pressure == MemoryPressure.critical.rawValue }
}
