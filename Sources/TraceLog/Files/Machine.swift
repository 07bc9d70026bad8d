import Platform

/// What logs and rings ask of the machine that they are on: files, clocks, the boot and processes.
///
/// A call does what the system's call of that name does. Where the system returns -1 and sets `errno`, it
/// returns the error as a negative number. It must be callable from any thread.
package protocol Machine: Sendable {
  func open(_ path: String, _ flags: Int32, mode: UInt32) -> Int32
  func close(_ descriptor: Int32)
  func read(_ descriptor: Int32, _ bytes: UnsafeMutableRawBufferPointer) -> Int
  func read(_ descriptor: Int32, at offset: Int, _ bytes: UnsafeMutableRawBufferPointer) -> Int
  func write(_ descriptor: Int32, _ bytes: UnsafeRawBufferPointer) -> Int
  func seek(_ descriptor: Int32, _ offset: Int, _ whence: Int32) -> Int
  func truncate(_ descriptor: Int32, to size: Int) -> Int32
  func sync(_ descriptor: Int32) -> Int32
  /// Takes the file's blocks from the disk, and makes it that long.
  func allocate(_ descriptor: Int32, _ size: Int) -> Int32
  func lock(_ descriptor: Int32, _ operation: Int32) -> Int32
  func setMode(_ descriptor: Int32, _ mode: UInt32) -> Int32
  func status(of descriptor: Int32, _ status: inout FileStatus) -> Int32
  func status(_ path: String, followsLinks: Bool, _ status: inout FileStatus) -> Int32

  func symbolicLink(_ target: String, _ name: String) -> Int32
  func rename(_ path: String, _ name: String) -> Int32
  func unlink(_ path: String) -> Int32
  /// Up to so many names of what lies in a folder, in no order.
  func names(in folder: String, atMost limit: Int) -> [String]
  /// The path from the root, without links; `nil` when there is no such file.
  func absolute(_ path: String) -> String?

  /// Maps a file for reading and writing, shared with all who map it; `nil` with the error.
  func map(_ descriptor: Int32, _ size: Int, _ error: inout Int32) -> UnsafeMutableRawPointer?
  func unmap(_ base: UnsafeMutableRawPointer, _ size: Int)
  func syncMapping(_ base: UnsafeMutableRawPointer, _ size: Int) -> Int32
  /// Has the system take all of a mapping for changed.
  func touchMapping(_ base: UnsafeMutableRawPointer, _ size: Int)

  /// The awake monotonic clock.
  var nanoseconds: UInt64 { get }
  /// The clock that runs on while the machine sleeps.
  var boottimeNanoseconds: UInt64 { get }
  /// The wall clock, since 1970.
  var wallNanoseconds: UInt64 { get }
  /// The id of the boot; empty when the system does not say.
  var bootID: [UInt8] { get }
  /// The number of the calling process.
  var process: Int32 { get }
  /// See `platform_process_start`.
  func processStart(_ number: Int32) -> Int64
}

