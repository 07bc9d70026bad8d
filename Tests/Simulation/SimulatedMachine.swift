import Platform
import TraceLog
import TraceRecorder
import Traces

/// A machine with a disk that fails, clocks that its owner moves, and an end.
///
/// It has one folder, and is used by one thread, or by two in ``turns``. When the process or the machine comes to its end in the
/// middle of a call, what the code does from then on changes nothing, until ``restart()``.
final class SimulatedMachine: Machine, @unchecked Sendable {
  /// What goes wrong on purpose.
  var plan: FaultPlan
  /// What was called that could go wrong, and at which place of the history.
  private(set) var calls: [CallKind] = []
  /// How often each fault was met.
  private(set) var met: [String: Int] = [:]
  /// The end that was met; `nil` while the process lives.
  private(set) var end: Fault?
  /// How many syncs of memory were done, and how many syncs of any kind have failed.
  private(set) var mappingSyncs = 0
  private(set) var failedSyncs = 0
  private(set) var failedTruncates = 0

  private struct OpenFile {
    let file: SimulatedFile
    var position = 0
  }

  private typealias Names = [String: SimulatedFile]
  private static let folderPath = "/disk"
  private let folder = SimulatedFile(number: 0, mode: 0o700, isFolder: true)
  /// What processes see, what is on the disk for sure, and what was done since: one change of some names
  /// at a time, in order.
  private var names: Names = [:]
  private var durableNames: Names = [:]
  private var nameChanges: [[String: SimulatedFile?]] = []
  private var descriptors: [Int32: OpenFile] = [:]
  private var mapped: [UnsafeMutableRawPointer: SimulatedFile] = [:]
  /// All memory of files: what is left of a process that is gone still writes into its own.
  private var memories: [UnsafeMutableRawPointer] = []
  private var nextDescriptor: Int32 = 1_000_000
  private var nextNumber: UInt64 = 1
  /// The error of the next write, when one could write a part.
  private var failsNext: Int32 = 0
  private let sector: Int
  private var random: SeededGenerator
  /// Who else uses the machine at the same time.
  var turns: Turns?

  /// What the monotonic clock shows, and how far the others are ahead of it.
  let clock = VirtualClock()
  var sleep: UInt64 = 0
  var wall: UInt64 = 1_770_000_000_000_000_000
  private var boots: UInt8 = 1
  private(set) var process: Int32 = 100

  init(_ plan: FaultPlan, sector: Int, seed: UInt64) {
    (self.plan, self.sector, random) = (plan, sector, SeededGenerator(seed: seed))
    // No two machines have a folder of the same time, either.
    SimulatedMachine.made += 1
    folder.modified = SimulatedMachine.made << 24
  }

  deinit {
    for memory in memories { memory.deallocate() }
  }

  nonisolated(unsafe) private static var made: Int64 = 0

  static func path(_ name: String) -> String { folderPath + "/" + name }

  // MARK: Ends

  /// Ends the process, or the machine.
  func crash(_ fault: Fault) {
    guard end == nil else { return }
    Simulation.tell("end: \(fault)")
    end = fault
    for file in mapped.values { file.unmap() }
    for file in descriptors.values { file.file.lockedBy = nil }
    descriptors = [:]
    mapped = [:]
  }

  /// Begins another process, after a power loss on a machine that was started again.
  func restart() {
    let isPowerLoss = end?.isPowerLoss ?? false
    end = nil
    failedSyncs = 0
    process += 1
    if isPowerLoss { startMachine() }
  }

  private func startMachine() {
    boots &+= 1
    process = 100
    // Names reach the disk in the order in which they were changed, as journals have it.
    let kept = nameChanges.prefix(Int.random(in: 0...nameChanges.count, using: &random))
    for change in kept { durableNames.merge(change) }

    nameChanges = []
    names = durableNames
    folder.modified += 1
    var seen: Set<UInt64> = []
    for (_, file) in names.sorted(by: { $0.key < $1.key }) where seen.insert(file.number).inserted {
      file.loseUnsynced(sector: sector, using: &random)
    }
  }

