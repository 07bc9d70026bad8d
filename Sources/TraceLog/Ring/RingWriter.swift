import LifecycleModel
import Platform

/// A thread's own view of its lane in the ring.
///
/// Only that thread touches it.
@usableFromInline
package struct RingWriter {
  /// Whose lane it is: what all threads of a recorder share.
  @usableFromInline package let owner: UnsafeMutableRawPointer
  @usableFromInline package let records: UnsafeMutablePointer<UInt64>
  @usableFromInline package let sharedHead: UnsafeMutablePointer<UInt64>
  @usableFromInline package let mask: UInt64
  /// A record's place among all that were ever written, shifted by this, is its lap.
  @usableFromInline package let lapShift: UInt64
  /// Records written, since ever.
  @usableFromInline package var head: UInt64
  /// Events refused since ever, and how many of them the records report.
  private var refused: UInt64
  private var told: UInt64
  /// Whether facts are dropped: the code that states them belongs to a simulated process that died.
  package var isMuted = false
  /// How many calls are open.
  @usableFromInline package var depth = 0
  package let header: UnsafeMutableRawPointer
  private let bell: Bell

  /// The lane's open calls, for whoever looks after the app's death.
  ///
  /// Calls nested deeper than the page has room for are counted and not named.
  @usableFromInline
  package func noteOpenCall(_ content: UInt64) {
    guard depth < RingFormat.Lane.maxOpenCalls else { return }
    field(RingFormat.Lane.openCalls + 8 * depth).pointee = content
  }

  @usableFromInline
  package func publishDepth() {
    platform_store_release(field(RingFormat.Lane.depth), UInt64(max(0, depth)))
  }

  private func field(_ place: Int) -> UnsafeMutablePointer<UInt64> {
    (header + place).assumingMemoryBound(to: UInt64.self)
  }

  /// The head from which on an event is stated slowly: with a look how far the drain is.
  ///
  /// It lies beside the head, on the same line of the processor's cache.
  @inlinable
  @inline(__always)
  package var alarm: UInt64 {
    platform_load_relaxed(sharedHead + (RingFormat.Lane.alarm - RingFormat.Lane.head) / 8)
  }

  /// Has the next event be stated slowly.
  package func lookAgain() { platform_store_relaxed(field(RingFormat.Lane.alarm), 0) }

  /// Looks how far the drain has come; true when there is room for `count` records.
  ///
  /// The acquire load pairs with the drain's release of what it has freed: what is written into a drained
  /// record is written after the drain has read it.
  package func hasRoom(for count: UInt64) -> Bool {
    let free = platform_load_acquire(field(RingFormat.Lane.freed)) &+ (mask &+ 1)
    // What was refused needs a record of its own before the next event.
    let needed = count &+ (refused != told ? 1 : 0)
    return free &- head >= needed && free &- head <= mask &+ 1
  }

  /// Counts a refused event, where a reader finds it even after the app's death.
  package mutating func refuse() {
    refused &+= 1
    lookAgain()
    platform_store_release(field(RingFormat.Lane.refused), refused)
  }

  /// Writes the record of a fact behind the head, without publishing it.
  @inlinable
  @inline(__always)
  package mutating func put(_ ticks: UInt64, _ content: UInt64) {
    let place = records + 2 * Int(head & mask)
    place[0] = ticks ^ (head &>> lapShift) &<< RingFormat.Lap.ticksShift
    place[1] = content
    head &+= 1
  }

  /// Writes an extension of the record that comes behind it.
  package mutating func putExtension(_ operand: UInt64, _ content: UInt64) {
    let place = records + 2 * Int(head & mask)
    let lap = (head &>> lapShift) & RingFormat.Lap.extensionMask
    place[0] = operand
    place[1] = content | lap &<< RingFormat.Lap.extensionShift
    head &+= 1
  }

  /// Writes text, twelve bytes a record.
  package mutating func putText(_ text: Slice<UnsafeBufferPointer<UInt8>>) {
    var rest = text
    while !rest.isEmpty {
      putPart(rest.prefix(RingFormat.textBytes))
      rest = rest.dropFirst(RingFormat.textBytes)
    }
  }

  private mutating func putPart(_ bytes: Slice<UnsafeBufferPointer<UInt8>>) {
    var (low, high): (UInt64, UInt64) = (0, 0)
    for (place, byte) in bytes.enumerated() {
      if place < 8 {
        low |= UInt64(byte) << (8 * UInt64(place))
      } else {
        high |= UInt64(byte) << (8 * UInt64(place - 8))
      }
    }

    putExtension(
      low,
      RingFormat.Extension.text << RingFormat.Content.kindShift
        | UInt64(bytes.count) << RingFormat.Content.nameShift
        | high << RingFormat.Content.operandShift)
  }

  /// Publishes all records up to the head.
  ///
  /// The release store is what makes an event: everything above was written before it, and a reader
  /// that sees the new head with its acquire load sees the records. The process may die at any
  /// instruction; until this one the event was never recorded.
  @inlinable
  package func publish() {
    platform_store_release(sharedHead, head)
  }

  /// Publishes as ``publish()`` does; behind the alarm it sets the next one, and wakes a drain that waits.
  ///
  /// Who waits has said so before it set the alarm, and looks at the heads behind that: it sees this event, or is seen
  /// to wait.
  package func publishSlowly() {
    publish()
    guard head > alarm else { return }
    let freed = platform_load_acquire(field(RingFormat.Lane.freed))
    let (half, end) = (freed &+ (mask &+ 1) / 2, freed &+ mask &+ 1)
    platform_store_relaxed(field(RingFormat.Lane.alarm), head < half ? half : end)
    bell.ring(ifAwaitedFor: head < half ? .anyEvent : .halfFull)
  }

  /// Reports in the ring what was refused, in front of the next event.
  ///
  /// It reports the total, so that nothing is reported twice wherever the process dies.
  package mutating func putRefused() {
    guard refused != told else { return }
    putExtension(refused, RingFormat.Extension.refused << RingFormat.Content.kindShift)
    told = refused
  }
}

