import Platform

/// The bytes of a log as a window that moves forward: from a file, a pipe or memory.
///
/// ```
///   read before │ position … │ filled │ free     of one buffer, which grows to the largest block
/// ```
///
/// The buffer belongs to the input; pointers into it hold until the next call.
final class LogInput {
  /// What errors call the input.
  let path: String
  /// The offset in the log of the window's first byte.
  private(set) var offset = 0
  private let descriptor: Int32
  private let ownsDescriptor: Bool
  /// The size when it is known: of a regular file, read from its start, or of memory.
  private(set) var size: Int?
  /// Allocated when it is first filled: an initializer that throws leaves nothing behind.
  private var buffer = UnsafeMutableRawBufferPointer(start: nil, count: 0)
  private static let smallestBuffer = 1 << 18
  private var start = 0
  private var end = 0
  private var memory: [UInt8] = []
  private var memoryPosition = 0
  private var isAtEnd = false

  /// Opens a file, and nothing else: to open a pipe is to wait for its writer.
  init(path: String, followsLink: Bool = true) throws(LogError) {
    self.path = path
    descriptor = try SystemCalls.openFile(path, O_RDONLY | (followsLink ? 0 : O_NOFOLLOW))
    ownsDescriptor = true
    size = SystemCalls.size(descriptor)
  }

  /// Reads `prefix`, which was taken from the descriptor already, and then an open descriptor from
  /// where it stands; the caller closes it.
  init(descriptor: Int32, path: String, prefix: [UInt8] = []) {
    self.path = path
    self.descriptor = descriptor
    ownsDescriptor = false
    makeRoom(for: prefix.count)
    prefix.withUnsafeBytes { buffer.copyMemory(from: $0) }
    end = prefix.count
  }

  init(bytes: [UInt8], path: String) {
    self.path = path
    memory = bytes
    descriptor = -1
    ownsDescriptor = false
    size = bytes.count
  }

  deinit {
    if ownsDescriptor { SystemCalls.closeDescriptor(descriptor) }
    buffer.deallocate()
  }

  /// The byte that stands at a place of the file, or of the memory, by now; `nil` behind its end, and of a pipe.
  func byte(at place: Int) -> UInt8? {
    if descriptor < 0 { return memory.indices.contains(place) ? memory[place] : nil }
    var byte: UInt8 = 0
    let isThere = withUnsafeMutableBytes(of: &byte) {
      size != nil && (try? SystemCalls.readAll(descriptor, at: place, $0, path)) == true
    }
    return isThere ? byte : nil
  }

  /// Whether the file has bytes by now that it did not have when its end was read.
  var hasGrown: Bool {
    guard descriptor >= 0, let size = SystemCalls.size(descriptor) else { return false }
    return isAtEnd && size > offset + (end - start)
  }

  /// The bytes that are in the window now.
  var window: UnsafeRawBufferPointer { UnsafeRawBufferPointer(rebasing: buffer[start..<end]) }

  /// Reads on until the window has `count` bytes; false when the log ends before.
  func fill(_ count: Int) throws(LogError) -> Bool {
    if end - start >= count { return true }
    makeRoom(for: count)
    while end - start < count {
      guard try readSome() else { return false }
    }
    return true
  }

  /// Moves the window's start by `count` bytes, or to the end of the log; returns how far it went.
  func skip(_ count: Int) throws(LogError) -> Int {
    let held = min(count, end - start)
    start += held
    offset += held
    var left = count - held
    guard left > 0 else { return count }

    if let size, descriptor >= 0, !isAtEnd {
      let far = max(0, min(left, size - offset))
      try SystemCalls.seek(descriptor, to: far, path, from: SEEK_CUR)
      offset += far
      left -= far
      if left == 0 { return count }
    }

    while left > 0, try fill(1) {
      let step = min(left, end - start)
      start += step
      offset += step
      left -= step
    }
    return count - left
  }

  private func makeRoom(for count: Int) {
    guard buffer.count - start < count || start == end else { return }
    let held = end - start
    guard buffer.count < count else {
      // There is room once the bytes that were read before are given up.
      buffer.copyMemory(from: UnsafeRawBufferPointer(rebasing: buffer[start..<end]))
      start = 0
      end = held
      return
    }

    // With room for as much again what is held is moved once in so many bytes, however small the steps.
    let larger = UnsafeMutableRawBufferPointer.allocate(
      byteCount: max(2 * count, LogInput.smallestBuffer), alignment: 8)
    larger.copyMemory(from: window)
    buffer.deallocate()
    buffer = larger
    start = 0
    end = held
  }

  private func readSome() throws(LogError) -> Bool {
    guard !isAtEnd, end < buffer.count else { return false }
    let free = UnsafeMutableRawBufferPointer(rebasing: buffer[end...])
    var count = 0
    if descriptor >= 0 {
      count = try SystemCalls.read(descriptor, free, path)
    } else {
      count = min(free.count, memory.count - memoryPosition)
      memory.withUnsafeBytes {
        free.copyMemory(
          from: UnsafeRawBufferPointer(rebasing: $0[memoryPosition..<memoryPosition + count]))
      }
      memoryPosition += count
    }

    isAtEnd = count == 0
    end += count
    return count > 0
  }
}