  /// Lets the system see what was written into memory so far.
  func lookAtMemory() { for file in mapped.values { file.takeMapping() } }

  /// The names of all files.
  var allNames: [String] { names.keys.sorted() }
  /// The number of the file with that name.
  func fileNumber(_ name: String) -> UInt64? { names[name]?.number }

  /// Whether nothing goes wrong, and no call is counted.
  private var isFaultless = false

  /// Does what belongs to nobody's history.
  func withoutFaults<Result>(_ body: () throws -> Result) rethrows -> Result {
    isFaultless = true
    defer { isFaultless = false }
    return try body()
  }

  // MARK: Faults

  /// Counts a call, and says what goes wrong at it; a share of a write has gone before it failed.
  private func fault(at kind: CallKind) -> Fault? {
    if end != nil { return .failure(EIO) }
    if isFaultless { return nil }
    calls.append(kind)
    let fault = plan.fault(calls.count - 1, kind)
    if let fault {
      Simulation.tell("call \(calls.count - 1), \(kind): \(fault)")
      met["\(kind) \(fault)", default: 0] += 1
    }
    return fault
  }

  /// Does a call of which nothing can be done by half.
  private func call(_ kind: CallKind, _ body: () -> Int32) -> Int32 {
    turns?.pass()
    let fault = fault(at: kind)

    switch fault {
    case nil, .short?: return body()
    case .failure(let error, _)?: return -error
    case .lostSync?: return -EIO
    case .killBefore?, .powerBefore?:
      if let fault { crash(fault) }
      return -EIO
    case .killAfter?, .powerAfter?:
      let result = body()
      if let fault { crash(fault) }
      return result
    }
  }

  // MARK: Descriptors

  func open(_ path: String, _ flags: Int32, mode: UInt32) -> Int32 {
    Simulation.tell("open \(path)")
    let isNew = flags & O_CREAT != 0 && names[path] == nil

    return call(isNew ? .create : .open) {
      if path == SimulatedMachine.folderPath + "/" { return add(folder) }
      if let file = names[path] {
        return flags & O_CREAT != 0 && flags & O_EXCL != 0 ? -EEXIST : add(file)
      }
      guard flags & O_CREAT != 0 else { return -ENOENT }
      let file = SimulatedFile(number: nextNumber, mode: mode)
      nextNumber += 1
      change([path: file])
      return add(file)
    }
  }

  private func add(_ file: SimulatedFile) -> Int32 {
    nextDescriptor += 1
    descriptors[nextDescriptor] = OpenFile(file: file)
    return nextDescriptor
  }

  func close(_ descriptor: Int32) {
    guard end == nil, let file = descriptors.removeValue(forKey: descriptor)?.file else { return }
    if file.lockedBy == descriptor { file.lockedBy = nil }
  }

  func read(_ descriptor: Int32, _ bytes: UnsafeMutableRawBufferPointer) -> Int {
    guard let place = descriptors[descriptor]?.position else { return -Int(EBADF) }
    let count = read(descriptor, at: place, bytes)
    if count > 0 { descriptors[descriptor]?.position += count }
    return count
  }

  func read(_ descriptor: Int32, at offset: Int, _ bytes: UnsafeMutableRawBufferPointer) -> Int {
    guard let file = descriptors[descriptor]?.file else { return -Int(EBADF) }
    var count = bytes.count
    switch fault(at: .read) {
    case .failure(let error, _): return -Int(error)
    case .short(let share): count = min(count, max(1, count * share / 256))
    default: break
    }

    turns?.pass()
    guard turns != nil else { return file.read(at: offset, bytes, count) }
    // As the system reads and writes: a page after another, while others go on.
    var done = 0
    while done < count {
      let step = min(count - done, SimulatedFile.page - (offset + done) % SimulatedFile.page)
      let target = UnsafeMutableRawBufferPointer(rebasing: bytes[done...])
      let got = file.read(at: offset + done, target, step)
      done += got
      if got < step { break }
      turns?.pass()
    }
    return done
  }

