/// Text that was made for a terminal, or was torn.
enum TerminalText {
  private static let escape: UInt8 = 0x1b

  /// The fewest zero bytes in a row that are a hole in the file, and nothing that anybody printed.
  private static let holeLength = 64

  /// Whether a line has a hole: a file whose end a machine lost when it went down is filled with zeros.
  static func hasHole(_ line: ArraySlice<UInt8>) -> Bool {
    var length = 0
    return line.contains { byte in
      length = byte == 0 ? length + 1 : 0
      return length >= holeLength
    }
  }

  /// The line without `ESC [ … m` and the like, by which tools colour what they print, and without zero
  /// bytes.
  ///
  /// Cost: a look at each byte; a copy only where there is one of them.
  static func plain(_ line: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    guard line.contains(where: { $0 == escape || $0 == 0 }) else { return line }
    var plain: [UInt8] = []
    plain.reserveCapacity(line.count)
    var index = line.startIndex

    while index < line.endIndex {
      if line[index] == escape, let end = end(ofSequenceAt: index, in: line) {
        index = end
      } else {
        if line[index] != 0 { plain.append(line[index]) }
        index += 1
      }
    }
    return plain[...]
  }

  /// Where a control sequence ends; `nil` when it is none.
  private static func end(ofSequenceAt start: Int, in line: ArraySlice<UInt8>) -> Int? {
    guard line[(start + 1)...].first == "[" else { return nil }
    let end = line[(start + 2)...].drop { (0x20...0x3f).contains($0) }
    return end.first.flatMap { (0x40...0x7e).contains($0) ? end.startIndex + 1 : nil }
  }
}
