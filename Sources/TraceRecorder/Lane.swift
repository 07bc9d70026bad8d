import Platform
import LifecycleModel
import TraceLog

/// A thread's own view of its lane in the ring.
///
/// Only that thread touches it.
@usableFromInline
struct Lane {
  @usableFromInline let core: UnsafeMutablePointer<RecorderCore>
  @usableFromInline let records: UnsafeMutablePointer<UInt64>
  @usableFromInline let sharedHead: UnsafeMutablePointer<UInt64>
  @usableFromInline let mask: UInt64
  /// Records written, since ever.
  @usableFromInline var head: UInt64
  /// The head at which there is no room left, as far as the thread knows.
  @usableFromInline var limit: UInt64
  /// Events refused since ever, and how many of them the records tell.
  var refused: UInt64
  var told: UInt64
  /// Whether facts are dropped: the code that states them belongs to a simulated process that died.
  var isMuted = false
  /// How many calls are open.
  @usableFromInline var depth = 0
  let header: UnsafeMutableRawPointer

  /// The lane's open calls, for whoever looks after the app's death.
  ///
  /// Calls nested deeper than the page has room for are counted and not named.
  @usableFromInline
  func noteOpenCall(_ content: UInt64) {
    guard depth < RingFormat.Lane.maxOpenCalls else { return }
    field(RingFormat.Lane.openCalls + 8 * depth).pointee = content
  }

  @usableFromInline
  func publishDepth() {
    platform_store_release(field(RingFormat.Lane.depth), UInt64(max(0, depth)))
  }

  func field(_ place: Int) -> UnsafeMutablePointer<UInt64> {
    (header + place).assumingMemoryBound(to: UInt64.self)
  }

  /// Looks how far the drain has come; true when there is room for `count` records.
  ///
  /// The acquire load pairs with the drain's release of the tail: what is written into a drained
  /// record is written after the drain has read it.
  mutating func hasRoom(for count: UInt64) -> Bool {
    let published = platform_load_acquire(field(RingFormat.Lane.tails))
    let slot = RingFormat.Lane.tailSlots + RingFormat.Lane.tailSlotBytes * Int(published & 1)
    let free = platform_load_acquire(field(slot)) &+ (mask &+ 1)
    // What was refused needs a record of its own before the next event.
    let needed = count &+ (refused != told ? 1 : 0)
    limit = free
    return free &- head >= needed && free &- head <= mask &+ 1
  }

  /// Counts a refused event, where a reader finds it even after the app's death.
  mutating func refuse() {
    refused &+= 1
    limit = head
    platform_store_release(field(RingFormat.Lane.refused), refused)
  }

  /// Writes records behind the head, without publishing them.
  mutating func put(_ ticks: UInt64, _ content: UInt64) {
    let place = records + 2 * Int(head & mask)
    place[0] = ticks
    place[1] = content
    head &+= 1
  }

