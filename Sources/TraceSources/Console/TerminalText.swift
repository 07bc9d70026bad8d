/// Text that was made for a terminal.
enum TerminalText {
  private static let escape: UInt8 = 0x1b

  /// The line without `ESC [ … m` and the like, by which tools colour what they print.
  ///
  /// Cost: a look at each byte; a copy only where there is an escape.
  static func withoutEscapes(_ line: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    guard line.contains(escape) else { return line }
    var plain: [UInt8] = []
    plain.reserveCapacity(line.count)
    var index = line.startIndex

    while index < line.endIndex {
      if line[index] == escape, let end = end(ofSequenceAt: index, in: line) {
        index = end
      } else {
        plain.append(line[index])
        index += 1
      }
    }
    return plain[...]
  }

  /// Where a control sequence ends; `nil` when it is none.
  private static func end(ofSequenceAt start: Int, in line: ArraySlice<UInt8>) -> Int? {
    var index = start + 1
    guard index < line.endIndex, line[index] == UInt8(ascii: "[") else { return nil }
    index += 1
    while index < line.endIndex, (0x20...0x3f).contains(line[index]) { index += 1 }
    guard index < line.endIndex, (0x40...0x7e).contains(line[index]) else { return nil }
    return index + 1
  }
}