  func write(_ descriptor: Int32, _ bytes: UnsafeRawBufferPointer) -> Int {
    guard let file = descriptors[descriptor] else { return -Int(EBADF) }
    let fault = fault(at: .write)
    var count = bytes.count
    var error = failsNext
    failsNext = 0
    if error != 0 { count = 0 }

    switch fault {
    case .failure(let code, let share): (count, error) = (count * share / 256, code)
    case .short(let share): count = max(1, count * share / 256)
    case .killBefore(let share), .powerBefore(let share):
      (count, error) = (count * share / 256, EIO)
    case nil, .lostSync, .killAfter, .powerAfter: break
    }
    if end != nil { return -Int(EIO) }
    if error == ENOSPC { plan.room = count }
    if count > plan.room { (count, error) = (plan.room, ENOSPC) }

    if plan.room != .max { plan.room -= count }
    if count > 0 {
      turns?.pass()
      let first = turns == nil ? count : count / 2
      file.file.write(UnsafeRawBufferPointer(rebasing: bytes[..<first]), at: file.position)
      if first < count {
        turns?.pass()
        let rest = UnsafeRawBufferPointer(rebasing: bytes[first..<count])
        file.file.write(rest, at: file.position + first)
      }
      descriptors[descriptor]?.position += count
    }
    if let fault, fault.isCrash { crash(fault) }
    if error == 0 || end != nil { return error == 0 ? count : -Int(error) }
    // As the system: who has written something is told how much, and of the error by the next call.
    failsNext = count == 0 ? 0 : error
    return count == 0 ? -Int(error) : count
  }

  func seek(_ descriptor: Int32, _ offset: Int, _ whence: Int32) -> Int {
    guard end == nil, let file = descriptors[descriptor] else { return -Int(EBADF) }
    let place = whence == SEEK_CUR ? file.position + offset : offset
    descriptors[descriptor]?.position = place
    return place
  }

  func truncate(_ descriptor: Int32, to size: Int) -> Int32 {
    guard let file = descriptors[descriptor]?.file else { return -EBADF }
    Simulation.tell("truncate \(file.size) to \(size)")
    let failed = failedTruncates
    failedTruncates += 1
    return call(.truncate) {
      failedTruncates = failed
      if size != file.size { file.resize(to: size) }
      return 0
    }
  }

  func allocate(_ descriptor: Int32, _ size: Int) -> Int32 {
    guard let file = descriptors[descriptor]?.file else { return -EBADF }
    return call(.allocate) {
      if size > file.size { file.resize(to: size) }
      return 0
    }
  }

  func lock(_ descriptor: Int32, _ operation: Int32) -> Int32 {
    turns?.pass()
    guard end == nil, let file = descriptors[descriptor]?.file else { return -EBADF }
    let isMine = file.lockedBy == descriptor
    if operation == LOCK_UN {
      if isMine { file.lockedBy = nil }
      return 0
    }
    if file.lockedBy != nil, !isMine { return -EWOULDBLOCK }
    // Nobody else asks while a shared lock is held.
    if operation & LOCK_EX != 0 { file.lockedBy = descriptor }
    return 0
  }

  func setMode(_ descriptor: Int32, _ mode: UInt32) -> Int32 {
    guard end == nil, let file = descriptors[descriptor]?.file else { return -EBADF }
    file.mode = mode
    return 0
  }

  func sync(_ descriptor: Int32) -> Int32 {
    guard let file = descriptors[descriptor]?.file else { return -EBADF }
    return sync(file, file.isFolder ? .syncFolder : .sync)
  }

  private func sync(_ file: SimulatedFile, _ kind: CallKind) -> Int32 {
    let failed = failedSyncs
    failedSyncs += 1
    let fault = fault(at: kind)
    switch fault {
    case .failure(let error, _)?: return -error
    case .lostSync?:
      file.forgetChanges()
      return -EIO
    case .killBefore?, .powerBefore?:
      if let fault { crash(fault) }
      return -EIO
    case nil, .short?, .killAfter?, .powerAfter?: break
    }

    failedSyncs = failed
    if file.isFolder {
      for change in nameChanges { durableNames.merge(change) }
      nameChanges = []
    } else {
      file.sync()
    }
    if let fault { crash(fault) }
    return 0
  }

