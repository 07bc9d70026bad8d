import LifecycleModel
import Platform

/// Reads the events that a ring holds, for a drain or for a reader after the crash.
///
/// It trusts nothing in the ring: whatever the bytes are, it reads events or says that they are
/// missing, and touches no memory but the mapping.
package struct RingReader {
  /// How far a lane was read.
  struct Position {
    var tail: UInt64
    var sequence: UInt64
    /// How many refused events were reported.
    var refused: UInt64
    /// How many events had been refused when the reading began.
    var refusedSoFar: UInt64 = 0
    /// How many refused events are the fault of a full disk.
    var refusedByDisk: UInt64 = 0
    /// The sequence of the writer's last event before the ring.
    var before: UInt64 = 0
    /// The instant of the last event.
    var last = Instant.distantPast
    /// Whether the lane was reported to be damaged.
    var isDamaged = false
    /// How often a tail had been published, and the last one.
    var published: UInt64
    var publishedTail: UInt64
    /// The head up to which the disk has the lane for sure.
    var syncedHead: UInt64
  }

  package let ring: RingMapping
  package let vocabulary: Vocabulary
  var positions: [Position] = []
  private var clock: RingClock
  private var symbols: [UInt64: Symbol] = [:]
  private var names: [UInt64: SitedName] = [:]
  private let templates = RecordTemplates()
  /// How often the vocabulary had forgotten words when these were looked up.
  private var generation: Int
  private(set) var homelessTold: UInt64
  /// The largest instant that was reported: what is reported next is not before it.
  private var floor = Instant.distantPast

  /// Whether the recording is followed as it happens: only then clocks of now have a meaning.
  package let follows: Bool

  /// Makes a reader that begins behind what was drained.
  package init(_ ring: RingMapping, vocabulary: Vocabulary, follows: Bool = false) {
    self.ring = ring
    self.vocabulary = vocabulary
    self.follows = follows
    generation = vocabulary.generation
    clock = RingClock(ring)
    homelessTold = ring.load(RingFormat.Header.homelessTold)
    positions = (0..<ring.size.lanes).map { lane in
      let header = ring.lane(lane)
      let published = RingReader.load(header, RingFormat.Lane.tails)
      let slot = RingFormat.Lane.tailSlots + RingFormat.Lane.tailSlotBytes * Int(published & 1)
      return Position(
        tail: RingReader.load(header, slot), sequence: RingReader.load(header, slot + 8),
        refused: RingReader.load(header, slot + 16), published: published,
        publishedTail: RingReader.load(header, slot),
        // Another drain may have synced all that is there.
        syncedHead: RingReader.load(header, RingFormat.Lane.head))
    }
  }

  /// Which log the events belong to.
  package var logID: [UInt8] { ring.logID }

  /// The path of the log that the app keeps by itself, in another place.
  package var ownLog: String? {
    let word = ring.load(RingFormat.Header.ownLog)
    return word == 0 ? nil : text(word)
  }

  /// How many records each lane has had, and how many events it has refused.
  var counts: LazyMapSequence<Range<Int>, (head: UInt64, refused: UInt64)> {
    positions.indices.lazy.map { [ring] in
      let header = ring.lane($0)
      return (
        RingReader.load(header, RingFormat.Lane.head),
        RingReader.load(header, RingFormat.Lane.refused)
      )
    }
  }

  /// Whether all that was published was read.
  package var isEmpty: Bool { zip(positions, counts).allSatisfy { $0.tail == $1.head } }

  /// The last sequence of each writer that a drain had moved into the log when this reader began.
  package var drainedSequences: [String: UInt64] {
    var drained: [String: UInt64] = [:]
    for (lane, position) in zip(positions.indices, positions) where position.sequence > 0 {
      let before = RingReader.load(ring.lane(lane), RingFormat.Lane.sequenceBefore)
      // More than any log counts: the lane is damaged.
      guard max(before, position.sequence) <= LogFormat.maxNumber >> 2, let writer = writer(lane)
      else { continue }
      let name = vocabulary.name(of: writer)
      drained[name] = max(drained[name] ?? 0, before + position.sequence)
    }
    return drained
  }

  /// Whether a drain has moved events into the log since this reader began: what it read may have been
  /// written over meanwhile.
  package var isOvertaken: Bool {
    positions.indices.contains { lane in
      ring.tailsPublished(lane) != positions[lane].published
    }
  }

  /// Says what the log holds already: nothing is reported before its last instant.
  package mutating func begin(after instant: Instant) { floor = max(floor, instant) }

  /// Leaves out what the log, which has this many `events`, reports already of threads that found no free lane.
  ///
  /// A drain that has written it may have died before it said so.
  package mutating func passHomeless(in events: UInt64) {
    let place = ring.load(RingFormat.Header.homelessPlace)
    guard place > 0, events >= place else { return }
    homelessTold = max(homelessTold, ring.load(RingFormat.Header.homelessInLog))
  }

  /// Says where the log will report of such threads, before `events` are written behind this many others.
  package func announceHomeless(in events: [Event], behind count: UInt64) {
    typealias Place = RingFormat.Header
    guard homelessTold != ring.load(Place.homelessTold),
      let index = events.lastIndex(where: {
        $0.verb == .gap && Gap($0, in: vocabulary)?.isOfHomeless == true
      })
    else { return }

    // Without a place nobody looks at the number.
    ring.store(Place.homelessPlace, 0)
    ring.store(Place.homelessInLog, homelessTold)
    ring.store(Place.homelessPlace, count &+ UInt64(index) &+ 1)
  }

  /// Appends the events that were published since the last call, ordered by instant.
  ///
  /// All lanes are read up to one reading of the counter, `lag` ago: what is later stays for the next
  /// call, so that the order holds between calls too. A thread that was put aside between reading the
  /// counter and publishing its event for longer than the lag gives the event the instant of the last
  /// one that was reported. What was refused is reported with it. Without a lag all that was published is read,
  /// whatever the clock shows.
  package mutating func read(into events: inout [Event], behind lag: Nanoseconds? = 0) {
    forgetIfForgotten()
    let now = follows ? ClockPair.now(hasTicks: ring.hasTicks) : nil
    clock = RingClock(ring, now: now)
    let cut = lag.map { lag in now.map { $0.ticks &- clock.ticks(lag) } ?? ring.cut } ?? .max

    // Counted before the heads are read: what is refused behind the last event is reported behind it.
    let homeless = ring.load(RingFormat.Header.homeless)
    for (lane, count) in zip(positions.indices, counts) {
      positions[lane].refusedSoFar = count.refused
    }

    let start = events.count
    var rests: [Gap] = []
    var begins: [Instant] = []
    func note(_ gap: Gap?, _ begin: Instant) {
      guard let gap else { return }
      rests.append(gap)
      begins.append(begin)
    }

    let origin = floor == .distantPast ? .origin : floor
    for lane in positions.indices {
      note(read(lane, upTo: cut, into: &events), max(origin, positions[lane].last))
    }

    note(homelessGap(homeless), origin)
    let end = rests.isEmpty ? floor : self.end(of: events[start...])
    for (gap, begin) in zip(rests, begins) {
      if gap.cause == GapCause.corruptBlock.rawValue {
        events.append(gap.event(at: begin, in: vocabulary))
      } else {
        append(gap, from: begin, to: end, &events)
      }
    }

    RingReader.sort(&events, from: start)
    floor = max(floor, events.last?.instant ?? floor)
  }

  /// What was refused last may have been refused until now, or until the recording ended.
  private func end(of events: ArraySlice<Event>) -> Instant {
    if follows { return clock.instant(ClockPair.now(hasTicks: ring.hasTicks).ticks) }
    return events.reduce(nil) { max($0 ?? $1.instant, $1.instant) } ?? floor
  }

  /// Orders events by instant; those of one lane are in order already.
  static func sort(_ events: inout [Event], from start: Int) {
    var place = start + 1
    while place < events.count, events[place - 1].instant <= events[place].instant { place += 1 }
    guard place < events.count else { return }
    events.withUnsafeMutableBufferPointer {
      var new = UnsafeMutableBufferPointer(rebasing: $0[start...])
      new.sort { $0.instant < $1.instant }
    }
  }

  /// Appends a loss that begins at `begin`, and has ended at `end`.
  private func append(_ gap: Gap, from begin: Instant, to end: Instant, _ events: inout [Event]) {
    var gap = gap
    gap.within = max(0, end.since(begin))
    events.append(gap.event(at: begin, in: vocabulary))
  }

  /// Says that all events that were read are safe in the log; ``freeTails()`` lets the app write over them.
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
      positions[lane].publishedTail = positions[lane].tail
    }

    storePair()
    ring.store(RingFormat.Header.homelessTold, homelessTold)
  }

  /// Lets the app write over what was read up to the tails that were published.
  package func freeTails() {
    for lane in positions.indices {
      let header = ring.lane(lane)
      RingReader.store(header, RingFormat.Lane.freed, positions[lane].publishedTail)
      freeIfGivenBack(lane, header)
    }
  }

  /// How many records each lane has had.
  package var heads: [UInt64] { counts.map(\.head) }

  /// Notes that the disk has the ring up to these heads.
  package mutating func noteSynced(_ heads: [UInt64]) {
    for (lane, head) in zip(positions.indices, heads) { positions[lane].syncedHead = head }
  }

  /// Whether something was read since tails were published that the disk has in the ring for sure.
  package var hasReadOfSynced: Bool {
    positions.contains { $0.publishedTail < min($0.tail, $0.syncedHead) }
  }

  /// Stores a pair of clock readings, by which the ring is read when nobody follows it any more.
  package func storePair() {
    if follows { ring.store(ClockPair.now(hasTicks: ring.hasTicks)) }
  }

  /// Forgets which symbols the ring's words have when the vocabulary has: they are looked up again.
  private mutating func forgetIfForgotten() {
    guard generation != vocabulary.generation else { return }
    generation = vocabulary.generation
    symbols.removeAll(keepingCapacity: true)
    names.removeAll(keepingCapacity: true)
    templates.removeAll()
  }

  /// Says that what was refused until now was refused because the disk was full: the drain could not
  /// make room.
  package mutating func blameDisk() {
    for (lane, count) in zip(positions.indices, counts) {
      positions[lane].refusedByDisk = count.refused
    }
  }

  /// A lane whose thread is gone can be taken again when nothing of it is left.
  func freeIfGivenBack(_ lane: Int, _ header: UnsafeMutableRawPointer) {
    let isDrained = RingReader.load(header, RingFormat.Lane.head) == positions[lane].publishedTail
    guard isDrained, RingReader.load(header, RingFormat.Lane.owner) == RingFormat.Owner.givenBack
    else { return }
    RingReader.store(header, RingFormat.Lane.owner, RingFormat.Owner.free)
  }

  /// Reads the events of a lane up to a reading of the counter; returns what was refused behind the
  /// last one.
  private mutating func read(
    _ lane: Int, upTo cut: UInt64, into events: inout [Event]
  ) -> Gap? {
    let header = ring.lane(lane)
    let head = RingReader.load(header, RingFormat.Lane.head)
    var position = positions[lane]
    defer { positions[lane] = position }
    position.before = RingReader.load(header, RingFormat.Lane.sequenceBefore)

    let capacity = UInt64(ring.size.capacity)
    // More than fits, or than any log counts: the lane is damaged, and what is in it is not known.
    let largest = max(position.before, position.sequence, position.refused, position.refusedSoFar)
    guard let writer = writer(lane), head &- position.tail <= capacity,
      largest <= LogFormat.maxNumber >> 2
    else {
      let holdsEvents = head != position.tail
      defer { position.isDamaged = holdsEvents }
      return holdsEvents && !position.isDamaged ? Gap(.corruptBlock) : nil
    }

    let lane = Lane(
      records: (header + RingFormat.page).assumingMemoryBound(to: UInt64.self),
      mask: capacity - 1, lapShift: ring.size.lapShift, writer: writer, cut: cut, floor: floor)
    guard !position.isDamaged else { return nil }
    switch read(lane, to: head, &position, into: &events) {
    case .head: return refused(position.refusedSoFar, writer, &position)
    case .cut: return nil
    case .damage:
      position.isDamaged = true
      return Gap(.corruptBlock)
    }
  }

  /// Where the reading of a lane has come to its end.
  private enum End { case head, cut, damage }

  /// What does not change while a lane is read.
  private struct Lane {
    let records: UnsafeMutablePointer<UInt64>
    let mask: UInt64
    let lapShift: UInt64
    let writer: WriterID
    /// The reading of the counter up to which is read.
    let cut: UInt64
    /// Nothing is reported before it.
    let floor: Instant

    /// The ticks of a fact's record without its mark.
    @inline(__always)
    func ticks(_ place: UInt64) -> UInt64 {
      records[2 * Int(place & mask)] ^ (place &>> lapShift) &<< RingFormat.Lap.ticksShift
    }
  }

  /// Reads a lane's events up to `head`.
  private mutating func read(
    _ lane: Lane, to head: UInt64, _ position: inout Position, into events: inout [Event]
  ) -> End {
    var next = position.tail
    while next != head {
      // Most events are one record like another one before.
      let content = lane.records[2 * Int(next & lane.mask) + 1]
      guard let template = templates.find(content) else {
        if let end = readNew(lane, &next, to: head, &position, into: &events) { return end }
        continue
      }
      let ticks = lane.ticks(next)
      guard clock.isPlausible(ticks) else { return .damage }
      if ticks > lane.cut { return .cut }

      next &+= 1
      position.tail = next
      position.sequence &+= 1
      position.last = max(clock.instant(ticks), max(position.last, lane.floor))
      var event = template.pointee
      event.sequence = position.before &+ position.sequence
      event.instant = position.last
      event.writer = lane.writer
      event.subjectNumber &= RingRecord.number(content)
      events.append(event)
    }
    return .head
  }

  /// Reads an event of any number of records; returns why the lane ends there, when it does.
  ///
  /// Extensions of a record that is not there end the lane.
  private mutating func readNew(
    _ lane: Lane, _ next: inout UInt64, to head: UInt64, _ position: inout Position,
    into events: inout [Event]
  ) -> End? {
    var fields = RingRecord()
    var end = next
    while !fields.isComplete {
      guard end != head, take(lane, end, &fields) else { return .damage }
      end &+= 1
    }

    if fields.ticks > lane.cut { return .cut }
    let begin = max(position.last, lane.floor)
    let instant = max(clock.instant(fields.ticks), begin)
    if let gap = refused(fields.refused, lane.writer, &position) {
      append(gap, from: begin == .distantPast ? instant : begin, to: instant, &events)
    }

    position.sequence &+= 1
    position.last = instant
    guard let event = event(fields, at: instant, lane.writer, position) else {
      position.sequence &-= 1
      return .damage
    }
    events.append(event)
    if end == next &+ 1 { templates.add(fields.content, event) }
    next = end
    position.tail = end
    return nil
  }

  /// Takes the record at a place; false when it was not written in this lap, or never.
  private func take(_ lane: Lane, _ place: UInt64, _ fields: inout RingRecord) -> Bool {
    let record = lane.records + 2 * Int(place & lane.mask)
    let content = record[1]
    guard content & RingFormat.Content.verbMask == 0 else {
      let ticks = lane.ticks(place)
      fields.take(ticks: ticks, content: content)
      return clock.isPlausible(ticks)
    }
    // A power loss may leave zeros where the first lap has records.
    guard content >> RingFormat.Content.kindShift & 7 != 0 else { return false }
    fields.take(ticks: record[0], content: content)
    let lap = content >> RingFormat.Lap.extensionShift
    return (lap ^ place &>> lane.lapShift) & RingFormat.Lap.extensionMask == 0
  }

  /// The gap for the events of threads that found no free lane, `count` since ever.
  private mutating func homelessGap(_ count: UInt64) -> Gap? {
    guard count > homelessTold else { return nil }
    var gap = Gap(.ringFull)
    gap.count = Int64(clamping: count - homelessTold)
    homelessTold = count
    return gap
  }

  /// The gap for the events that the lane has refused, `total` since ever, as far as they are not reported.
  private func refused(_ total: UInt64, _ writer: WriterID, _ position: inout Position) -> Gap? {
    guard total > position.refused else { return nil }
    let count = total - position.refused
    let isByDisk = position.refused < position.refusedByDisk
    position.refused = total
    defer { position.sequence &+= count }
    return Gap(
      isByDisk ? .diskFull : .ringFull, writer: vocabulary.name(of: writer),
      from: position.before &+ position.sequence &+ 1,
      to: position.before &+ position.sequence &+ count)
  }

  private mutating func label(_ fields: RingRecord) -> Symbol? {
    fields.text.isEmpty
      ? symbol(fields.label) : vocabulary.symbol(String(decoding: fields.text, as: UTF8.self))
  }

  /// The event of a fact; `nil` when it has a kind or a word that is none.
  private mutating func event(
    _ fields: RingRecord, at instant: Instant, _ writer: WriterID, _ position: Position
  ) -> Event? {
    guard let kind = Subject.Kind(rawValue: fields.kind), let name = name(fields.name),
      let label = label(fields),
      let attributes = fields.attributes == 0
        ? name.attributes : attributes(fields.attributes, name.site)
    else { return nil }
    let subject = Subject(kind)
    return Event(
      sequence: position.before &+ position.sequence, instant: instant, writer: writer,
      verb: Verb(code: fields.verb),
      name: name.name,
      subject: subject.isNumbered ? Subject(kind, fields.number) : subject,
      label: label, value: fields.value, attributes: attributes)
  }

  /// A name, and the call site that was interned with it.
  private struct SitedName {
    var name: Symbol
    var site: String
    /// The list that is the call site alone.
    var attributes: AttributesID
  }

  /// The name that is in a word, and the call site behind it.
  private mutating func name(_ word: UInt64) -> SitedName? {
    if word == 0 { return SitedName(name: .none, site: "", attributes: .none) }
    if let known = names[word] { return known }
    guard let text = text(word) else { return nil }
    let parts = text.split(separator: "\0", maxSplits: 1, omittingEmptySubsequences: false)
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
      guard let writer = writer(lane),
        RingReader.load(header, RingFormat.Lane.owner) == RingFormat.Owner.taken
      else { continue }
      let depth = RingReader.load(header, RingFormat.Lane.depth)
      for call in 0..<Int(min(depth, UInt64(RingFormat.Lane.maxOpenCalls))) {
        let content = RingReader.load(header, RingFormat.Lane.openCalls + 8 * call)
        let name = content >> RingFormat.Content.nameShift & RingFormat.Content.nameLimit
        calls.append((vocabulary.name(of: writer), text(name) ?? "?"))
      }
    }
    return calls
  }

  private func attributes(_ word: UInt64, _ site: String) -> AttributesID? {
    guard let text = text(word) else { return nil }
    let parts = text.split(separator: "\0", omittingEmptySubsequences: false).map(String.init)
    var list: [Attribute] = []
    for index in stride(from: 0, to: parts.count - 1, by: 2)
    where !list.contains(where: { $0.key == parts[index] }) {
      list.append(Attribute(parts[index], parts[index + 1]))
    }
    if !site.isEmpty, list[.at] == nil { list.append(Attribute(.at, site)) }
    return vocabulary.attributes(list)
  }

  /// The writer of a lane; `nil` when nobody had it yet, or the name is damaged.
  private func writer(_ lane: Int) -> WriterID? {
    let word = RingReader.load(ring.lane(lane), RingFormat.Lane.writer)
    if word == 0 { return nil }
    let name = word == RingFormat.unnamed ? RingFormat.usualName(ofLane: lane) : text(word)
    return name.flatMap { try? vocabulary.writer($0) }
  }

  private mutating func symbol(_ word: UInt64) -> Symbol? {
    if word == 0 { return Symbol.none }
    if let known = symbols[word] { return known }
    guard let symbol = text(word).map(vocabulary.symbol) else { return nil }
    symbols[word] = symbol
    return symbol
  }

  /// The text of a word; `nil` when the ring does not have it as it was written.
  private func text(_ word: UInt64) -> String? {
    let limit = UInt64(ring.size.wordsCapacity)
    guard word <= (limit - 8) / 8 else { return nil }
    let start = ring.words + 8 * Int(word)
    let lengthWord = RingReader.load(start, 0)
    let length = lengthWord & 0xffff_ffff
    guard length > 0, length <= UInt64(RingFormat.maxWordBytes), 8 * word + 8 + length <= limit
    else { return nil }
    let bytes = UnsafeRawBufferPointer(start: start + 8, count: Int(length))
    guard WordTable.lengthWord(of: bytes) == lengthWord else { return nil }
    return String(decoding: bytes, as: UTF8.self)
  }

  static func load(_ base: UnsafeMutableRawPointer, _ place: Int) -> UInt64 {
    platform_load_acquire((base + place).assumingMemoryBound(to: UInt64.self))
  }

  private static func store(_ base: UnsafeMutableRawPointer, _ place: Int, _ value: UInt64) {
    platform_store_release((base + place).assumingMemoryBound(to: UInt64.self), value)
  }
}

extension Gap {
  /// Whether it reports the events of threads that found no free lane.
  var isOfHomeless: Bool { cause == GapCause.ringFull.rawValue && writer == nil }
}