/// The machine that the process runs on.
package struct RealMachine: Machine {
  package init() {}

  package func open(_ path: String, _ flags: Int32, mode: UInt32) -> Int32 {
    RealMachine.answer(
      flags & O_CREAT != 0
        ? platform_create(path, flags, mode_t(mode)) : Platform.open(path, flags))
  }

  package func close(_ descriptor: Int32) { _ = Platform.close(descriptor) }

  package func read(_ descriptor: Int32, _ bytes: UnsafeMutableRawBufferPointer) -> Int {
    RealMachine.answer(platform_read(descriptor, bytes.baseAddress, bytes.count))
  }

  package func read(
    _ descriptor: Int32, at offset: Int, _ bytes: UnsafeMutableRawBufferPointer
  ) -> Int {
    RealMachine.answer(pread(descriptor, bytes.baseAddress, bytes.count, off_t(offset)))
  }

  package func write(_ descriptor: Int32, _ bytes: UnsafeRawBufferPointer) -> Int {
    RealMachine.answer(platform_write(descriptor, bytes.baseAddress, bytes.count))
  }

  package func seek(_ descriptor: Int32, _ offset: Int, _ whence: Int32) -> Int {
    RealMachine.answer(Int(lseek(descriptor, off_t(offset), whence)))
  }

  package func truncate(_ descriptor: Int32, to size: Int) -> Int32 {
    RealMachine.answer(ftruncate(descriptor, off_t(size)))
  }

  package func sync(_ descriptor: Int32) -> Int32 { RealMachine.answer(fsync(descriptor)) }

  package func allocate(_ descriptor: Int32, _ size: Int) -> Int32 {
    -platform_allocate(descriptor, Int64(size))
  }

  package func lock(_ descriptor: Int32, _ operation: Int32) -> Int32 {
    RealMachine.answer(flock(descriptor, operation))
  }

  package func setMode(_ descriptor: Int32, _ mode: UInt32) -> Int32 {
    RealMachine.answer(fchmod(descriptor, mode_t(mode)))
  }

  package func status(of descriptor: Int32, _ status: inout FileStatus) -> Int32 {
    RealMachine.answer(FileStatus(descriptor), &status)
  }

  package func status(
    _ path: String, followsLinks: Bool, _ status: inout FileStatus
  ) -> Int32 {
    RealMachine.answer(FileStatus(path, followsLinks: followsLinks), &status)
  }

  package func symbolicLink(_ target: String, _ name: String) -> Int32 {
    RealMachine.answer(symlink(target, name))
  }

  package func rename(_ path: String, _ name: String) -> Int32 {
    RealMachine.answer(platform_rename(path, name))
  }

  package func unlink(_ path: String) -> Int32 { RealMachine.answer(Platform.unlink(path)) }

  package func names(in folder: String, atMost limit: Int) -> [String] {
    Folder.names(in: folder, atMost: limit) ?? []
  }

  package func absolute(_ path: String) -> String? {
    guard let resolved = realpath(path, nil) else { return nil }
    defer { free(resolved) }
    return String(cString: resolved)
  }

  package func map(
    _ descriptor: Int32, _ size: Int, _ error: inout Int32
  ) -> UnsafeMutableRawPointer? {
    let base = mmap(nil, size, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, 0)
    guard let base, base != MAP_FAILED else {
      error = errno
      return nil
    }
    return base
  }

  package func unmap(_ base: UnsafeMutableRawPointer, _ size: Int) { munmap(base, size) }

  package func syncMapping(_ base: UnsafeMutableRawPointer, _ size: Int) -> Int32 {
    RealMachine.answer(msync(base, size, MS_SYNC))
  }

  package func touchMapping(_ base: UnsafeMutableRawPointer, _ size: Int) {
    // Whoever writes there meanwhile is not disturbed.
    for place in stride(from: 0, to: size, by: 4096) {
      _ = platform_fetch_add((base + place).assumingMemoryBound(to: UInt64.self), 0)
    }
  }

  package var nanoseconds: UInt64 { platform_nanoseconds() }
  package var boottimeNanoseconds: UInt64 { platform_boottime_nanoseconds() }
  package var wallNanoseconds: UInt64 { platform_wall_nanoseconds() }

  package var bootID: [UInt8] {
    var text = [CChar](repeating: 0, count: 64)
    guard platform_boot_id(&text, text.count) != 0 else { return [] }
    return LogIdentity.bytes(ofUUID: text.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)))
  }

  package var process: Int32 { getpid() }
  package func processStart(_ number: Int32) -> Int64 { platform_process_start(number) }

  private static func answer<Result: SignedInteger>(_ result: Result) -> Result {
    result >= 0 ? result : -Result(errno)
  }

  private static func answer(_ found: FileStatus?, _ status: inout FileStatus) -> Int32 {
    guard let found else { return -errno }
    status = found
    return 0
  }
}
