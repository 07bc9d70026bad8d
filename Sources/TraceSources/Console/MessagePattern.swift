/// The shape of a text, such as `^Bootstrapping *with intent {intent:word}`.
///
/// `^` stands for the start of a message, `|` for the start of any of its lines, within which the
/// pattern then stays; else the first words may stand anywhere. `*` passes over text up to the words
/// that follow. `{name}` takes the text up to the words that follow, `{name:int}` digits,
/// `{name:word}` what is no blank, `{name:letters}` letters, `{name:id}` an identifier. What stands
/// in `[[…]]` may be missing. `\` takes a mark its meaning.
final class MessagePattern: Sendable {
  /// Where the first words stand.
  enum Place { case start, line, anywhere }
  private enum Kind: String { case text, int, word, letters, id }
  private enum Step {
    case words([UInt8])
    case skip
    case take(Int, Kind)
    case option([Step])
  }

  let place: Place
  /// The words that the pattern begins with.
  let anchor: [UInt8]
  private let steps: [Step]
  private let names: [String]

  init(_ source: String) {
    var rest = Array(source.utf8)[...]
    place = ["^": .start, "|": .line][source.prefix(1)] ?? .anywhere
    if place != .anywhere { rest.removeFirst() }

    var names: [String] = []
    var steps = Self.steps(&rest, &names)
    if case .words(let words)? = steps.first {
      anchor = words
      steps.removeFirst()
    } else {
      anchor = []
    }
    (self.steps, self.names) = (steps, names)
  }

  /// Reads the steps up to the end of the source, or of the option that was begun.
  private static func steps(_ rest: inout ArraySlice<UInt8>, _ names: inout [String]) -> [Step] {
    var steps: [Step] = []
    var words: [UInt8] = []
    func endWords() {
      if !words.isEmpty { steps.append(.words(words)) }
      words = []
    }

    while let byte = rest.popFirst() {
      let isDouble = rest.first == byte
      switch byte {
      case "\\": words.append(rest.popFirst() ?? byte)
      case "*":
        endWords()
        steps.append(.skip)
      case "{":
        endWords()
        let parts = rest.prefix { $0 != "}" }.split(separator: ":")
        rest = rest.drop { $0 != "}" }.dropFirst()
        steps.append(
          .take(names.count, parts.dropFirst().first.flatMap { Kind(rawValue: $0.text) } ?? .text))
        names.append(parts[0].text)
      case "[" where isDouble:
        endWords()
        rest.removeFirst()
        steps.append(.option(Self.steps(&rest, &names)))
      case "]" where isDouble:
        rest.removeFirst()
        endWords()
        return steps
      default: words.append(byte)
      }
    }
    endWords()
    return steps
  }

  /// What the pattern takes of a text in which its first words stand at the start, or anywhere.
  func read(_ text: ArraySlice<UInt8>) -> Said? {
    if place != .anywhere { return read(text, of: text) }
    return text.firstRange(of: anchor).flatMap { read(text[$0.lowerBound...], of: text) }
  }

  /// What the pattern takes of the end of a text that its first words begin; `nil` when that has
  /// another shape.
  func read(_ end: ArraySlice<UInt8>, of text: ArraySlice<UInt8>) -> Said? {
    guard let rest = end.dropping(prefix: anchor) else { return nil }
    var taken = [ArraySlice<UInt8>?](repeating: nil, count: names.count)
    var left = place == .line ? rest.line : rest
    guard Self.match(steps[...], &left, &taken) else { return nil }
    return Said(message: text, start: end.startIndex, rest: rest, names: names, taken: taken)
  }

  private static func match(
    _ steps: ArraySlice<Step>, _ rest: inout ArraySlice<UInt8>, _ taken: inout [ArraySlice<UInt8>?]
  ) -> Bool {
    for index in steps.indices {
      switch steps[index] {
      case .words(let words):
        guard let behind = rest.dropping(prefix: words) else { return false }
        rest = behind
      case .skip:
        guard let end = end(steps[(index + 1)...], rest) else { return false }
        rest = rest[end...]
      case .take(let place, .text):
        guard let end = end(steps[(index + 1)...], rest) else { return false }
        (taken[place], rest) = (rest[..<end], rest[end...])
      case .take(let place, let kind):
        let part = rest.prefix { isPart($0, of: kind) }
        if part.isEmpty, kind == .int || kind == .id { return false }
        (taken[place], rest) = (part, rest[part.endIndex...])
      case .option(let steps):
        var (behind, more) = (rest, taken)
        if match(steps[...], &behind, &more) { (rest, taken) = (behind, more) }
      }
    }
    return true
  }

  private static func isPart(_ byte: UInt8, of kind: Kind) -> Bool {
    switch kind {
    case .int: byte.isDigit
    case .letters: byte.isLetter
    case .id: byte.isOfIdentifier
    case .word, .text: byte > 0x20
    }
  }

  /// Where what follows begins; `nil` when it stands nowhere.
  private static func end(_ next: ArraySlice<Step>, _ rest: ArraySlice<UInt8>) -> Int? {
    switch next.first {
    case .words(let words): rest.firstRange(of: words)?.lowerBound
    case .option(let steps): end(steps[...], rest) ?? rest.endIndex
    default: rest.endIndex
    }
  }
}

/// What a text says, by the names of its pattern.
@dynamicMemberLookup
struct Said {
  /// The whole text, and what stands behind the pattern's first words.
  let message: ArraySlice<UInt8>
  fileprivate let start: Int
  let rest: ArraySlice<UInt8>
  fileprivate let names: [String]
  fileprivate let taken: [ArraySlice<UInt8>?]

  subscript(dynamicMember name: String) -> ArraySlice<UInt8>? {
    names.firstIndex(of: name).flatMap { taken[$0] }
  }

  /// What was taken as a decimal number.
  func number(_ name: String) -> UInt64? { self[dynamicMember: name].flatMap { UInt64($0.text) } }

  /// What was taken as text; empty when nothing was.
  func text(_ name: String) -> String {
    self[dynamicMember: name]?.prefix(MessageRules.longestName).text ?? ""
  }

  /// What stands before the pattern's first words.
  var before: ArraySlice<UInt8> { message[..<start] }

  /// The line in which the pattern's first words stand.
  var line: ArraySlice<UInt8> {
    message[(before.lastIndex(of: 0x0a).map { $0 + 1 } ?? message.startIndex)...].line
  }

  /// The same as text.
  var wordsOfLine: String { line.prefix(MessageRules.longestName).text }

  /// The first line of the message, without the bracket that names the process.
  var words: String {
    let bare = message.first == "[" ? message.behind("] ") : nil
    return (bare ?? message).line.prefix(MessageRules.longestName).text
  }
}
