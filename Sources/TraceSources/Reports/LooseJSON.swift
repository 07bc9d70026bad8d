/// Takes the values that ``LooseJSON`` finds.
protocol LooseJSONHandler {
  /// An object or an array begins; whether what is in it is wanted.
  mutating func begin(_ path: String, isObject: Bool) -> Bool
  /// An object or an array ends that was wanted.
  mutating func end(_ path: String, isObject: Bool)
  /// A string, a number or a literal.
  mutating func value(_ path: String, _ text: String)
}

/// Reads JSON as people post it: cut off at either end, without its outer braces, with other text
/// around and between.
///
/// A path is the keys from the outermost object on, joined by `/`; arrays add nothing to it, so that all
/// elements of `"threads":[{"id":1}]` have the path `threads`, and their numbers `threads/id`. The
/// outermost object has the empty path, whether it has braces or not. What cannot be read is passed over.
/// Memory does not depend on the length of the text, and no text is an error.
struct LooseJSON {
  /// The most bytes of a text that are kept.
  static let longestText = 1 << 16
  /// What lies deeper is passed over.
  private static let maximumDepth = 32

  private struct Frame {
    var path: String
    var isObject: Bool
    var key: String?
    /// The last string that may become a key.
    var pending: String?
  }

  /// What is between two bytes.
  private enum Mode {
    case between, string, escape, word
    /// In the digits of `\u`, with those that were read.
    case unit(digits: Int, value: UInt32)
  }

  private var frames = [Frame(path: "", isObject: true)]
  /// How many objects and arrays are open of what nobody wants.
  private var skipped = 0
  private var mode = Mode.between
  private var text: [UInt8] = []
  /// The first half of a character that takes two units.
  private var surrogate: UInt32?

  /// Takes the next bytes; the chunks make no difference.
  mutating func take(_ bytes: ArraySlice<UInt8>, _ handler: inout some LooseJSONHandler) {
    for byte in bytes { take(byte, &handler) }
  }

  /// Ends the text: a value that was cut off is dropped.
  mutating func finish(_ handler: inout some LooseJSONHandler) {
    if case .word = mode, skipped == 0 { endWord(&handler) }
    while frames.count > 1 { close(&handler) }
    self = LooseJSON()
  }

  private mutating func take(_ byte: UInt8, _ handler: inout some LooseJSONHandler) {
    switch mode {
    case .between: begin(byte, &handler)
    case .word:
      guard Self.isDelimiter(byte) else { return append(byte) }
      endWord(&handler)
      begin(byte, &handler)
    case .string:
      switch byte {
      case "\\": mode = .escape
      // No string goes on in the next line: what follows is not taken for a part of it.
      case "\"", "\n": endString(&handler)
      default: append(byte)
      }
    case .escape: takeEscape(byte)
    case .unit(let digits, let value): takeUnit(byte, digits, value)
    }
  }

  private static func isDelimiter(_ byte: UInt8) -> Bool {
    switch byte {
    case 0...0x20, ",", ":", "\"", "{", "}", "[", "]": true
    default: false
    }
  }

  // MARK: Objects and arrays

  private mutating func begin(_ byte: UInt8, _ handler: inout some LooseJSONHandler) {
    switch byte {
    case 0...0x20: break
    case "\"":
      mode = .string
      text.removeAll(keepingCapacity: true)
    case "{": open(isObject: true, &handler)
    case "[": open(isObject: false, &handler)
    case "}": close(isObject: true, &handler)
    case "]": close(isObject: false, &handler)
    case ":":
      if skipped > 0 { break }
      frames[frames.count - 1].key = frames[frames.count - 1].pending
      frames[frames.count - 1].pending = nil
    case ",":
      if skipped > 0 { break }
      frames[frames.count - 1].key = nil
      frames[frames.count - 1].pending = nil
    default:
      mode = .word
      text.removeAll(keepingCapacity: true)
      append(byte)
    }
  }

