import TraceLog
import Traces

/// One way to damage a log.
struct Injury: CustomStringConvertible {
  /// What is done; `place` and `other` say where.
  enum Kind: String, CaseIterable {
    case truncated, flipped, removed, doubled, swapped, foreign, inserted, cut, zeroed, file
  }

  let kind: Kind
  /// Which of the log's files.
  var file = 0
  /// A byte, a bit, a block, or another file.
  var place = 0
  /// The other block; the byte that is inserted; how many bytes are zeroed.
  var other = 0

  var description: String { "\(kind.rawValue) file \(file) at \(place), \(other)" }

  /// Every injury of a log; those of the unused bits of a ring are a sample.
  static func all(of log: SmallLog) -> [Injury] {
    log.files.indices.flatMap { file in
      let file = (file, log.files[file])
      return bytes(file.0, file.1) + (file.1.isRing ? [] : blocks(file.0, file.1))
        + files(file.0, log)
    }
  }

  /// Of the unused bits of a ring, one in so many.
  private static let unusedShare = 97

  private static func bytes(_ index: Int, _ file: SmallLog.File) -> [Injury] {
    let size = file.bytes.count
    var all = (0..<size).map { Injury(kind: .truncated, file: index, place: $0) }
    let isUsed = used(file)
    for bit in 0..<8 * size where isUsed[bit / 8] || bit % unusedShare == 0 {
      all.append(Injury(kind: .flipped, file: index, place: bit))
    }

    for sector in [512, 4096] {
      all += stride(from: 0, to: size, by: sector).map {
        Injury(kind: .zeroed, file: index, place: $0, other: sector)
      }
    }
    return all
  }

  private static func used(_ file: SmallLog.File) -> [Bool] {
    guard file.isRing else { return [Bool](repeating: true, count: file.bytes.count) }
    var used = [Bool](repeating: false, count: file.bytes.count)
    for range in file.used { for byte in range { used[byte] = true } }
    return used
  }

  private static func blocks(_ index: Int, _ file: SmallLog.File) -> [Injury] {
    var all: [Injury] = []
    func add(_ kind: Kind, _ place: Int, _ other: Int = 0) {
      all.append(Injury(kind: kind, file: index, place: place, other: other))
    }

    for block in 0..<file.blockCount {
      add(.removed, block)
      for other in 0..<file.blockCount {
        add(.doubled, block, other)
        add(.foreign, block, other)
        if other > block { add(.swapped, block, other) }
      }
    }
    for border in file.borders {
      for byte in [0, Int(LogFormat.marker[0]), 0xFF] { add(.inserted, border, byte) }
      if border < file.bytes.count { add(.cut, border) }
      if border > 0 { add(.cut, border - 1) }
    }
    return all
  }

  /// The file is not there, is that of another log, or is another one of the log; in the place of its own
  /// file another log is no damage.
  private static func files(_ index: Int, _ log: SmallLog) -> [Injury] {
    (-2..<log.files.count).filter { $0 != index && (index > 0 || $0 != -1) }
      .map { Injury(kind: .file, file: index, place: $0) }
  }

  // MARK: What becomes of the files

  /// The files of a log that was injured, `nil` for one that is gone.
  func files(of log: SmallLog, with foreign: SmallLog) -> [[UInt8]?] {
    var files: [[UInt8]?] = log.files.map(\.bytes)

    if kind == .file {
      switch place {
      case -2: files[file] = nil
      case -1:
        let others = foreign.files.filter { $0.isRing == log.files[file].isRing }
        files[file] = others.isEmpty ? nil : others[0].bytes
      default: files[file] = log.files[place].bytes
      }
    } else {
      files[file] = bytes(of: log.files[file], foreign.files[0])
    }
    return files
  }

  private func bytes(of file: SmallLog.File, _ foreign: SmallLog.File) -> [UInt8] {
    var bytes = file.bytes

    switch kind {
    case .truncated: bytes.removeLast(bytes.count - place)
    case .flipped: bytes[place / 8] ^= 1 << UInt8(place % 8)
    case .inserted: bytes.insert(UInt8(other), at: place)
    case .cut: bytes.remove(at: place)
    case .zeroed:
      for byte in place..<min(place + other, bytes.count) { bytes[byte] = 0 }
    case .removed, .doubled, .swapped, .foreign, .file: return blocks(of: file, foreign)
    }
    return bytes
  }

  private func blocks(of file: SmallLog.File, _ foreign: SmallLog.File) -> [UInt8] {
    var blocks = (0..<file.blockCount).map { file.block($0) }
    switch kind {
    case .removed: blocks.remove(at: place)
    case .doubled: blocks.insert(blocks[place], at: other)
    case .swapped: blocks.swapAt(place, other)
    default:
      guard foreign.blockCount > 0 else { break }
      blocks[place] = foreign.block(other % foreign.blockCount)
    }
    return Array(file.bytes[..<file.borders[0]]) + blocks.flatMap { $0 }
  }
}