/// What the writers of a ring have in common.
package struct RingWriterHome {
  /// The ring; it lives as long as the process.
  package let ring: RingMapping
  /// The words that are in it.
  package let words: WordTable
  /// The last sequence of each writer in the log before the ring.
  package let lastSequences: [String: UInt64]
  /// Tells the writers of two recorders apart.
  package let owner: UnsafeMutableRawPointer

  package init(
    ring: RingMapping, words: WordTable, lastSequences: [String: UInt64],
    owner: UnsafeMutableRawPointer
  ) {
    self.ring = ring
    self.words = words
    self.lastSequences = lastSequences
    self.owner = owner
  }
}

extension RingWriter {
  /// Takes a free lane for the calling thread; `nil` when there is none.
  package static func take(_ home: RingWriterHome) -> UnsafeMutablePointer<RingWriter>? {
    // The first lane is kept for the main thread.
    let lanes = platform_is_main_thread() != 0 ? 0..<1 : 1..<home.ring.size.lanes
    guard let index = lanes.first(where: { take(home.ring.lane($0)) }) else { return nil }

    // A lane's writer keeps its name: its sequence goes on when another thread takes it.
    let lane = make(home, index, writer: index == 0 ? nil : threadName.map { "\($0)-\(index)" })
    platform_set_local_lane(lane)
    pthread_setspecific(exitKey, lane)
    return lane
  }

  /// Takes a free lane for `writer`, which is no thread's own; `nil` when there is none.
  ///
  /// The main thread's lane is the first, whoever writes it; any other is taken from the end.
  package static func take(
    _ home: RingWriterHome, writer: String
  ) -> UnsafeMutablePointer<RingWriter>? {
    let lanes = writer == Vocabulary.mainWriter ? 0..<1 : 1..<home.ring.size.lanes
    return lanes.last { take(home.ring.lane($0)) }
      .map { make(home, $0, writer: writer) }
  }

  /// Takes the lane with this header; false when somebody has it.
  private static func take(_ header: UnsafeMutableRawPointer) -> Bool {
    let owner = (header + RingFormat.Lane.owner).assumingMemoryBound(to: UInt64.self)
    return platform_compare_exchange(owner, RingFormat.Owner.free, RingFormat.Owner.taken) != 0
  }

  private static func make(
    _ home: RingWriterHome, _ index: Int, writer name: String?
  ) -> UnsafeMutablePointer<RingWriter> {
    let header = home.ring.lane(index)
    let sharedHead = (header + RingFormat.Lane.head).assumingMemoryBound(to: UInt64.self)
    let head = platform_load_acquire(sharedHead)
    let refused = (header + RingFormat.Lane.refused).load(as: UInt64.self)
    let lane = UnsafeMutablePointer<RingWriter>.allocate(capacity: 1)
    lane.initialize(
      to: RingWriter(
        owner: home.owner,
        records: (header + RingFormat.page).assumingMemoryBound(to: UInt64.self),
        sharedHead: sharedHead, mask: UInt64(home.ring.size.capacity - 1),
        lapShift: home.ring.size.lapShift, head: head, refused: refused, told: refused,
        header: header, bell: home.ring.bell))

    // Whoever had the lane may have left an alarm behind what it refused.
    lane.pointee.lookAgain()
    let writer = lane.pointee.field(RingFormat.Lane.writer)
    if platform_load_acquire(writer) == 0 {
      let usual = RingFormat.usualName(ofLane: index)
      let word = home.words.word(name ?? usual)
      // The log may have events of that writer, from before this ring.
      lane.pointee.field(RingFormat.Lane.sequenceBefore).pointee =
        home.lastSequences[word == 0 ? usual : name ?? usual] ?? 0
      platform_store_release(writer, word == 0 ? RingFormat.unnamed : word)
    }

    lane.pointee.publishDepth()
    return lane
  }

  /// The calling thread's name; `nil` when it has none.
  private static var threadName: String? {
    var bytes = [CChar](repeating: 0, count: 64)
    platform_thread_name(&bytes, bytes.count)
    let name = String(
      decoding: bytes.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    return name.isEmpty ? nil : name
  }

  /// Gives a lane back when its thread ends.
  private static let exitKey = platform_thread_end_key { pointer in
    platform_set_local_lane(nil)
    giveBack(pointer.assumingMemoryBound(to: RingWriter.self))
  }

  /// Ends a thread's use of a lane; another thread may take it when it is drained.
  package static func giveBack(_ lane: UnsafeMutablePointer<RingWriter>) {
    if platform_is_forked() == 0 {
      platform_store_release(
        lane.pointee.field(RingFormat.Lane.owner), RingFormat.Owner.givenBack)
    }
    lane.deallocate()
  }
}
