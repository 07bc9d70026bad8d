import Foundation
import LifecycleModel
import Platform
import Testing
import Traces

@testable import TraceLog

/// The window that moves over a log's bytes, wherever they come from.
@Suite struct LogInputTests {
  private let folder: LogFolder
  private let bytes: [UInt8]

  init() throws {
    folder = try LogFolder()
    var random = SeededGenerator(seed: 11)
    bytes = (0..<700_000).map { _ in UInt8.random(in: 0...255, using: &random) }
    try Data(bytes).write(to: URL(fileURLWithPath: folder.file("bytes")))
  }

  /// Fills and skips at random: the window is always what stands at its offset.
  private func walk(_ input: LogInput, _ seed: UInt64, from: Int = 0) throws {
    var random = SeededGenerator(seed: seed)
    var position = from
    while true {
      let wanted = 1 << Int.random(in: 0...18, using: &random)
      let isThere = try input.fill(wanted)
      #expect(isThere == (bytes.count - position >= wanted), "seed \(seed)")
      let window = input.window.prefix(wanted)
      #expect(window.count == min(wanted, bytes.count - position))
      #expect(window.elementsEqual(bytes[position..<position + window.count]), "seed \(seed)")
      #expect(input.offset == position - from)
      if !isThere && random.oneIn(3) { break }
      let step = Int.random(in: 0...(1 << 17), using: &random)
      let skipped = try input.skip(step)
      #expect(skipped == min(step, bytes.count - position), "seed \(seed)")
      position += skipped
    }

    #expect(try input.skip(bytes.count) == bytes.count - position)
    #expect(try !input.fill(1) && input.window.isEmpty)
  }

  @Test(arguments: 0..<4) func aFileAndMemoryAreReadAlike(seed: UInt64) throws {
    print("seed \(seed)")
    let file = try LogInput(path: folder.file("bytes"))
    #expect(file.size == bytes.count)
    try walk(file, seed)
    try walk(LogInput(bytes: bytes, path: "memory"), seed)
  }

  /// A pipe gives what it has, in pieces, and cannot be skipped over.
  @Test(arguments: 0..<3) func aPipeIsReadAlike(seed: UInt64) throws {
    print("seed \(seed)")
    let pipe = Pipe()
    let (reading, writing) = (pipe.fileHandleForReading, pipe.fileHandleForWriting)
    let rest = Data(bytes[100...])
    let writer = Thread {
      var random = SeededGenerator(seed: seed)
      var left = rest[...]
      while !left.isEmpty {
        let piece = left.prefix(Int.random(in: 1...70_000, using: &random))
        try? writing.write(contentsOf: piece)
        left = left.dropFirst(piece.count)
      }
      try? writing.close()
    }

    writer.start()
    let input = LogInput(
      descriptor: reading.fileDescriptor, path: "pipe", prefix: Array(bytes.prefix(100)))
    #expect(input.size == nil)
    try walk(input, seed)
  }

  @Test func whatCannotBeReadIsSaid() throws {
    #expect(throws: LogError.notFound(path: folder.file("nothing"))) {
      try LogInput(path: folder.file("nothing"))
    }
    #expect(throws: LogError.isDirectory(path: folder.path)) { try LogInput(path: folder.path) }
    let file = folder.file("bytes")
    chmod(file, 0)

    // Root reads everything.
    if geteuid() != 0 {
      #expect(throws: LogError.noPermission(path: file)) { try LogInput(path: file) }
    } else {
      #expect(try LogInput(path: file).size == bytes.count)
    }
  }

  /// A log is the same from a file, from memory, and from a pipe.
  @Test(arguments: 0..<6) func aLogIsTheSameWhereverItComesFrom(seed: UInt64) throws {
    print("seed \(seed)")
    var random = SeededGenerator(seed: seed)
    var maker = RandomTrace(seed: seed)
    var log = try LogBench(maker.trace(120), eventsPerBlock: 15)
    for _ in 0..<Int.random(in: 0...3, using: &random) {
      log.flipBit(Int.random(in: 0..<8 * log.bytes.count, using: &random))
    }

    let path = folder.file("log.bin")
    try Data(log.bytes).write(to: URL(fileURLWithPath: path))
    let memory = lines(try log.read())
    var file = try LogReader(path: path)
    #expect(lines(try file.readAll()) == memory, "seed \(seed)")

    let handle = try FileHandle(forReadingFrom: URL(fileURLWithPath: path))
    let prefix = try handle.read(upToCount: Int.random(in: 0...20, using: &random)) ?? Data()
    var descriptor = try LogReader(descriptor: handle.fileDescriptor, prefix: Array(prefix))
    #expect(lines(try descriptor.readAll()) == memory, "seed \(seed)")
    #expect(descriptor.damageCount == file.damageCount && file.byteCount == log.bytes.count)
  }

  /// A killed process may hold its lock for a while.
  @Test func aLockThatIsGivenUpIsWaitedFor() throws {
    let path = folder.file("sink")
    try Data().write(to: URL(fileURLWithPath: path))
    let holder = open(path, O_RDWR)
    #expect(flock(holder, LOCK_EX) == 0)
    // Released while the sink waits, or just before.
    Thread.detachNewThread { close(holder) }
    _ = try FileLogSink(resuming: path)
  }

  /// Sinks that write to a file take all bytes of a block, or none.
  @Test func aClosedSinkTakesNothing() throws {
    let path = folder.file("sink")
    let sink = try FileLogSink(path: path)
    try [1, 2, 3].withUnsafeBytes { try sink.write($0) }
    try sink.sync()
    #expect(sink.isInPlace)
    #expect(throws: LogError.inUse(path: path)) { try FileLogSink(resuming: path) }
    try sink.close()
    try sink.close()
    #expect(throws: LogError.closed(path: path)) { try [1].withUnsafeBytes { try sink.write($0) } }
    #expect(throws: LogError.closed(path: path)) { try sink.sync() }
    #expect(throws: LogError.exists(path: path)) { try FileLogSink(path: path) }
    #expect(throws: LogError.notOurs(path: path)) { try FileLogSink(path: path, .replace) }
  }
}
