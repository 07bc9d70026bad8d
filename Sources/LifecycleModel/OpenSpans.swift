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
  public var opening: Verb { verbs.opening }

  /// The verb that closes a span of this family.
  public var closing: Verb { verbs.closing }

  private var verbs: (opening: Verb, closing: Verb) {
    switch self {
    case .call: (.call, .return)
    case .observe: (.observe, .observed)
    case .work: (.workBegin, .workEnd)
    case .resource: (.acquire, .release)
    case .task: (.taskBegin, .taskEnd)
    case .expiration: (.taskExpire, .taskExpired)
    case .bgtask: (.bgtaskLaunch, .bgtaskComplete)
    case .data: (.dataDirty, .dataSave)
    case .delivery: (.deliver, .complete)
    case .snapshot: (.snapshotBegin, .snapshotEnd)
    }
  }

  /// How many open spans of this family a question looks at: with more, half of them are the oldest and
  /// half the newest.
  ///
  /// No app comes near it. It bounds the work that a log can ask for.
  public var looksAt: Int {
    switch self {
    case .call, .observe, .expiration, .snapshot: 256
    case .work, .resource, .task, .bgtask, .data, .delivery: 4096
    }
  }
}

/// What a begin and its end have in common.
@usableFromInline
struct SpanKey: Hashable, Sendable {
  private let nameAndLabel: UInt64
  private let subjectAndFamily: UInt64
  private let value: Int64

  @usableFromInline
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

  /// The place of the span's family.
  var family: Int { Int(subjectAndFamily >> 17 & 0x7f) }
}

/// The spans that are open, in the order in which they were opened.
///
/// The newest of equal spans is closed first. Opening and closing cost a few nanoseconds while few
/// spans are open, and stay constant when an app leaks ten thousand of them; ``most`` are followed.
public struct OpenSpans: Sendable {
  /// At most this many open spans are followed: a checkpoint has no room for a further one, so that a
  /// log does not tell it either.
  package static let most = 16_384

  @usableFromInline
  struct Slot: Sendable {
    @usableFromInline var fact: OpenEvent
    var key: SpanKey
    /// The next older open slot with the same key, or -1; kept only while there is an index.
    var older: Int32
    var isOpen: Bool
    // The open slots of the same family before and after it, or -1.
    var previous: Int32
    var next: Int32
  }

  /// From this many slots on they are found by an index and no longer by looking at each.
  private static let indexThreshold = 32

  @usableFromInline var slots: [Slot] = []
  @usableFromInline var newest: [SpanKey: Int32]?
  // A lane per family: without arrays a state is cheap to make and to copy.
  private var counts = SIMD16<Int32>(repeating: 0)
  /// The oldest and the newest open slot of each family, or -1.
  private var oldest = SIMD16<Int32>(repeating: -1)
  private var latest = SIMD16<Int32>(repeating: -1)

  /// Makes an empty table.
  public init() {}

  /// How many spans are open.
  public var count: Int { Int(counts.wrappedSum()) }

  /// How many spans of a family are open.
  public func count(_ family: SpanFamily) -> Int { Int(counts[Int(family.rawValue)]) }

  /// Whether as many spans are open as are followed.
  var isFull: Bool { slots.count >= OpenSpans.most && count >= OpenSpans.most }

  /// The place of the oldest open span; `nil` when none is open.
  package var oldestOrdinal: UInt64? { slots.first { $0.isOpen }?.fact.ordinal }

  /// The facts that opened the spans, oldest first.
  ///
  /// Cost: their number.
  public var facts: [OpenEvent] { slots.filter(\.isOpen).map(\.fact) }

  /// The facts that opened the spans of a family, oldest first, as many as ``SpanFamily/looksAt`` says.
  ///
  /// Cost: their number.
  public func facts(_ family: SpanFamily) -> [OpenEvent] {
    let count = count(family)
    if count == 0 { return [] }
    let isWhole = count <= family.looksAt
    var facts: [OpenEvent] = []
    var index = oldest[Int(family.rawValue)]

    while index >= 0 && (isWhole || facts.count < family.looksAt / 2) {
      facts.append(slots[Int(index)].fact)
      index = slots[Int(index)].next
    }

    if isWhole { return facts }
    var newer: [OpenEvent] = []
    index = latest[Int(family.rawValue)]
    while newer.count < family.looksAt / 2 {
      newer.append(slots[Int(index)].fact)
      index = slots[Int(index)].previous
    }
    return facts + newer.reversed()
  }

