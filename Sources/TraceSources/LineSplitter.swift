import LifecycleModel

/// Turns chunks of bytes into lines, whatever the chunks.
///
/// A line ends with LF or CR LF, the last one also with the input. A byte order mark at the start
/// is dropped. Memory: one chunk and one line. A class, so that its owner can change while it hands out a line.
final class LineSplitter {
  /// The bytes of a line without its end; `nil` for one that is longer than `maximumLength`.
  typealias Line = ArraySlice<UInt8>?

  /// Longer lines are not kept: no tool prints them, so the input is not text.
  static let maximumLength = 1 << 20

  /// How many lines were handed out.
  private(set) var count = 0
  /// The numbers of the first lines, where they were taken out of a longer text.
  private let numbers: [Int]
  private var rest: [UInt8] = []
  /// Whether the line that is being read is longer than `maximumLength` already.
  private(set) var isOverlong = false

  /// Makes a splitter; `numbers` are those of the first lines, where they are not 1, 2, 3 …; the lines behind
  /// these go on from the last.
  init(numbers: [Int] = []) { self.numbers = numbers }

  /// The number of the line that is handed out.
  private var number: Int {
    count <= numbers.count ? numbers[count - 1] : (numbers.last ?? 0) + count - numbers.count
  }

  /// Takes a chunk and hands out the lines that end in it.
  func take(_ chunk: ArraySlice<UInt8>, _ body: (Int, Line) throws -> Void) rethrows {
    var start = chunk.startIndex
    while let end = Self.lineEnd(in: chunk, from: start) {
      let piece = chunk[start..<end]
      start = end + 1
      if rest.isEmpty && !isOverlong && piece.count <= Self.maximumLength {
        count += 1
        try body(number, trimmed(piece))
      } else {
        keep(piece)
        try handOut(body)
      }
    }
    keep(chunk[start...])
  }

  private static func lineEnd(in chunk: ArraySlice<UInt8>, from start: Int) -> Int? {
    let first = chunk.startIndex
    return chunk.withUnsafeBufferPointer { bytes in
      bytes.index(of: 0x0a, from: start - first).map { $0 + first }
    }
  }

  /// Hands out a last line that has no end.
  func finish(_ body: (Int, Line) throws -> Void) rethrows {
    if !rest.isEmpty || isOverlong { try handOut(body) }
  }

  /// Forgets a line whose end has not come.
  func forgetUnfinishedLine() {
    rest = []
    isOverlong = false
  }

  private func keep(_ piece: ArraySlice<UInt8>) {
    // One byte more than the limit, so that a CR before the LF does not count.
    if piece.count > Self.maximumLength + 1 - rest.count { isOverlong = true }
    if isOverlong { rest = [] } else { rest.append(contentsOf: piece) }
  }

  private func handOut(_ body: (Int, Line) throws -> Void) rethrows {
    count += 1
    let text = trimmed(rest[...])
    let isWhole = !isOverlong && text.count <= Self.maximumLength
    forgetUnfinishedLine()
    try body(number, isWhole ? text : nil)
  }

  private func trimmed(_ line: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    var line = line
    if line.last == 0x0d { line.removeLast() }
    if count == 1, line.starts(with: [0xef, 0xbb, 0xbf]) { line = line.dropFirst(3) }
    return line
  }
}
