import TraceLog
import Traces

/// A file of a simulated disk: what processes see of it, and what a power loss leaves.
final class SimulatedFile {
  /// What was done to the file and has not reached the disk for sure.
  private enum Change {
    case write(offset: Int, bytes: [UInt8])
    case resize(Int)

    /// The bytes that are written.
    var range: Range<Int>? {
      guard case .write(let offset, let bytes) = self else { return nil }
      return offset..<offset + bytes.count
    }

    /// What is left of a write when these bytes are written anew.
    func rest(outside anew: Range<Int>) -> [Change] {
      guard case .write(let offset, let bytes) = self else { return [] }
      let before = bytes.prefix(max(0, anew.lowerBound - offset))
      let behind = bytes.suffix(max(0, offset + bytes.count - anew.upperBound))
      return [
        .write(offset: offset, bytes: Array(before)),
        .write(offset: offset + bytes.count - behind.count, bytes: Array(behind)),
      ].filter { $0.range?.isEmpty == false }
    }
  }

  static let page = 4096

  let number: UInt64
  let isFolder: Bool
  /// What processes see.
  private(set) var bytes: [UInt8] = []
  var mode: UInt32
  var modified: Int64 = 0
  /// The descriptor that has the lock.
  var lockedBy: Int32?
  /// The file's memory, while it is mapped.
  private(set) var mapping: UnsafeMutableRawPointer?
  private var durable: [UInt8] = []
  private var changes: [Change] = []
  /// The changes that a sync failed for: no later sync brings them to the disk.
  private var forgotten: [Change] = []

  init(number: UInt64, mode: UInt32, isFolder: Bool = false) {
    (self.number, self.mode, self.isFolder) = (number, mode, isFolder)
  }

  var size: Int { bytes.count }

  func write(_ new: UnsafeRawBufferPointer, at offset: Int) {
    let end = offset + new.count
    if end > bytes.count { bytes += [UInt8](repeating: 0, count: end - bytes.count) }
    bytes.withUnsafeMutableBytes {
      UnsafeMutableRawBufferPointer(rebasing: $0[offset..<end]).copyMemory(from: new)
    }
    changes.append(.write(offset: offset, bytes: Array(new)))
  }

  func resize(to size: Int) {
    SimulatedFile.resize(&bytes, size)
    changes.append(.resize(size))
  }

  private static func resize(_ bytes: inout [UInt8], _ size: Int) {
    if size < bytes.count {
      bytes.removeLast(bytes.count - size)
    } else {
      bytes += [UInt8](repeating: 0, count: size - bytes.count)
    }
  }

  /// What is read: a mapped file's memory is the file.
  func withContents<Result>(_ body: (UnsafeRawBufferPointer) -> Result) -> Result {
    if let mapping { return body(UnsafeRawBufferPointer(start: mapping, count: bytes.count)) }
    return bytes.withUnsafeBytes(body)
  }

  /// Copies up to so many bytes from a place into `target`; returns how many there are.
  func read(at offset: Int, _ target: UnsafeMutableRawBufferPointer, _ count: Int) -> Int {
    withContents { contents in
      let range = min(offset, contents.count)..<min(offset + count, contents.count)
      target.copyMemory(from: UnsafeRawBufferPointer(rebasing: contents[range]))
      return range.count
    }
  }

  // MARK: The disk

  /// Brings all changes to the disk.
  func sync() {
    takeMapping()
    for change in changes { SimulatedFile.apply(change, to: &durable) }
    // What was forgotten and written again has come to the disk by now.
    let starts = changes.compactMap(\.range?.lowerBound)
    let ends = changes.compactMap(\.range?.upperBound)
    let written = (starts.min() ?? 0)..<max(starts.min() ?? 0, ends.max() ?? 0)
    forgotten = forgotten.flatMap { $0.rest(outside: written) }
    changes = []
  }

  /// A sync that failed: the system forgets that these changes are not on the disk.
  func forgetChanges() {
    takeMapping()
    forgotten += changes
    changes = []
  }

  /// The process wrote what it had written again.
  func rememberChanges() {
    changes = forgotten + changes
    forgotten = []
  }

  /// What the disk has after a power loss: of each sector the content behind some number of its changes.
  func loseUnsynced(sector: Int, using random: inout SeededGenerator) {
    takeMapping()
    let all = forgotten + changes
    let style = Int.random(in: 0..<4, using: &random)
    let count = { (random: inout SeededGenerator) -> Int in
      switch style {
      case 0: 0
      case 1: all.count
      default: Int.random(in: 0...all.count, using: &random)
      }
    }

    let size = all.prefix(count(&random)).reduce(durable.count) { size, change in
      switch change {
      case .write(let offset, let bytes): max(size, offset + bytes.count)
      case .resize(let size): size
      }
    }
    var left = durable
    SimulatedFile.resize(&left, max(size, durable.count))

    // A prefix of the changes for all sectors, or another one for each.
    let shared = style == 2 ? count(&random) : nil
    for start in stride(from: 0, to: left.count, by: sector) {
      let end = min(start + sector, left.count)
      for change in all.prefix(shared ?? count(&random)) {
        SimulatedFile.apply(change, to: &left, in: start..<end)
      }
    }

    SimulatedFile.resize(&left, size)
    (bytes, durable, changes, forgotten) = (left, left, [], [])
  }

  private static func apply(_ change: Change, to bytes: inout [UInt8]) {
    switch change {
    case .write(let offset, let new):
      if offset + new.count > bytes.count { resize(&bytes, offset + new.count) }
      bytes.replaceSubrange(offset..<offset + new.count, with: new)
    case .resize(let size): resize(&bytes, size)
    }
  }

  /// Applies what a change does to a range of bytes.
  private static func apply(_ change: Change, to bytes: inout [UInt8], in range: Range<Int>) {
    switch change {
    case .write(let offset, let new):
      let own = (offset..<offset + new.count).clamped(to: range)
      for place in own { bytes[place] = new[place - offset] }
    case .resize(let size):
      for place in range where place >= size { bytes[place] = 0 }
    }
  }

  // MARK: Memory

  /// Maps the file: from now on its memory is what processes see.
  func map() -> UnsafeMutableRawPointer {
    if let mapping { return mapping }
    let memory = UnsafeMutableRawPointer.allocate(byteCount: bytes.count, alignment: 4096)
    bytes.withUnsafeBytes {
      UnsafeMutableRawBufferPointer(start: memory, count: $0.count).copyMemory(from: $0)
    }
    mapping = memory
    return memory
  }

  /// Takes what was written into memory as changes of the file, a page each.
  func takeMapping() {
    guard let mapping else { return }
    for start in stride(from: 0, to: bytes.count, by: SimulatedFile.page) {
      let end = min(start + SimulatedFile.page, bytes.count)
      let memory = UnsafeRawBufferPointer(start: mapping + start, count: end - start)
      let isSame = bytes.withUnsafeBytes {
        memory.elementsEqual(UnsafeRawBufferPointer(rebasing: $0[start..<end]))
      }
      if !isSame { write(memory, at: start) }
    }
  }

  /// The process is gone: what it wrote into memory stays in the file, what it writes there now does not.
  func unmap() {
    takeMapping()
    (mapping, lockedBy) = (nil, nil)
  }
}