  // MARK: Names

  func status(of descriptor: Int32, _ status: inout FileStatus) -> Int32 {
    turns?.pass()
    guard end == nil, let file = descriptors[descriptor]?.file else { return -EBADF }
    status = FileStatus(file)
    return 0
  }

  func status(_ path: String, followsLinks: Bool, _ status: inout FileStatus) -> Int32 {
    turns?.pass()
    let isFolder = path == SimulatedMachine.folderPath + "/"
    guard end == nil, let file = isFolder ? folder : names[path] else { return -ENOENT }
    status = FileStatus(file)
    return 0
  }

  func symbolicLink(_ target: String, _ name: String) -> Int32 { call(.symbolicLink) { -ENOTSUP } }

  func rename(_ path: String, _ name: String) -> Int32 {
    call(.rename) {
      guard let file = names[path] else { return -ENOENT }
      change([path: nil, name: file])
      return 0
    }
  }

  func unlink(_ path: String) -> Int32 {
    call(.unlink) {
      guard names[path] != nil else { return -ENOENT }
      change([path: nil])
      return 0
    }
  }

  private func change(_ change: [String: SimulatedFile?]) {
    Simulation.tell("names \(change.mapValues { $0?.number })")
    names.merge(change)
    nameChanges.append(change)
    // No two states of the folder have the same time.
    folder.modified += 1
  }

  func names(in folder: String, atMost limit: Int) -> [String] {
    guard end == nil else { return [] }
    let start = SimulatedMachine.folderPath.count + 1
    return names.keys.sorted().prefix(limit).map { String($0.dropFirst(start)) }
  }

  func absolute(_ path: String) -> String? { path }

  // MARK: Memory

  func map(
    _ descriptor: Int32, _ size: Int, _ error: inout Int32
  ) -> UnsafeMutableRawPointer? {
    var base: UnsafeMutableRawPointer?
    error = -call(.map) {
      guard let file = descriptors[descriptor]?.file else { return -EBADF }
      let memory = file.map()
      if mapped.updateValue(file, forKey: memory) == nil { memories.append(memory) }
      base = memory
      return 0
    }
    return error == 0 ? base : nil
  }

  func unmap(_ base: UnsafeMutableRawPointer, _ size: Int) {
    mapped.removeValue(forKey: base)?.unmap()
  }

  func syncMapping(_ base: UnsafeMutableRawPointer, _ size: Int) -> Int32 {
    guard let file = mapped[base] else { return -EINVAL }
    let result = sync(file, .syncMapping)
    if result == 0, end == nil { mappingSyncs += 1 }
    return result
  }

  func touchMapping(_ base: UnsafeMutableRawPointer, _ size: Int) {
    mapped[base]?.rememberChanges()
  }

  // MARK: Clocks

  /// Moves the clocks, also back, and beyond where they wrap.
  func advance(by span: Int64) { clock.set(to: clock.nanoseconds &+ span) }

  var nanoseconds: UInt64 {
    defer { clock.set(to: clock.nanoseconds &+ 1) }
    return UInt64(bitPattern: clock.nanoseconds)
  }

  var boottimeNanoseconds: UInt64 { nanoseconds &+ sleep }
  var wallNanoseconds: UInt64 { wall &+ nanoseconds &+ sleep }
  var bootID: [UInt8] { [UInt8](repeating: boots, count: 16) }

  func processStart(_ number: Int32) -> Int64 { end == nil && number == process ? 1 : -1 }
}

extension [String: SimulatedFile] {
  /// Does a change of names: a name that has no file any more is gone.
  fileprivate mutating func merge(_ change: [String: SimulatedFile?]) {
    for (name, file) in change { self[name] = file }
  }
}

extension FileStatus {
  fileprivate init(_ file: SimulatedFile) {
    self.init()
    kind = file.isFolder ? .directory : .file
    (size, modified, mode, number) = (file.size, file.modified, file.mode, file.number)
  }
}
