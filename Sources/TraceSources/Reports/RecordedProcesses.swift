import LifecycleModel

/// A process as a log shows it.
struct RecordedProcess: Hashable {
  /// Its number; `nil` when the log does not say it.
  var pid: Int32?
  /// The app's bundle; `nil` when the log does not say it.
  var bundle: String?
  /// The system that it runs on, such as `ios`; `nil` when the log does not say it.
  var platform: String?
  /// The version of the system; `nil` when the log does not say it.
  var os: String?
  /// When the log first shows it.
  var start: Instant
  /// The last event that the log has of it.
  var last: Instant
  /// Whether the log contains its start, and not only what came later.
  var hasStart = false
}

/// Separates the processes of a log, one after another, for reports that are to be joined to them.
struct RecordedProcesses {
  /// The process that the last event belongs to.
  private(set) var current: RecordedProcess?
  /// How many profiles the log has behind the last other event: they may be the next process's.
  private(set) var profiles = 0
  private var pid: Int32?
  private var bundle: String?
  private var (platform, os): (String?, String?)

  /// Takes the next event; returns the process that is over if another one begins with it.
  ///
  /// ``profiles`` stays as it was before such an event.
  mutating func observe(_ event: Event, _ vocabulary: Vocabulary) -> RecordedProcess? {
    let over: RecordedProcess?
    switch event.verb {
    case .processStart: over = begin(event, vocabulary)
    case .profile:
      guard takeProfile(event, vocabulary) else {
        profiles += 1
        return nil
      }
      over = begin(event, vocabulary)
    case .kill, .exit:
      if current == nil { _ = begin(event, vocabulary) }
      let pid = current?.pid ?? said(event, vocabulary)[.pid].flatMap { Int32($0) }
      current?.pid = pid
      over = nil
    default: over = current == nil ? begin(event, vocabulary) : nil
    }

    if let last = current?.last { current?.last = max(last, event.instant) }
    current?.platform = platform
    current?.os = os
    if over == nil { profiles = 0 }
    return over
  }

  /// Takes what a profile states about the process which it begins, or about the one that runs; whether it
  /// begins one.
  private mutating func takeProfile(_ event: Event, _ vocabulary: Vocabulary) -> Bool {
    let said = vocabulary.attributes(event.attributes)
    bundle = Profile(said).app ?? bundle
    (platform, os) = (said[.platform] ?? platform, said[.os] ?? os)
    guard let next = said[.pid].flatMap({ Int32($0) }), next != pid else { return false }
    let isOfNext = pid != nil && current != nil
    pid = next
    if !isOfNext, current?.pid == nil { current?.pid = next }
    return isOfNext
  }

  /// Begins a process; returns the one before it.
  private mutating func begin(_ event: Event, _ vocabulary: Vocabulary) -> RecordedProcess? {
    let said = said(event, vocabulary)
    let isStart = event.verb == .processStart
    if isStart { pid = said[.pid].flatMap { Int32($0) } ?? pid }
    bundle = said[.bundle] ?? bundle

    // The profile of a process may stand before its start.
    if isStart, let begun = current, begun.start == event.instant, begun.pid == pid,
      !begun.hasStart
    {
      current?.hasStart = true
      current?.bundle = bundle
      return nil
    }
    defer {
      current = RecordedProcess(
        pid: pid, bundle: bundle, start: event.instant, last: event.instant, hasStart: isStart)
    }
    return current
  }

  private func said(_ event: Event, _ vocabulary: Vocabulary) -> [Attribute] {
    event.attributes.isNone ? [] : vocabulary.attributes(event.attributes)
  }
}
