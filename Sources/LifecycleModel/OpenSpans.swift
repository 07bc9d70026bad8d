/// The families of things that an event opens and a later event closes.
public enum SpanFamily: UInt8, CaseIterable, Sendable {
  /// `call` … `return`, by their writer too.
  case call
  /// `observe` … `observed`.
  case observe
  /// `work.begin` … `work.end`.
  case work
  /// `acquire` … `release`.
  case resource
  /// `task.begin` … `task.end`.
  case task
  /// `task.expire` … `task.expired`.
  case expiration
  /// `bgtask.launch` … `bgtask.complete`.
  case bgtask
  /// `data.dirty` … `data.save`.
  case data
  /// `deliver` … `complete`.
  case delivery
  /// `snapshot.begin` … `snapshot.end`.
  case snapshot

  /// The verb that opens a span of this family.
  public var opening: Verb {
    switch self {
    case .call: .call
    case .observe: .observe
    case .work: .workBegin
    case .resource: .acquire
    case .task: .taskBegin
    case .expiration: .taskExpire
    case .bgtask: .bgtaskLaunch
    case .data: .dataDirty
    case .delivery: .deliver
    case .snapshot: .snapshotBegin
    }
  }

  /// The verb that closes a span of this family.
  public var closing: Verb {
    switch self {
    case .call: .return
    case .observe: .observed
    case .work: .workEnd
    case .resource: .release
    case .task: .taskEnd
    case .expiration: .taskExpired
    case .bgtask: .bgtaskComplete
    case .data: .dataSave
    case .delivery: .complete
    case .snapshot: .snapshotEnd
    }
  }
}

/// What a begin and its end have in common.
struct SpanKey: Hashable, Sendable {
  private let nameAndLabel: UInt64
  private let subjectAndFamily: UInt64
  private let value: Int64

  init(_ family: SpanFamily, _ event: Event) {
    // A task, its expiration and a snapshot are known by their subject; a datum by its label.
    let isBySubject = family == .task || family == .expiration || family == .snapshot
    let hasValue = event.hasValue && !isBySubject && family != .data
    let name = isBySubject || family == .data ? 0 : event.name.rawValue
    let label = isBySubject || family == .bgtask ? 0 : event.label.rawValue
    let writer = family == .call ? event.writer.rawValue : 0
    nameAndLabel = UInt64(name) << 32 | UInt64(label)
    subjectAndFamily =
      event.subject.key << 24 | UInt64(family.rawValue) << 17 | (hasValue ? 1 << 16 : 0)
      | UInt64(writer)
    value = hasValue ? event.rawValue : 0
  }
}

/// The spans that are open, in the order in which they were opened.
///
/// The newest of equal spans is closed first. Opening and closing cost a few nanoseconds while few
/// spans are open, and stay constant when an app leaks a million of them.
public struct OpenSpans: Sendable {
  private struct Slot: Sendable {
    var fact: Fact
    var key: SpanKey
    /// The next older open slot with the same key, or -1; kept only while there is an index.
    var older: Int32
    var isOpen: Bool
  }

  /// From this many slots on they are found by an index and no longer by looking at each.
  private static let indexThreshold = 32

  private var slots: [Slot] = []
  private var newest: [SpanKey: Int32]?
  private var counts: [Int32]

  /// Makes an empty table.
  public init() {
    counts = Array(repeating: 0, count: SpanFamily.allCases.count)
  }

  /// How many spans are open.
  public var count: Int { counts.reduce(0) { $0 + Int($1) } }

  /// How many spans of a family are open.
  public func count(_ family: SpanFamily) -> Int { Int(counts[Int(family.rawValue)]) }

  /// The facts that opened the spans, oldest first.
  ///
  /// Cost: their number.
  public var facts: [Fact] { slots.filter(\.isOpen).map(\.fact) }

  /// The facts that opened the spans of a family, oldest first.
  ///
  /// Cost: the number of open spans.
  public func facts(_ family: SpanFamily) -> [Fact] {
    if count(family) == 0 { return [] }
    let verb = family.opening
    return slots.filter { $0.isOpen && $0.fact.event.verb == verb }.map(\.fact)
  }

  /// The newest open span of `family` that has this name and subject.
  public func newest(_ family: SpanFamily, name: Symbol, subject: Subject) -> Fact? {
    if count(family) == 0 { return nil }
    let verb = family.opening
    return slots.last {
      $0.isOpen && $0.fact.event.verb == verb && $0.fact.event.name == name
        && $0.fact.event.subject == subject
    }?.fact
  }

  /// The span that an end like `event` would close.
  public func span(closedBy event: Event, _ family: SpanFamily) -> Fact? {
    find(SpanKey(family, event)).map { slots[$0].fact }
  }

  mutating func open(_ fact: Fact, _ family: SpanFamily) {
    let key = SpanKey(family, fact.event)
    var older: Int32 = -1
    if newest != nil {
      older = newest?.updateValue(Int32(slots.count), forKey: key) ?? -1
    }
    slots.append(Slot(fact: fact, key: key, older: older, isOpen: true))
    counts[Int(family.rawValue)] += 1
    if newest == nil && slots.count > OpenSpans.indexThreshold { compact() }
  }

  @discardableResult
  mutating func close(_ event: Event, _ family: SpanFamily) -> Fact? {
    let key = SpanKey(family, event)
    guard let index = find(key) else { return nil }
    let fact = slots[index].fact
    if newest != nil {
      newest?[key] = slots[index].older < 0 ? nil : slots[index].older
    }
    slots[index].isOpen = false
    counts[Int(family.rawValue)] -= 1
    while let last = slots.last, !last.isOpen { slots.removeLast() }
    if slots.count > OpenSpans.indexThreshold && slots.count > 2 * count { compact() }
    return fact
  }

  private func find(_ key: SpanKey) -> Int? {
    if let newest { return newest[key].map { Int($0) } }
    var index = slots.count - 1
    while index >= 0 {
      if slots[index].isOpen && slots[index].key == key { return index }
      index -= 1
    }
    return nil
  }

  /// Drops the slots of closed spans, and makes the index anew if there are still many.
  private mutating func compact() {
    slots.removeAll { !$0.isOpen }
    guard slots.count > OpenSpans.indexThreshold / 2 else {
      newest = nil
      return
    }
    var index: [SpanKey: Int32] = [:]
    for position in slots.indices {
      slots[position].older = index.updateValue(Int32(position), forKey: slots[position].key) ?? -1
    }
    newest = index
  }

  /// What is wrong with the table; empty unless there is a bug.
  func brokenInvariants() -> [String] {
    var broken: [String] = []
    let open = slots.filter(\.isOpen)
    for family in SpanFamily.allCases
    where open.count(where: { $0.fact.event.verb == family.opening }) != count(family) {
      broken.append("the count of open \(family) spans is not their number")
    }
    if zip(open, open.dropFirst()).contains(where: { $0.fact.ordinal >= $1.fact.ordinal }) {
      broken.append("open spans are not in the order of their opening")
    }
    if let newest {
      for (position, slot) in slots.enumerated() where slot.isOpen {
        guard let head = newest[slot.key], Int(head) >= position else {
          broken.append("an open span is not in the index")
          break
        }
      }
    }
    return broken
  }
}
