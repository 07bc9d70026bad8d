import CRecorder
import LifecycleModel

/// Reads the events that a ring holds, for a drain or for a reader after the crash.
///
/// It trusts nothing in the ring: whatever the bytes are, it reads events or says that they are
/// missing, and touches no memory but the mapping.
package struct RingReader {
  /// How far a lane was read.
  private struct Position {
    var tail: UInt64
    var sequence: UInt64
    /// How many refused events were told.
    var refused: UInt64
    /// How many refused events are the fault of a full disk.
    var refusedByDisk: UInt64 = 0
    /// The sequence of the writer's last event before the ring.
    var before: UInt64
    /// How often a tail had been published.
    var published: UInt64
  }

  package let ring: RingMapping
  package let vocabulary: Vocabulary
  private var positions: [Position] = []
  private var clock: RingClock
  private var symbols: [UInt64: Symbol] = [:]
  private var names: [UInt64: SitedName] = [:]
  private var homelessTold: UInt64

  /// Makes a reader that begins behind what was drained.
  package init(_ ring: RingMapping, vocabulary: Vocabulary) {
    self.ring = ring
    self.vocabulary = vocabulary
    clock = RingClock(ring)
    homelessTold = ring.load(RingFormat.Header.homelessTold)
    positions = (0..<ring.size.lanes).map { lane in
      let header = ring.lane(lane)
      let published = RingReader.load(header, RingFormat.Lane.tails)
      let slot = RingFormat.Lane.tailSlots + RingFormat.Lane.tailSlotBytes * Int(published & 1)
      return Position(
        tail: RingReader.load(header, slot), sequence: RingReader.load(header, slot + 8),
        refused: RingReader.load(header, slot + 16), before: 0, published: published)
    }
  }

  /// Which log the events belong to.
  package var logID: [UInt8] {
    Array(UnsafeRawBufferPointer(start: ring.base + RingFormat.Header.logID, count: 16))
  }

  /// The path of the log that the app keeps by itself, in another place.
  package var ownLog: String? {
    let word = ring.load(RingFormat.Header.ownLog)
    return word == 0 ? nil : text(word)
  }

  /// Whether some lane is at least half full, or has refused events.
  package var isUrgent: Bool {
    positions.indices.contains { lane in
      let header = ring.lane(lane)
      let used = RingReader.load(header, RingFormat.Lane.head) &- positions[lane].tail
      return used > UInt64(ring.size.capacity / 2)
        || RingReader.load(header, RingFormat.Lane.refused) != positions[lane].refused
    }
  }

  /// Whether a drain has moved events into the log since this reader began: what it read may have been
  /// written over meanwhile.
  package var isOvertaken: Bool {
    positions.indices.contains { lane in
      RingReader.load(ring.lane(lane), RingFormat.Lane.tails) != positions[lane].published
    }
  }

  /// Appends the events that were published since the last call, ordered by instant.
  ///
  /// With `isFinal` what was refused behind the last event is told as well: the app is gone, or this is
  /// how things stand.
  package mutating func read(into events: inout [Event], isFinal: Bool) {
    clock = RingClock(ring)
    let start = events.count
    for lane in positions.indices { read(lane, into: &events, isFinal: isFinal) }
    tellHomeless(into: &events)
    events[start...].sort { $0.instant < $1.instant }
  }

  /// Says that all events that were read are safe in the log: the app may write over them.
  package mutating func publishTails() {
    for lane in positions.indices {
      let header = ring.lane(lane)
      let published = RingReader.load(header, RingFormat.Lane.tails) &+ 1
      let slot = RingFormat.Lane.tailSlots + RingFormat.Lane.tailSlotBytes * Int(published & 1)
      RingReader.store(header, slot, positions[lane].tail)
      RingReader.store(header, slot + 8, positions[lane].sequence)
      RingReader.store(header, slot + 16, positions[lane].refused)
      RingReader.store(header, RingFormat.Lane.tails, published)
      positions[lane].published = published
      freeIfGivenBack(lane, header)
    }
    let pair = clock.pair
    ring.store(RingFormat.Header.lastTicks, pair.ticks)
    ring.store(RingFormat.Header.lastNanoseconds, pair.nanoseconds)
    ring.store(RingFormat.Header.homelessTold, homelessTold)
  }

  /// Forgets which symbols the ring's words have; they are looked up again.
  package mutating func forgetSymbols() {
    symbols.removeAll(keepingCapacity: true)
    names.removeAll(keepingCapacity: true)
  }

  /// Says that what was refused until now was refused because the disk was full: the drain could not
  /// make room.
  package mutating func blameDisk() {
    for lane in positions.indices {
      positions[lane].refusedByDisk = RingReader.load(ring.lane(lane), RingFormat.Lane.refused)
    }
  }

  /// A lane whose thread is gone can be taken again when nothing of it is left.
  private func freeIfGivenBack(_ lane: Int, _ header: UnsafeMutableRawPointer) {
    let isDrained = RingReader.load(header, RingFormat.Lane.head) == positions[lane].tail
    guard isDrained, RingReader.load(header, RingFormat.Lane.owner) == RingFormat.Owner.givenBack
    else { return }
    RingReader.store(header, RingFormat.Lane.owner, RingFormat.Owner.free)
  }

  private mutating func read(_ lane: Int, into events: inout [Event], isFinal: Bool) {
    let header = ring.lane(lane)
    let head = RingReader.load(header, RingFormat.Lane.head)
    var position = positions[lane]
    guard let writer = writer(header) else { return }
    position.before = RingReader.load(header, RingFormat.Lane.sequenceBefore)
    let capacity = UInt64(ring.size.capacity)
    // More than fits: the head or the tail is damaged, and what is in between is not known.
    guard head &- position.tail <= capacity else { return }
    let records = (header + RingFormat.page).assumingMemoryBound(to: UInt64.self)
    var fields = RingRecord()
    while position.tail != head {
      let place = 2 * Int(position.tail & (capacity - 1))
      position.tail &+= 1
      fields.take(ticks: records[place], content: records[place + 1])
      guard fields.isComplete else { continue }
      tellRefused(fields.refused, fields, writer, &position, &events)
      position.sequence &+= 1
      if var event = event(fields, writer) {
        event.sequence = position.before &+ position.sequence
        events.append(event)
      }
      fields = RingRecord()
    }
    if isFinal {
      fields.ticks = clock.now
      let refused = RingReader.load(header, RingFormat.Lane.refused)
      tellRefused(refused, fields, writer, &position, &events)
    }
    positions[lane] = position
  }

  /// Tells the events of threads that found no free lane.
  private mutating func tellHomeless(into events: inout [Event]) {
    let count = ring.load(RingFormat.Header.homeless)
    guard count > homelessTold else { return }
    var gap = Gap(.ringFull)
    gap.count = Int64(clamping: count - homelessTold)
    homelessTold = count
    events.append(gap.event(at: clock.instant(clock.now), in: vocabulary))
  }

  /// Tells the events that the lane has refused, `total` since ever, as far as they are not told.
  private func tellRefused(
    _ total: UInt64, _ fields: RingRecord, _ writer: WriterID, _ position: inout Position,
    _ events: inout [Event]
  ) {
    guard total > position.refused else { return }
    let count = total - position.refused
    let isByDisk = position.refused < position.refusedByDisk
    position.refused = total
    let gap = Gap(
      isByDisk ? .diskFull : .ringFull, writer: vocabulary.name(of: writer),
      from: position.before &+ position.sequence &+ 1,
      to: position.before &+ position.sequence &+ count)
    events.append(gap.event(at: clock.instant(fields.ticks), in: vocabulary))
    position.sequence &+= count
  }

  private mutating func label(_ fields: RingRecord) -> Symbol {
    fields.text.isEmpty
      ? symbol(fields.label) : vocabulary.symbol(String(decoding: fields.text, as: UTF8.self))
  }

  private mutating func event(_ fields: RingRecord, _ writer: WriterID) -> Event? {
    guard let kind = Subject.Kind(rawValue: fields.kind) else { return nil }
    let subject = Subject(kind)
    let name = name(fields.name)
    return Event(
      instant: clock.instant(fields.ticks), writer: writer, verb: Verb(code: fields.verb),
      name: name.name,
      subject: subject.isNumbered ? Subject(kind, fields.number) : subject,
      label: label(fields), value: fields.value,
      attributes: fields.attributes == 0
        ? name.attributes : attributes(fields.attributes, name.site))
  }

  /// A name, and the call site that was interned with it.
  private struct SitedName {
    var name: Symbol
    var site: String
    /// The list that is the call site alone.
    var attributes: AttributesID
  }

  /// The name that is in a word, and the call site behind it.
  private mutating func name(_ word: UInt64) -> SitedName {
    if word == 0 { return SitedName(name: .none, site: "", attributes: .none) }
    if let known = names[word] { return known }
    let parts = text(word).split(separator: "\0", maxSplits: 1, omittingEmptySubsequences: false)
    let site = parts.count > 1 ? String(parts[1]) : ""
    let name = SitedName(
      name: parts[0].isEmpty ? .none : vocabulary.symbol(String(parts[0])), site: site,
      attributes: site.isEmpty ? .none : vocabulary.attributes([Attribute(.at, site)]))
    names[word] = name
    return name
  }

  /// The callbacks that were entered and have not returned, the outermost first, of every thread
  /// that was not given back.
  package func openCalls() -> [(writer: String, name: String)] {
    var calls: [(writer: String, name: String)] = []
    for lane in positions.indices {
      let header = ring.lane(lane)
      guard let writer = writer(header),
        RingReader.load(header, RingFormat.Lane.owner) == RingFormat.Owner.taken
      else { continue }
      let depth = RingReader.load(header, RingFormat.Lane.depth)
      for call in 0..<Int(min(depth, UInt64(RingFormat.Lane.maxOpenCalls))) {
        let content = RingReader.load(header, RingFormat.Lane.openCalls + 8 * call)
        let name = content >> RingFormat.Content.nameShift & RingFormat.Content.nameLimit
        calls.append((vocabulary.name(of: writer), text(name)))
      }
    }
    return calls
  }

  private func attributes(_ word: UInt64, _ site: String) -> AttributesID {
    let parts = text(word).split(separator: "\0", omittingEmptySubsequences: false).map(String.init)
    var list: [Attribute] = []
    for index in stride(from: 0, to: parts.count - 1, by: 2)
    where !list.contains(where: { $0.key == parts[index] }) {
      list.append(Attribute(parts[index], parts[index + 1]))
    }
    if !site.isEmpty, list[.at] == nil { list.append(Attribute(.at, site)) }
    return vocabulary.attributes(list)
  }

  private func writer(_ header: UnsafeMutableRawPointer) -> WriterID? {
    let word = RingReader.load(header, RingFormat.Lane.writer)
    return word == 0 ? nil : try? vocabulary.writer(text(word))
  }

  private mutating func symbol(_ word: UInt64) -> Symbol {
    if word == 0 { return .none }
    if let known = symbols[word], !vocabulary.text(known).isEmpty { return known }
    let symbol = vocabulary.symbol(text(word))
    symbols[word] = symbol
    return symbol
  }

  /// The text of a word; `?` when the ring does not have it.
  private func text(_ word: UInt64) -> String {
    let limit = UInt64(ring.size.wordsCapacity)
    guard word <= (limit - 8) / 8 else { return "?" }
    let start = ring.words + 8 * Int(word)
    let length = RingReader.load(start, 0)
    guard length > 0, length <= UInt64(RingFormat.maxWordBytes), 8 * word + 8 + length <= limit
    else { return "?" }
    return String(
      decoding: UnsafeRawBufferPointer(start: start + 8, count: Int(length)), as: UTF8.self)
  }

  private static func load(_ base: UnsafeMutableRawPointer, _ place: Int) -> UInt64 {
    recorder_load_acquire((base + place).assumingMemoryBound(to: UInt64.self))
  }

  private static func store(_ base: UnsafeMutableRawPointer, _ place: Int, _ value: UInt64) {
    recorder_store_release((base + place).assumingMemoryBound(to: UInt64.self), value)
  }
}

