import LifecycleModel
import Platform

/// A ring's file, mapped and shared with every process that has it open.
///
/// The mapping is raw memory that several threads and processes write: each field has one writer,
/// and what others read is published by release stores, see the article `RingFileFormat`. That is why
/// it may be handed between threads.
package final class RingMapping: @unchecked Sendable {
  /// How large a ring is.
  package struct Size: Hashable, Sendable {
    /// How many threads can record at a time.
    package var lanes: Int
    /// Records a lane; a power of two.
    package var capacity: Int
    /// Bytes for names and labels.
    package var wordsCapacity: Int

    package init(lanes: Int = 16, capacity: Int = 1 << 15, wordsCapacity: Int = 1 << 20) {
      self.lanes = lanes
      self.capacity = capacity
      self.wordsCapacity = wordsCapacity
    }

    /// See ``RingFormat/Lap``.
    var lapShift: UInt64 { UInt64(capacity.trailingZeroBitCount) }

    var laneBytes: Int { RingFormat.page + 16 * capacity }
    package var bytes: Int { RingFormat.page + wordsCapacity + lanes * laneBytes }

    /// Throws what is impossible about the size, and what would be possible.
    package func check() throws(LogError) {
      guard (1...RingFormat.maxLanes).contains(lanes) else {
        throw .impossibleRing(reason: "\(lanes) threads; the range is 1 to \(RingFormat.maxLanes)")
      }
      guard (16...RingFormat.maxCapacity).contains(capacity), capacity & (capacity - 1) == 0
      else {
        throw .impossibleRing(
          reason: "\(capacity) records per thread; it must be a power of two from 16 to "
            + "\(RingFormat.maxCapacity)")
      }

      guard (RingFormat.page...RingFormat.maxWordsCapacity).contains(wordsCapacity),
        wordsCapacity % RingFormat.page == 0
      else {
        throw .impossibleRing(
          reason: "\(wordsCapacity) bytes for words; it must be a multiple of \(RingFormat.page), "
            + "at most \(RingFormat.maxWordsCapacity)")
      }
    }
  }

  /// Absolute, and no link.
  package let path: String
  package let base: UnsafeMutableRawPointer
  package let size: Size

  /// The last reading of the counter whose events belong to a copy of a ring whose app runs: what
  /// each lane got later has no part in it.
  private(set) var cut = UInt64.max

  private var hasFailedSync = false
  /// Whether this process records into the ring.
  package private(set) var isOwn = false

  /// Whether the last sync of the log has failed; it outlives the process.
  package var hasLogFailedSync: Bool {
    get { load(RingFormat.Header.failedSync) != 0 }
    set { store(RingFormat.Header.failedSync, newValue ? 1 : 0) }
  }

  /// Open as long as the ring is; one that is mapped for writing carries the app's lock.
  private let descriptor: Int32
  /// Whether this is a copy of the ring as it was, in memory.
  private let isCopy: Bool

  private init(
    _ path: String, _ base: UnsafeMutableRawPointer, _ size: Size, _ descriptor: Int32,
    isCopy: Bool = false
  ) {
    self.path = path
    self.base = base
    self.size = size
    self.descriptor = descriptor
    self.isCopy = isCopy
  }

  deinit {
    if hasFile { SystemCalls.machine.unmap(base, size.bytes) } else { munmap(base, size.bytes) }
    if descriptor >= 0 { SystemCalls.closeDescriptor(descriptor) }
  }

  /// Marks the ring as that of this process, for as long as it lives; a forked child has no part in it.
  package func markAsOwn() {
    isOwn = true
    guard descriptor >= 0 else { return }
    _ = SystemCalls.lock(descriptor)
    platform_close_when_forked(descriptor)
  }

  /// Enters this process as the one that records; false when there is one already.
  package func enter() -> Bool {
    let own = RecordingProcess.current
    let place = (base + RingFormat.Header.process).assumingMemoryBound(to: UInt64.self)
    guard platform_compare_exchange(place, 0, UInt64(own.number)) != 0 else { return false }
    store(RingFormat.Header.processStart, own.start)
    return true
  }

  /// The process that records, or recorded; `nil` before it begins.
  package var process: RecordingProcess? {
    let number = Int32(truncatingIfNeeded: load(RingFormat.Header.process))
    return number == 0
      ? nil : RecordingProcess(number: number, start: load(RingFormat.Header.processStart))
  }

  /// Whether a process recorded into the ring and is gone: nobody holds its lock, and the machine has
  /// no such process.
  ///
  /// Not to be asked of the ring that this process has marked as its own.
  package var isAbandoned: Bool {
    guard let process, !hasApp else { return false }
    return !(RingClock.isSameBoot(self) && process.isRunning)
  }

  /// Whether the ring lies in a file; else in memory alone.
  package var hasFile: Bool { descriptor >= 0 && !isCopy }

  /// Whether the process that records into the ring is still there.
  package var hasApp: Bool { descriptor >= 0 && SystemCalls.isLocked(descriptor) }

  /// Whether an app records into the ring of the log at `path`.
  package static func isRecorded(log path: String) -> Bool {
    (try? open(path: path + RingFormat.pathEnding, isWritable: false))?.hasApp ?? false
  }

  /// Waits until no process has the lock of the ring at `path`.
  package static func waitForEndOfApp(at path: String) {
    guard let descriptor = try? SystemCalls.openRing(path, O_RDONLY) else { return }
    SystemCalls.waitForLock(descriptor)
    SystemCalls.closeDescriptor(descriptor)
  }

  /// Whether `path` still names the ring's file.
  package var isInPlace: Bool { descriptor >= 0 && SystemCalls.isSame(descriptor, path) }

  package var words: UnsafeMutableRawPointer { base + RingFormat.page }

  /// Which log the events belong to.
  package var logID: [UInt8] {
    Array(UnsafeRawBufferPointer(start: base + RingFormat.Header.logID, count: 16))
  }
  /// The boot of the machine that the ring was made in; zeros when it was not known.
  package var bootID: [UInt8] {
    Array(UnsafeRawBufferPointer(start: base + RingFormat.Header.bootID, count: 16))
  }

  /// What a drain waits for.
  package var bell: Bell { Bell(base) }

  package func lane(_ index: Int) -> UnsafeMutableRawPointer {
    words + size.wordsCapacity + index * size.laneBytes
  }

  package func load(_ place: Int) -> UInt64 {
    platform_load_acquire((base + place).assumingMemoryBound(to: UInt64.self))
  }

  package func store(_ place: Int, _ value: UInt64) {
    platform_store_release((base + place).assumingMemoryBound(to: UInt64.self), value)
  }

  /// Whether ticks are of the time-stamp counter, and not nanoseconds.
  var hasTicks: Bool {
    base.load(fromByteOffset: RingFormat.Header.clock, as: UInt32.self) == 1
  }

  /// The latest pair of clock readings that a drain has stored.
  var lastPair: ClockPair {
    typealias Place = RingFormat.Header
    let slot = Place.pairSlots + Place.pairSlotBytes * Int(load(Place.pairs) & 1)
    return ClockPair(ticks: load(slot), nanoseconds: load(slot + 8))
  }

  /// Stores a pair where nobody reads, and then says that it is the latest.
  func store(_ pair: ClockPair) {
    typealias Place = RingFormat.Header
    let count = load(Place.pairs) &+ 1
    let slot = Place.pairSlots + Place.pairSlotBytes * Int(count & 1)
    store(slot, pair.ticks)
    store(slot + 8, pair.nanoseconds)
    store(Place.pairs, count)
  }

  /// Waits until the ring as it is now survives a power loss; false when it may not.
  package func sync() -> Bool {
    // What a sync failed for, the next one would leave out.
    if hasFailedSync { SystemCalls.machine.touchMapping(base, size.bytes) }
    hasFailedSync = SystemCalls.machine.syncMapping(base, size.bytes) < 0
    return !hasFailedSync
  }

  /// How often a tail of the lane was published by now, also when this is a copy.
  func tailsPublished(_ index: Int) -> UInt64 {
    let place = lane(index) - base + RingFormat.Lane.tails
    guard isCopy else { return load(place) }
    var tails: UInt64 = 0
    _ = withUnsafeMutableBytes(of: &tails) {
      try? SystemCalls.readAll(descriptor, at: place, $0, path)
    }
    return tails
  }

  /// Notes that another process found the ring taken, and records nothing.
  package func refuse(process: Int32) {
    store(RingFormat.Header.otherProcess, UInt64(bitPattern: Int64(process)))
    let count = base + RingFormat.Header.otherProcesses
    _ = platform_fetch_add(count.assumingMemoryBound(to: UInt64.self), 1)
  }

  /// How many processes found the ring taken, and the number of the last one.
  package var refusedProcesses: (count: UInt64, last: Int32) {
    (
      load(RingFormat.Header.otherProcesses),
      Int32(truncatingIfNeeded: load(RingFormat.Header.otherProcess))
    )
  }

  /// Makes the ring of the log at `log`: beside it, or at `path`, to which a link beside it leads.
  package static func create(
    beside log: String, at path: String?, identity: LogIdentity, size: Size, usesTicks: Bool
  ) throws(LogError) -> RingMapping {
    let link = log + RingFormat.pathEnding
    moveAside(link, unlessOf: identity.logID)
    // What is left of another recording may lead elsewhere.
    try removeRing(at: link, isOurs: true)
    let ring = try create(
      path: path ?? link, identity: identity, size: size, usesTicks: usesTicks)
    guard path != nil else { return ring }

    do { try SystemCalls.symbolicLink(link, to: ring.path) } catch {
      try? SystemCalls.remove(ring.path)
      throw error
    }
    return ring
  }

  /// Throws ``LogError/inUseHere(path:)`` when this process records into the log at `log` and no lock says so.
  package static func checkNotRecordedHere(_ log: String) throws(LogError) {
    if !SystemCalls.mayHoldLocks, isRecordedHere(log) { throw .inUseHere(path: log) }
  }

  /// Whether the ring of the log at `log` names this process, as when another copy of the library is linked into it.
  package static func isRecordedHere(_ log: String) -> Bool {
    let ring = try? open(path: log + RingFormat.pathEnding, isWritable: false)
    return ring.map { $0.process == .current && RingClock.isSameBoot($0) } ?? false
  }

  /// Throws what would keep ``create(beside:at:identity:size:usesTicks:)`` from making a ring of this size, for
  /// whoever is about to replace a log: it takes so many bytes from the disk, and gives them back.
  package static func check(beside log: String, at path: String?, size: Size) throws(LogError) {
    try size.check()
    let link = log + RingFormat.pathEnding
    try checkRemovable(link, isOurs: true)
    if let path { try checkRemovable(path, isOurs: false) }

    let trial = (path ?? link) + ".trial"
    let descriptor = try SystemCalls.openRing(trial, O_RDWR | O_CREAT | O_EXCL)
    defer {
      SystemCalls.closeDescriptor(descriptor)
      try? SystemCalls.remove(trial)
    }
    try SystemCalls.allocate(descriptor, size.bytes, path ?? link)
  }

  /// Makes a ring's file: all its blocks are taken from the disk now, so that a disk that fills up
  /// later never ends the app by a signal.
  package static func create(
    path: String, identity: LogIdentity, size: Size, usesTicks: Bool = true
  ) throws(LogError) -> RingMapping {
    try size.check()
    let hasTicks = usesTicks && platform_has_constant_ticks() != 0
    let first = ClockPair.now(hasTicks: hasTicks)
    try removeRing(at: path, isOurs: false)
    let descriptor = try SystemCalls.openRing(path, O_RDWR | O_CREAT | O_EXCL)
    let base: UnsafeMutableRawPointer

    do {
      try SystemCalls.allocate(descriptor, size.bytes, path)
      base = try SystemCalls.map(descriptor, size.bytes, path)
    } catch {
      SystemCalls.closeDescriptor(descriptor)
      try? SystemCalls.remove(path)
      throw error
    }

    let ring = RingMapping(SystemCalls.absolute(path), base, size, descriptor)
    // Touched now, so that no event pays for a page, unless each changed page counts against the app.
    if platform_counts_writes() == 0 { memset(ring.base, 0, size.bytes) }
    ring.writeHeader(identity, hasTicks: hasTicks, first)
    return ring
  }

  /// What is put behind the path of a ring that holds the last events of another log.
  package static let asideEnding = ".old"

  /// Moves a ring aside that belongs to another log and holds events that are nowhere else: that log may
  /// have been renamed.
  private static func moveAside(_ path: String, unlessOf log: [UInt8]) {
    guard case .file = SystemCalls.nameKind(path),
      let ring = try? open(path: path, isWritable: false)
    else { return }

    let vocabulary = Vocabulary()
    var reader = RingReader(ring, vocabulary: vocabulary)
    guard reader.logID != log else { return }

    var events: [Event] = []
    reader.read(into: &events)
    if !events.isEmpty { try? SystemCalls.rename(path, path + asideEnding) }
  }

  /// Removes what lies where a ring is to be made: a ring, what never became one, or a link that a
  /// recording left.
  ///
  /// Throws for anything else: it is somebody's file.
  private static func removeRing(at path: String, isOurs: Bool) throws(LogError) {
    guard SystemCalls.nameKind(path) != nil else { return }
    try checkRemovable(path, isOurs: isOurs)
    try SystemCalls.remove(path)
  }

  private static func checkRemovable(_ path: String, isOurs: Bool) throws(LogError) {
    switch SystemCalls.nameKind(path) {
    case nil: return
    case .link where isOurs: break
    case .file:
      let descriptor = try SystemCalls.openRing(path, O_RDONLY)
      defer { SystemCalls.closeDescriptor(descriptor) }
      var start = [UInt8](repeating: 0, count: RingFormat.magic.count)
      _ = try read(descriptor, 0, &start, path)
      // The magic of a ring comes last.
      guard start == RingFormat.magic || start.allSatisfy({ $0 == 0 }) else {
        throw .impossibleRing(reason: "\(path) already exists and is not a ring")
      }
    default:
      throw .impossibleRing(reason: "\(path) already exists and is not a ring")
    }
  }

  /// Makes a ring in memory alone, whose ticks are nanoseconds: for a simulation, which can be run again
  /// and needs no file to survive.
  package static func inMemory(identity: LogIdentity, size: Size) throws(LogError) -> RingMapping {
    try size.check()
    let ring = RingMapping("memory", try allocate(size), size, -1)
    ring.writeHeader(identity, hasTicks: false, ClockPair.now(hasTicks: false))
    return ring
  }

  /// Empties a ring in memory, for the next log.
  package func reset(identity: LogIdentity) {
    memset(base, 0, RingFormat.page + usedWords)
    for index in 0..<size.lanes { memset(lane(index), 0, RingFormat.page) }
    writeHeader(identity, hasTicks: false, ClockPair.now(hasTicks: false))
  }

  /// The bytes of the words' area that hold words; all of them may when the head is none.
  private var usedWords: Int {
    let head = load(RingFormat.Header.wordsHead)
    let isHead = head >= 8 && head % 8 == 0 && head <= UInt64(size.wordsCapacity)
    return isHead ? Int(head) : size.wordsCapacity
  }

  /// Maps a ring that is there; who only reads gets a copy of it as it is now, since a file that is cut
  /// while it is mapped ends the process.
  package static func open(path: String, isWritable: Bool) throws(LogError) -> RingMapping {
    let descriptor = try SystemCalls.openRing(path, isWritable ? O_RDWR : O_RDONLY)
    var isKept = false
    defer { if !isKept { SystemCalls.closeDescriptor(descriptor) } }
    // A ring that is being made has its header before it has anything behind it.
    var found = try readSize(descriptor, path)
    if found == nil, try wasNeverReady(descriptor, path) { throw .notFound(path: path) }
    if found == nil { found = try readSize(descriptor, path) }
    guard let size = found else { throw .notALog(path: path, looksLikeText: false) }
    guard isWritable else {
      let copy = try copy(descriptor, size, path)
      isKept = true
      return copy
    }

    let base = try SystemCalls.map(descriptor, size.bytes, path)
    isKept = true
    return RingMapping(SystemCalls.absolute(path), base, size, descriptor)
  }

  /// The size that an open ring's header states; `nil` when it is none, or the file is shorter.
  private static func readSize(_ descriptor: Int32, _ path: String) throws(LogError) -> Size? {
    var header = [UInt8](repeating: 0, count: RingFormat.page)
    guard try read(descriptor, 0, &header, path), header.starts(with: RingFormat.magic),
      let size = Self.size(header), try SystemCalls.status(descriptor, path).size >= size.bytes
    else { return nil }
    return size
  }

  /// Whether who made the file has died before it was a ring, or is making it: it has no magic, and nothing
  /// behind its header.
  private static func wasNeverReady(
    _ descriptor: Int32, _ path: String
  ) throws(LogError) -> Bool {
    var place = 0
    while true {
      var bytes = [UInt8](repeating: 0, count: place == 0 ? RingFormat.page : 1 << 16)
      let isWhole = try read(descriptor, place, &bytes, path)
      let looked = place == 0 ? bytes.prefix(RingFormat.magic.count) : bytes[...]
      guard looked.allSatisfy({ $0 == 0 }) else { return false }
      if !isWhole { return true }
      place += bytes.count
    }
  }

  /// Fills `bytes` from a place of a file; false when it ends before.
  private static func read(
    _ descriptor: Int32, _ place: Int, _ bytes: inout [UInt8], _ path: String
  ) throws(LogError) -> Bool {
    try bytes.withUnsafeMutableBufferPointer { bytes throws(LogError) in
      try SystemCalls.readAll(descriptor, at: place, UnsafeMutableRawBufferPointer(bytes), path)
    }
  }

  /// Copies the ring behind `descriptor`, which belongs to the copy.
  private static func copy(
    _ descriptor: Int32, _ size: Size, _ path: String
  ) throws(LogError) -> RingMapping {
    let base = try allocate(size, MAP_NORESERVE)
    let ring = RingMapping(SystemCalls.absolute(path), base, size, descriptor, isCopy: true)
    try ring.reload()
    return ring
  }

  /// Memory of this process alone, in which a ring of this size has room.
  private static func allocate(
    _ size: Size, _ flags: Int32 = 0
  ) throws(LogError) -> UnsafeMutableRawPointer {
    let base = mmap(
      nil, size.bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANON | flags, -1, 0)
    guard let base, base != MAP_FAILED else { throw SystemCalls.failure("map", "memory") }
    return base
  }

  /// Makes a copy one of the ring as it is now, as far as it holds anything.
  ///
  /// What a record refers to was written before it, so the words are read after the lanes' heads.
  func reload() throws(LogError) {
    guard isCopy else { return }
    func read(_ start: UnsafeMutableRawPointer, _ count: Int) throws(LogError) {
      let bytes = UnsafeMutableRawBufferPointer(start: start, count: count)
      guard try SystemCalls.readAll(descriptor, at: start - base, bytes, path) else {
        throw .notALog(path: path, looksLikeText: false)
      }
    }

    try read(base, RingFormat.page)
    cut = .max
    if SystemCalls.isLocked(descriptor) {
      cut = hasTicks ? platform_ticks() : SystemCalls.machine.nanoseconds
    }

    for index in 0..<size.lanes { try read(lane(index), RingFormat.page) }
    // The words' head may have moved on since.
    try read(base, RingFormat.page)
    try read(words, usedWords)

    for index in 0..<size.lanes {
      let start = lane(index) + RingFormat.page
      for range in usedRecords(index) {
        try read(start + 16 * range.lowerBound, 16 * range.count)
      }
    }
  }

  /// The places of a lane's records that no tail has passed; one range or two, of a ring.
  private func usedRecords(_ index: Int) -> [Range<Int>] {
    let place = lane(index) - base
    let slot = Int(load(place + RingFormat.Lane.tails) & 1)
    let tail = load(place + RingFormat.Lane.tailSlots + RingFormat.Lane.tailSlotBytes * slot)
    let used = load(place + RingFormat.Lane.head) &- tail
    guard used > 0, used <= UInt64(size.capacity) else { return [] }
    let first = Int(tail & UInt64(size.capacity - 1))
    let end = first + Int(used)
    return end <= size.capacity
      ? [first..<end] : [first..<size.capacity, 0..<(end - size.capacity)]
  }

  private static func size(_ header: [UInt8]) -> Size? {
    header.withUnsafeBytes { bytes in
      let version = bytes.load(fromByteOffset: RingFormat.Header.version, as: UInt32.self)
      let words = bytes.load(fromByteOffset: RingFormat.Header.wordsCapacity, as: UInt64.self)
      guard version == RingFormat.version, words <= UInt64(RingFormat.maxWordsCapacity) else {
        return nil
      }
      let size = Size(
        lanes: Int(bytes.load(fromByteOffset: RingFormat.Header.lanes, as: UInt32.self)),
        capacity: Int(bytes.load(fromByteOffset: RingFormat.Header.capacity, as: UInt32.self)),
        wordsCapacity: Int(words))
      return (try? size.check()) != nil ? size : nil
    }
  }

  /// Writes the header, with `first`, which was read when the ring's making began, and a pair of now:
  /// between them lies time enough to know the rate of the counter.
  private func writeHeader(_ identity: LogIdentity, hasTicks: Bool, _ first: ClockPair) {
    typealias Place = RingFormat.Header
    var last = ClockPair.now(hasTicks: hasTicks)
    while hasTicks, last.nanoseconds &- first.nanoseconds < 1_000_000 {
      last = ClockPair.now(hasTicks: true)
    }

    base.storeBytes(of: RingFormat.version, toByteOffset: Place.version, as: UInt32.self)
    base.storeBytes(of: hasTicks ? 1 : 0, toByteOffset: Place.clock, as: UInt32.self)
    (base + Place.logID).copyMemory(from: identity.logID, byteCount: 16)
    (base + Place.bootID).copyMemory(from: identity.bootID, byteCount: 16)
    base.storeBytes(of: UInt32(size.lanes), toByteOffset: Place.lanes, as: UInt32.self)
    base.storeBytes(of: UInt32(size.capacity), toByteOffset: Place.capacity, as: UInt32.self)
    store(Place.origin, UInt64(bitPattern: identity.originMonotonic))
    store(Place.firstTicks, first.ticks)
    store(Place.firstNanoseconds, first.nanoseconds)
    store(last)
    store(Place.wordsCapacity, UInt64(size.wordsCapacity))
    store(Place.wordsHead, 8)
    // The magic comes last: a ring without it was never ready.
    base.copyMemory(from: RingFormat.magic, byteCount: RingFormat.magic.count)
  }
}