  /// Writes a record of up to twelve bytes of text.
  mutating func putText(_ bytes: Slice<UnsafeBufferPointer<UInt8>>) {
    var (low, high): (UInt64, UInt64) = (0, 0)
    for (place, byte) in bytes.enumerated() {
      if place < 8 {
        low |= UInt64(byte) << (8 * UInt64(place))
      } else {
        high |= UInt64(byte) << (8 * UInt64(place - 8))
      }
    }
    put(
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
  func publish() {
    platform_store_release(sharedHead, head)
  }

  /// Tells in the ring what was refused, in front of the next event.
  ///
  /// It tells the total, so that nothing is told twice wherever the process dies.
  mutating func putRefused() {
    guard refused != told else { return }
    put(refused, RingFormat.Extension.refused << RingFormat.Content.kindShift)
    told = refused
  }
}

extension Lane {
  /// Takes a free lane for the calling thread; `nil` when there is none.
  static func take(_ core: UnsafeMutablePointer<RecorderCore>) -> UnsafeMutablePointer<Lane>? {
    let ring = core.pointee.ring.takeUnretainedValue()
    // The first lane is kept for the main thread.
    let lanes = platform_is_main_thread() != 0 ? 0..<1 : 1..<ring.size.lanes
    for index in lanes {
      let header = ring.lane(index)
      let owner = (header + RingFormat.Lane.owner).assumingMemoryBound(to: UInt64.self)
      if platform_compare_exchange(owner, RingFormat.Owner.free, RingFormat.Owner.taken) != 0 {
        // A lane's writer keeps its name: its sequence goes on when another thread takes it.
        let name = index == 0 ? Vocabulary.mainWriter : "\(threadName)-\(index)"
        let lane = make(core, ring, header, writer: name)
        platform_set_local_lane(lane)
        pthread_setspecific(exitKey, lane)
        return lane
      }
    }
    return nil
  }

  /// Takes a free lane for `writer`, which is no thread's own; `nil` when there is none.
  ///
  /// The main thread's lane is the first, whoever writes it; any other is taken from the end.
  static func take(
    _ core: UnsafeMutablePointer<RecorderCore>, writer: String
  ) -> UnsafeMutablePointer<Lane>? {
    let ring = core.pointee.ring.takeUnretainedValue()
    let lanes = writer == Vocabulary.mainWriter ? 0..<1 : 1..<ring.size.lanes
    for index in lanes.reversed() {
      let header = ring.lane(index)
      let owner = (header + RingFormat.Lane.owner).assumingMemoryBound(to: UInt64.self)
      if platform_compare_exchange(owner, RingFormat.Owner.free, RingFormat.Owner.taken) != 0 {
        return make(core, ring, header, writer: writer)
      }
    }
    return nil
  }

  private static func make(
    _ core: UnsafeMutablePointer<RecorderCore>, _ ring: RingMapping,
    _ header: UnsafeMutableRawPointer, writer name: String
  ) -> UnsafeMutablePointer<Lane> {
    let sharedHead = (header + RingFormat.Lane.head).assumingMemoryBound(to: UInt64.self)
    let head = platform_load_acquire(sharedHead)
    let refused = (header + RingFormat.Lane.refused).load(as: UInt64.self)
    let lane = UnsafeMutablePointer<Lane>.allocate(capacity: 1)
    lane.initialize(
      to: Lane(
        core: core,
        records: (header + RingFormat.page).assumingMemoryBound(to: UInt64.self),
        sharedHead: sharedHead, mask: UInt64(ring.size.capacity - 1), head: head, limit: head,
        refused: refused, told: refused, header: header))
    let writer = lane.pointee.field(RingFormat.Lane.writer)
    if platform_load_acquire(writer) == 0 {
      // The log may have events of that writer, from before this ring.
      lane.pointee.field(RingFormat.Lane.sequenceBefore).pointee =
        core.pointee.lastSequences[name] ?? 0
      platform_store_release(writer, core.pointee.words.word(name))
    }
    lane.pointee.publishDepth()
    return lane
  }

  /// The calling thread's name, or `thread`.
  private static var threadName: String {
    var bytes = [CChar](repeating: 0, count: 64)
    platform_thread_name(&bytes, bytes.count)
    let name = String(
      decoding: bytes.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    return name.isEmpty ? "thread" : name
  }

  /// Gives a lane back when its thread ends.
  private static let exitKey = platform_thread_end_key { pointer in
    platform_set_local_lane(nil)
    giveBack(pointer.assumingMemoryBound(to: Lane.self))
  }

  /// Ends a thread's use of a lane; another thread may take it when it is drained.
  static func giveBack(_ lane: UnsafeMutablePointer<Lane>) {
    if platform_is_forked() == 0 {
      platform_store_release(
        lane.pointee.field(RingFormat.Lane.owner), RingFormat.Owner.givenBack)
    }
    lane.deallocate()
  }
}