/// The fields of one event, from its extensions and its record.
struct RingRecord {
  var ticks: UInt64 = 0
  var verb: UInt8 = 0
  var kind: UInt8 = 0
  var name: UInt64 = 0
  var label: UInt64 = 0
  var number: UInt32 = 0
  var value: Int64?
  var attributes: UInt64 = 0
  /// How many events the lane had refused before this one, since ever.
  var refused: UInt64 = 0
  /// The label, when it is no word.
  var text: [UInt8] = []
  var isComplete = false
  private var isWide = false

  /// Takes the next record: an extension, or the one that completes the event.
  mutating func take(ticks: UInt64, content: UInt64) {
    typealias Content = RingFormat.Content
    verb = UInt8(content & 0x3f)
    guard verb == 0 else {
      self.ticks = ticks
      kind = UInt8(content >> Content.kindShift & 7)
      isComplete = true
      guard !isWide else { return }
      name = content >> Content.nameShift & Content.nameLimit
      label = content >> Content.labelShift & Content.labelLimit
      number = UInt32(content >> Content.numberShift & Content.numberLimit)
      return
    }
    let operand = content >> Content.operandShift
    switch content >> Content.kindShift & 7 {
    case RingFormat.Extension.value: value = Int64(bitPattern: ticks)
    case RingFormat.Extension.wide:
      isWide = true
      label = operand
      name = ticks & 0xffff_ffff
      number = UInt32(ticks >> 32)
    case RingFormat.Extension.attributes: attributes = operand
    case RingFormat.Extension.refused: refused = ticks
    case RingFormat.Extension.text: takeText(ticks, content)
    default: break
    }
  }

  private mutating func takeText(_ ticks: UInt64, _ content: UInt64) {
    let count = Int(content >> RingFormat.Content.nameShift & 0xf)
    let operand = content >> RingFormat.Content.operandShift
    guard count <= RingFormat.textBytes, text.count < RingFormat.maxWordBytes else { return }
    for place in 0..<count {
      let byte = place < 8 ? ticks >> (8 * UInt64(place)) : operand >> (8 * UInt64(place - 8))
      text.append(UInt8(truncatingIfNeeded: byte))
    }
  }
}
