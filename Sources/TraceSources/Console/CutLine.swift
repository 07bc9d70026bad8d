/// Decides whether the last line of an input was cut: it has no end, and something in it is open.
enum CutLine {
  /// How many bytes show how lines of a form begin.
  static let startLength = 12
  /// What could stand behind a number that was cut.
  static let digit: ArraySlice<UInt8> = [UInt8(ascii: "0")]

  private static let brackets = Array(zip("[({<".utf8, "])}>".utf8))

  /// Whether a message has a bracket that does not close.
  static func isOpen(_ message: ArraySlice<UInt8>) -> Bool {
    brackets.contains { open, close in
      var depth = 0
      for byte in message {
        if byte == open { depth += 1 }
        if byte == close, depth > 0 { depth -= 1 }
      }
      return depth > 0
    }
  }

  /// Whether a line is how a line begins that begins like `start`: a letter where that has a letter, a digit
  /// where it has a digit.
  static func isStart(_ line: ArraySlice<UInt8>, of start: [UInt8]) -> Bool {
    !line.isEmpty && !start.isEmpty
      && zip(line, start).allSatisfy { kind($0) == kind($1) }
  }

  /// A letter, a digit, or the byte itself.
  private static func kind(_ byte: UInt8) -> UInt8 {
    switch byte {
    case 0x30...0x39: UInt8(ascii: "0")
    case 0x41...0x5a, 0x61...0x7a: UInt8(ascii: "a")
    default: byte
    }
  }
}