  /// The newest open span of `family` that has this name and subject, among the newest that
  /// ``SpanFamily/looksAt`` counts.
  public func newest(_ family: SpanFamily, name: Symbol, subject: Subject) -> OpenEvent? {
    var index = latest[Int(family.rawValue)]
    var looked = 0
    while index >= 0 && looked < family.looksAt {
      let slot = slots[Int(index)]
      if slot.fact.event.name == name && slot.fact.event.subject == subject { return slot.fact }
      index = slot.previous
      looked += 1
    }
    return nil
  }

  /// The span that an end like `event` would close.
  @inlinable
  public func span(closedBy event: Event, _ family: SpanFamily) -> OpenEvent? {
    OpenSpans.find(SpanKey(family, event), slots, newest).map { slots[$0].fact }
  }

  /// Whether the span that `fact` opened is open, and nothing like it was opened since.
  package func isNewest(_ opener: OpenEvent) -> Bool {
    guard let family = SpanFamily.opened(by: opener.event.verb) else { return false }
    return span(closedBy: opener.event, family)?.ordinal == opener.ordinal
  }

  mutating func open(_ opener: OpenEvent, _ family: SpanFamily) {
    let key = SpanKey(family, opener.event)
    var older: Int32 = -1
    if newest != nil {
      older = newest?.updateValue(Int32(slots.count), forKey: key) ?? -1
    }

    let row = Int(family.rawValue)
    let place = Int32(slots.count)
    let previous = latest[row]
    slots.append(
      Slot(fact: opener, key: key, older: older, isOpen: true, previous: previous, next: -1))
    if previous < 0 { oldest[row] = place } else { slots[Int(previous)].next = place }
    latest[row] = place
    counts[row] &+= 1
    if newest == nil && slots.count > OpenSpans.indexThreshold { compact() }
  }

  /// Closes the span that `event` ends, if there is one.
  mutating func close(_ event: Event, _ family: SpanFamily) {
    let key = SpanKey(family, event)
    guard let index = OpenSpans.find(key, slots, newest) else { return }
    if newest != nil {
      newest?[key] = slots[index].older < 0 ? nil : slots[index].older
    }
    unlink(index, Int(family.rawValue))
    while let last = slots.last, !last.isOpen { slots.removeLast() }
    if slots.count > OpenSpans.indexThreshold && slots.count > 2 * count { compact() }
  }

  /// Gives up the older half of what is open.
  mutating func giveUpOldest() {
    var left = count / 2
    for index in slots.indices where slots[index].isOpen && left > 0 {
      unlink(index, slots[index].key.family)
      left -= 1
    }
    compact()
  }

  /// Takes a slot out of the row of its family's open ones.
  private mutating func unlink(_ index: Int, _ row: Int) {
    let (previous, next) = (slots[index].previous, slots[index].next)
    if previous < 0 { oldest[row] = next } else { slots[Int(previous)].next = next }
    if next < 0 { latest[row] = previous } else { slots[Int(next)].previous = previous }
    slots[index].isOpen = false
    counts[row] &-= 1
  }

  // Given the parts that it needs: a call on the table would copy all of it.
  @usableFromInline
  static func find(_ key: SpanKey, _ slots: [Slot], _ newest: [SpanKey: Int32]?) -> Int? {
    if let newest { return newest[key].map { Int($0) } }
    return slots.withUnsafeBufferPointer { slots in
      var index = slots.count &- 1
      while index >= 0 {
        if slots[index].isOpen && slots[index].key == key { return index }
        index &-= 1
      }
      return nil
    }
  }

  /// Drops the slots of closed spans, and makes the index anew if there are still many.
  private mutating func compact() {
    slots.removeAll { !$0.isOpen }
    relink()
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

  /// Makes the rows of the families anew, in which no slot is closed.
  private mutating func relink() {
    oldest = SIMD16(repeating: -1)
    latest = oldest
    for position in slots.indices {
      let row = slots[position].key.family
      let previous = latest[row]
      (slots[position].previous, slots[position].next) = (previous, -1)
      if previous < 0 {
        oldest[row] = Int32(position)
      } else {
        slots[Int(previous)].next = Int32(position)
      }
      latest[row] = Int32(position)
    }
  }

  /// What is wrong with the table; empty unless there is a bug.
  func brokenInvariants() -> [String] {
    var broken: [String] = []
    let open = slots.filter(\.isOpen)
    for family in SpanFamily.allCases
    where open.count(where: { $0.fact.event.verb == family.opening }) != count(family) {
      broken.append("the count of open \(family) spans is not their number")
    }

    for family in SpanFamily.allCases {
      let facts = open.filter { $0.fact.event.verb == family.opening }.map(\.fact)
      let isListed =
        facts.count <= family.looksAt
        ? self.facts(family) == facts : self.facts(family).count == family.looksAt
      if !isListed { broken.append("the row of open \(family) spans is not what is open") }
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
