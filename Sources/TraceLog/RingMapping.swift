import CRecorder

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// A ring's file, mapped and shared with every process that has it open.
///
/// The mapping is raw memory that several threads and processes write: each field has one writer,
/// and what others read is published by release stores, see the article `RingFormat`. That is why
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

    var laneBytes: Int { RingFormat.page + 16 * capacity }
    package var bytes: Int { RingFormat.page + wordsCapacity + lanes * laneBytes }

    /// Throws what is impossible about the size, and what would be possible.
    package func check() throws(LogError) {
      guard (1...RingFormat.maxLanes).contains(lanes) else {
        throw .impossibleRing(reason: "\(lanes) threads, of 1 to \(RingFormat.maxLanes)")
      }
      guard (16...RingFormat.maxCapacity).contains(capacity), capacity & (capacity - 1) == 0
      else {
        throw .impossibleRing(
          reason: "\(capacity) records a thread; it takes a power of two, 16 to "
            + "\(RingFormat.maxCapacity)")
      }
      guard (RingFormat.page...RingFormat.maxWordsCapacity).contains(wordsCapacity),
        wordsCapacity % RingFormat.page == 0
      else {
        throw .impossibleRing(
          reason: "\(wordsCapacity) bytes for words; it takes a multiple of \(RingFormat.page), "
            + "up to \(RingFormat.maxWordsCapacity)")
      }
    }
  }

  /// Absolute, and no link.
  package let path: String
  package let base: UnsafeMutableRawPointer
  package let size: Size

  /// Open as long as the ring is mapped for writing; it carries the app's lock.
  private let descriptor: Int32

  private init(
    _ path: String, _ base: UnsafeMutableRawPointer, _ size: Size, _ descriptor: Int32
  ) {
    self.path = path
    self.base = base
    self.size = size
    self.descriptor = descriptor
  }

  deinit {
    munmap(base, size.bytes)
    if descriptor >= 0 { SystemCalls.closeDescriptor(descriptor) }
  }

  /// Marks the ring as that of this process, for as long as it lives; a forked child has no part in it.
  package func markAsOwn() {
    guard descriptor >= 0 else { return }
    // A reader that looks whether the process is there has the lock for a moment.
    for _ in 0..<100 where !SystemCalls.lock(descriptor) { usleep(1000) }
    recorder_close_when_forked(descriptor)
  }

  /// Enters this process as the one that records; false when there is one already.
  package func enter() -> Bool {
    let own = RecordingProcess.current
    let place = (base + RingFormat.Header.process).assumingMemoryBound(to: UInt64.self)
    guard recorder_compare_exchange(place, 0, UInt64(own.number)) != 0 else { return false }
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
  package var isAbandoned: Bool {
    guard let process, !isLockedByAnyone else { return false }
    return !(RingClock.isSameBoot(self) && process.isRunning)
  }

  /// Asked of a descriptor of its own: one that is mapped for reading has none.
  private var isLockedByAnyone: Bool {
    guard let descriptor = try? SystemCalls.openRing(path, O_RDONLY) else { return false }
    defer { SystemCalls.closeDescriptor(descriptor) }
    return SystemCalls.isLocked(descriptor)
  }

  /// Whether the ring lies in a file; else in memory alone.
  package var hasFile: Bool { descriptor >= 0 }

  /// Whether the process that records into the ring is still there.
  package var hasApp: Bool { descriptor >= 0 && SystemCalls.isLocked(descriptor) }

  package var words: UnsafeMutableRawPointer { base + RingFormat.page }

  package func lane(_ index: Int) -> UnsafeMutableRawPointer {
    words + size.wordsCapacity + index * size.laneBytes
  }

  package func load(_ place: Int) -> UInt64 {
    recorder_load_acquire((base + place).assumingMemoryBound(to: UInt64.self))
  }

  package func store(_ place: Int, _ value: UInt64) {
    recorder_store_release((base + place).assumingMemoryBound(to: UInt64.self), value)
  }

  /// Makes the ring of the log at `log`: beside it, or at `path`, to which a link beside it leads.
  package static func create(
    beside log: String, at path: String?, identity: LogIdentity, size: Size, usesTicks: Bool
  ) throws(LogError) -> RingMapping {
    let link = log + RingFormat.pathEnding
    // What is left of another recording may lead elsewhere.
    unlink(link)
    let ring = try create(
      path: path ?? link, identity: identity, size: size, usesTicks: usesTicks)
    guard path != nil else { return ring }
    do { try SystemCalls.symbolicLink(link, to: ring.path) } catch {
      unlink(ring.path)
      throw error
    }
    return ring
  }

  /// Makes a ring's file: all its blocks are taken from the disk now, so that a disk that fills up
  /// later never ends the app by a signal.
  package static func create(
    path: String, identity: LogIdentity, size: Size, usesTicks: Bool = true
  ) throws(LogError) -> RingMapping {
    try size.check()
    let descriptor = try SystemCalls.openRing(path, O_RDWR | O_CREAT | O_TRUNC)
    let base: UnsafeMutableRawPointer
    do {
      try SystemCalls.allocate(descriptor, size.bytes, path)
      base = try map(descriptor, size.bytes, path, isWritable: true)
    } catch {
      SystemCalls.closeDescriptor(descriptor)
      unlink(path)
      throw error
    }
    let ring = RingMapping(SystemCalls.absolute(path), base, size, descriptor)
    // Touched now, so that no event pays for a page.
    memset(ring.base, 0, size.bytes)
    ring.writeHeader(identity, hasTicks: usesTicks && recorder_has_constant_ticks() != 0)
    return ring
  }

  /// Makes a ring in memory alone, whose ticks are nanoseconds: for a simulation, which can be run again
  /// and needs no file to survive.
  package static func inMemory(identity: LogIdentity, size: Size) throws(LogError) -> RingMapping {
    try size.check()
    guard
      let base = mmap(
        nil, size.bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANON, -1, 0),
      base != MAP_FAILED
    else { throw SystemCalls.failure("map", "memory") }
    let ring = RingMapping("memory", base, size, -1)
    ring.writeHeader(identity, hasTicks: false)
    return ring
  }

  /// Empties a ring in memory, for the next log.
  package func reset(identity: LogIdentity) {
    let used = min(Int(load(RingFormat.Header.wordsHead)), size.wordsCapacity)
    memset(base, 0, RingFormat.page + used)
    for index in 0..<size.lanes { memset(lane(index), 0, RingFormat.page) }
    writeHeader(identity, hasTicks: false)
  }

  /// Maps a ring that is there; who only reads it needs no right to write.
  package static func open(path: String, isWritable: Bool) throws(LogError) -> RingMapping {
    let descriptor = try SystemCalls.openRing(path, isWritable ? O_RDWR : O_RDONLY)
    var isKept = false
    defer { if !isKept { SystemCalls.closeDescriptor(descriptor) } }
    var header = [UInt8](repeating: 0, count: RingFormat.page)
    let count = pread(descriptor, &header, header.count, 0)
    var status = stat()
    guard count == header.count, header.starts(with: RingFormat.magic),
      fstat(descriptor, &status) == 0, let size = Self.size(header),
      Int(status.st_size) >= size.bytes
    else { throw .notALog(path: path, looksLikeText: false) }
    let base = try map(descriptor, size.bytes, path, isWritable: isWritable)
    isKept = isWritable
    return RingMapping(SystemCalls.absolute(path), base, size, isWritable ? descriptor : -1)
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

  private func writeHeader(_ identity: LogIdentity, hasTicks: Bool) {
    typealias Place = RingFormat.Header
    let pair = ClockPair.now(hasTicks: hasTicks)
    base.storeBytes(of: RingFormat.version, toByteOffset: Place.version, as: UInt32.self)
    base.storeBytes(of: hasTicks ? 1 : 0, toByteOffset: Place.clock, as: UInt32.self)
    (base + Place.logID).copyMemory(from: identity.logID, byteCount: 16)
    (base + Place.bootID).copyMemory(from: identity.bootID, byteCount: 16)
    base.storeBytes(of: UInt32(size.lanes), toByteOffset: Place.lanes, as: UInt32.self)
    base.storeBytes(of: UInt32(size.capacity), toByteOffset: Place.capacity, as: UInt32.self)
    store(Place.origin, UInt64(bitPattern: identity.originMonotonic))
    store(Place.firstTicks, pair.ticks)
    store(Place.firstNanoseconds, pair.nanoseconds)
    store(Place.lastTicks, pair.ticks)
    store(Place.lastNanoseconds, pair.nanoseconds)
    store(Place.wordsCapacity, UInt64(size.wordsCapacity))
    store(Place.wordsHead, 8)
    // The magic comes last: a ring without it was never ready.
    base.copyMemory(from: RingFormat.magic, byteCount: RingFormat.magic.count)
  }

  private static func map(
    _ descriptor: Int32, _ bytes: Int, _ path: String, isWritable: Bool
  ) throws(LogError) -> UnsafeMutableRawPointer {
    let access = isWritable ? PROT_READ | PROT_WRITE : PROT_READ
    guard let base = mmap(nil, bytes, access, MAP_SHARED, descriptor, 0),
      base != MAP_FAILED
    else { throw SystemCalls.failure("map", path) }
    return base
  }
}
