/// Reads JSON as people post it: cut off at either end, without its outer braces, with other text
/// around and between.
///
/// A path is the keys from the outermost object on, joined by `/`; arrays add nothing to it, so that all
/// elements of `"threads":[{"id":1}]` have the path `threads`, and their numbers `threads/id`. The
/// outermost object has the empty path, whether it has braces or not. What cannot be read is passed over.
/// Memory: one outermost object, at most ``mostBytes`` of it; no text is an error.
struct LooseJSON {
  /// The most bytes of a text that are kept.
  static let longestText = 1 << 16
  /// The most bytes that are kept of an outermost object.
  private static let mostBytes = 1 << 26
  /// What lies deeper is passed over.
  private static let maximumDepth = 32

  private struct Frame {
    var path: String
    /// The key under which it stands.
    var name = ""
    var isObject = true
    var key: String?
    /// The last string that may become a key.
    var pending: String?
    var content = JSONObject()
    /// How many bytes were kept before it.
    var keptBefore = 0
  }

  /// What is between two bytes.
  private enum Mode {
    case between, string, escape, word
    /// In the digits of `\u`, with those that were read.
    case unit(digits: Int, value: UInt16)
  }

  private var frames = [Frame(path: "")]
  /// How many bytes of the outermost object are kept.
  private var kept = 0
  /// Whether an outermost object was longer than is kept.
  private(set) var isCut = false
  /// How many objects and arrays are open of what nobody wants.
  private var skipped = 0
  private var mode = Mode.between
  private var text: [UInt8] = []
  /// UTF-16 units from `\u` that are not a character yet: the first half of a surrogate pair.
  private var units: [UInt16] = []

  /// Takes the next bytes; the chunks make no difference.
  mutating func take(_ bytes: ArraySlice<UInt8>, _ taker: inout some JSONTaker) {
    for byte in bytes { take(byte, &taker) }
  }

  /// Ends the text: a value that was cut off is dropped.
  mutating func finish(_ taker: inout some JSONTaker) {
    if case .word = mode, skipped == 0 { endWord() }
    while frames.count > 1 { close(&taker) }
    handOutRest(to: &taker)
  }

  private mutating func take(_ byte: UInt8, _ taker: inout some JSONTaker) {
    switch mode {
    case .between: begin(byte, &taker)
    case .word:
      guard Self.isDelimiter(byte) else { return append(byte) }
      endWord()
      begin(byte, &taker)
    case .string:
      switch byte {
      case "\\": mode = .escape
      // No string goes on in the next line: what follows is not taken for a part of it.
      case "\"", "\n": endString()
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

  private mutating func begin(_ byte: UInt8, _ taker: inout some JSONTaker) {
    switch byte {
    case 0...0x20: break
    case "\"":
      mode = .string
      text.removeAll(keepingCapacity: true)
    case "{": open(isObject: true, &taker)
    case "[": open(isObject: false, &taker)
    case "}": close(isObject: true, &taker)
    case "]": close(isObject: false, &taker)
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

  private mutating func open(isObject: Bool, _ taker: inout some JSONTaker) {
    // An object without a key is an element of a list whose beginning was cut out: what stands above it has ended.
    if isObject, skipped == 0, frames.count == 2, frames[1].isObject, frames[1].key == nil {
      close(&taker)
    }
    guard skipped == 0, let (path, key) = takePath(), frames.count < Self.maximumDepth else {
      return skipped += 1
    }
    let last = frames[frames.count - 1]
    let count = isObject && !last.isObject ? last.content.members.count : 0
    guard path.isEmpty || count < taker.most(at: path) else { return skipped += 1 }
    if isObject, frames.count == 1, path.isEmpty { handOutRest(to: &taker) }
    frames.append(Frame(path: path, name: key, isObject: isObject, keptBefore: kept))
  }

  private mutating func close(isObject: Bool, _ taker: inout some JSONTaker) {
    if skipped > 0 { return skipped -= 1 }
    // What lies in it and has no end of its own ends with it.
    guard let last = frames.lastIndex(where: { $0.isObject == isObject }), last > 0 else { return }
    while frames.count > last { close(&taker) }
  }

  private mutating func close(_ taker: inout some JSONTaker) {
    let frame = frames.removeLast()
    let last = frames.count - 1
    if !frame.isObject {
      frames[last].content.members += frame.content.members
    } else if frame.path.isEmpty, !frames.dropFirst().contains(where: \.isObject) {
      taker.take(frame.content, isWhole: true)
      kept = frame.keptBefore
    } else {
      keep(.object(frame.content), frame.name)
    }
  }

  /// Hands out what stands in no braces.
  private mutating func handOutRest(to taker: inout some JSONTaker) {
    if frames[0].content.members.isEmpty { return }
    taker.take(frames[0].content, isWhole: false)
    frames[0].content = JSONObject()
    kept = 0
  }

  /// The path of the value that begins, and its key; `nil` where an object has no key for it.
  private mutating func takePath() -> (path: String, key: String)? {
    let last = frames.count - 1
    guard frames[last].isObject else { return (frames[last].path, frames[last].name) }
    frames[last].pending = nil
    guard let key = frames[last].key else { return last == 0 ? ("", "") : nil }
    frames[last].key = nil
    return (frames[last].path.isEmpty ? key : frames[last].path + "/" + key, key)
  }

  // MARK: Values

  private mutating func endWord() {
    mode = .between
    guard skipped == 0, frames[frames.count - 1].key != nil || !frames[frames.count - 1].isObject
    else { return }
    guard let (_, key) = takePath(), Self.isLiteral(text) else { return }
    keep(.text(text[...].text), key)
  }

  private mutating func keep(_ member: JSONObject.Member, _ key: String) {
    // A member takes some memory of its own.
    kept += 64
    if case .text = member { kept += text.count }
    guard kept <= Self.mostBytes else { return isCut = true }
    frames[frames.count - 1].content.members.append((key, member))
  }

  private static func isLiteral(_ text: [UInt8]) -> Bool {
    guard let first = text.first else { return false }
    return first == "-" || first.isDigit
      || text.elementsEqual("true".utf8) || text.elementsEqual("false".utf8)
  }

  private mutating func endString() {
    mode = .between
    if skipped > 0 { return }
    if !units.isEmpty { endUnits() }
    let last = frames.count - 1
    if frames[last].isObject && frames[last].key == nil {
      frames[last].pending = text[...].text
    } else if let (_, key) = takePath() {
      keep(.text(text[...].text), key)
    }
  }

  private mutating func append(_ byte: UInt8) {
    if skipped > 0 || text.count >= Self.longestText { return }
    if !units.isEmpty { endUnits() }
    text.append(byte)
  }

  /// Appends the character that units write; half a one is U+FFFD.
  private mutating func endUnits() {
    text.append(contentsOf: String(decoding: units, as: UTF16.self).utf8)
    units = []
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

  private mutating func takeUnit(_ byte: UInt8, _ digits: Int, _ value: UInt16) {
    mode = .string
    // It was no escape.
    guard let digit = Character(Unicode.Scalar(byte)).hexDigitValue else { return }

    let value = value << 4 | UInt16(digit)
    if digits < 3 {
      mode = .unit(digits: digits + 1, value: value)
    } else if skipped == 0, text.count < Self.longestText {
      if !units.isEmpty, !UTF16.isTrailSurrogate(value) { endUnits() }
      units.append(value)
      if !UTF16.isLeadSurrogate(value) { endUnits() }
    }
  }
}
