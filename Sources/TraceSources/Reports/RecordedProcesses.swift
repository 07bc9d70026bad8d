import LifecycleModel

/// A process as a log shows it.
public struct RecordedProcess: Hashable, Sendable {
  /// Its number; `nil` when the log does not say it.
  public var pid: Int32?
  /// The app's bundle; `nil` when the log does not say it.
  public var bundle: String?
  /// When the log first shows it.
  public var start: Instant
  /// The last event that the log has of it.
  public var last: Instant
  /// How many events the log has up to that one.
  public var eventCount: UInt64
  /// Whether the log tells of its start, and not only of what came later.
  public var hasStart = false
  /// Whether the log itself tells of its end.
  public var hasEnd = false
}

/// Finds the processes that a log tells of, for a report that is to be joined to one of them.
public struct RecordedProcesses {
  /// So many are kept: the first ones give way.
  private static let most = 4096

  /// The processes, in order.
  public private(set) var list: [RecordedProcess] = []
  private var count: UInt64 = 0
  private var pid: Int32?
  private var bundle: String?

  /// Makes a search that has seen nothing.
  public init() {}

  /// Takes the next events of the log.
  public mutating func observe(_ events: [Event], _ vocabulary: Vocabulary) {
    for event in events { observe(event, vocabulary) }
  }

  private mutating func observe(_ event: Event, _ vocabulary: Vocabulary) {
    count += 1
    switch event.verb {
    case .processStart: begin(event, vocabulary)
    case .profile: return takeProfile(event, vocabulary)
    case .kill, .exit: takeEnd(event, vocabulary)
    default: if list.isEmpty { begin(event, vocabulary) }
    }

    let last = list.count - 1
    list[last].last = max(list[last].last, event.instant)
    list[last].eventCount = count
  }

  /// What a profile says of a process is that of the one which it begins, or of the one that runs.
  private mutating func takeProfile(_ event: Event, _ vocabulary: Vocabulary) {
    let said = vocabulary.attributes(event.attributes)
    let pid = said[.pid].flatMap { Int32($0) }
    bundle = said[.bundle] ?? bundle
    guard let pid, pid != self.pid else { return }
    let isOfNext = self.pid != nil && !list.isEmpty
    self.pid = pid
    if isOfNext { begin(event, vocabulary) }
    if let last = list.indices.last, list[last].pid == nil { list[last].pid = pid }
  }

  private mutating func begin(_ event: Event, _ vocabulary: Vocabulary) {
    let said = event.attributes.isNone ? [] : vocabulary.attributes(event.attributes)
    if event.verb == .processStart { pid = said[.pid].flatMap { Int32($0) } ?? pid }
    bundle = said[.bundle] ?? bundle

    let isStart = event.verb == .processStart
    let last = list.count - 1
    // The profile of a process may stand before its start.
    if isStart, last >= 0, list[last].start == event.instant, list[last].pid == pid,
      !list[last].hasStart
    {
      (list[last].hasStart, list[last].bundle) = (true, bundle)
      return
    }
    if list.count == Self.most { list.removeFirst() }
    list.append(
      RecordedProcess(
        pid: pid, bundle: bundle, start: event.instant, last: event.instant, eventCount: count,
        hasStart: isStart))
  }

  private mutating func takeEnd(_ event: Event, _ vocabulary: Vocabulary) {
    if list.isEmpty { begin(event, vocabulary) }
    let last = list.count - 1
    list[last].hasEnd = true
    let said = event.attributes.isNone ? [] : vocabulary.attributes(event.attributes)
    list[last].pid = list[last].pid ?? said[.pid].flatMap { Int32($0) }
  }
}