  private mutating func open(isObject: Bool, _ handler: inout some LooseJSONHandler) {
    guard skipped == 0, let path = takePath(), frames.count < Self.maximumDepth,
      handler.begin(path, isObject: isObject)
    else {
      skipped += 1
      return
    }
    frames.append(Frame(path: path, isObject: isObject))
  }

  private mutating func close(isObject: Bool, _ handler: inout some LooseJSONHandler) {
    if skipped > 0 {
      skipped -= 1
      return
    }
    // What lies in it and has no end of its own ends with it.
    guard let last = frames.lastIndex(where: { $0.isObject == isObject }), last > 0 else { return }
    while frames.count > last { close(&handler) }
  }

  private mutating func close(_ handler: inout some LooseJSONHandler) {
    let frame = frames.removeLast()
    handler.end(frame.path, isObject: frame.isObject)
  }

  /// The path of the value that begins; `nil` where an object has no key for it.
  private mutating func takePath() -> String? {
    let last = frames.count - 1
    guard frames[last].isObject else { return frames[last].path }
    frames[last].pending = nil
    guard let key = frames[last].key else { return last == 0 ? "" : nil }
    frames[last].key = nil
    return frames[last].path.isEmpty ? key : frames[last].path + "/" + key
  }

  // MARK: Values

  private mutating func endWord(_ handler: inout some LooseJSONHandler) {
    mode = .between
    guard skipped == 0, frames[frames.count - 1].key != nil || !frames[frames.count - 1].isObject
    else { return }
    guard let path = takePath(), Self.isLiteral(text) else { return }
    handler.value(path, text[...].text)
  }

  private static func isLiteral(_ text: [UInt8]) -> Bool {
    guard let first = text.first else { return false }
    return first == "-" || first.isDigit
      || text.elementsEqual("true".utf8) || text.elementsEqual("false".utf8)
  }

  private mutating func endString(_ handler: inout some LooseJSONHandler) {
    mode = .between
    if skipped > 0 { return }
    flushSurrogate()
    let last = frames.count - 1
    if frames[last].isObject && frames[last].key == nil {
      frames[last].pending = text[...].text
    } else if let path = takePath() {
      handler.value(path, text[...].text)
    }
  }

  private mutating func append(_ byte: UInt8) {
    if skipped > 0 || text.count >= Self.longestText { return }
    flushSurrogate()
    text.append(byte)
  }

  private mutating func flushSurrogate() {
    guard surrogate != nil else { return }
    surrogate = nil
    text.append(contentsOf: "\u{fffd}".utf8)
  }

  private mutating func takeEscape(_ byte: UInt8) {
    mode = .string
    switch byte {
    case "n": append(0x0a)
    case "r": append(0x0d)
    case "t": append(0x09)
    case "b": append(0x08)
    case "f": append(0x0c)
    case "u": mode = .unit(digits: 0, value: 0)
    default: append(byte)
    }
  }

  private mutating func takeUnit(_ byte: UInt8, _ digits: Int, _ value: UInt32) {
    guard let digit = Character(Unicode.Scalar(byte)).hexDigitValue else {
      // It was no escape.
      mode = .string
      return
    }

    let value = value << 4 | UInt32(digit)
    if digits < 3 {
      mode = .unit(digits: digits + 1, value: value)
      return
    }

    mode = .string
    if let first = surrogate, (0xdc00...0xdfff).contains(value) {
      surrogate = nil
      append(scalar: 0x10000 + (first - 0xd800) << 10 + (value - 0xdc00))
    } else if (0xd800..<0xdc00).contains(value) {
      flushSurrogate()
      surrogate = value
    } else {
      append(scalar: value)
    }
  }

  private mutating func append(scalar value: UInt32) {
    let character = Character(Unicode.Scalar(value) ?? "\u{fffd}")
    for byte in String(character).utf8 { append(byte) }
  }
}
