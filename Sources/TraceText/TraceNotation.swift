import LifecycleModel

/// The text form of a trace that people read and write; the article `Events`, §6.
///
/// `parse(print(trace)) == trace` for every trace whose events are ordered and numbered as
/// `Trace/orderAndNumber()` does it.
///
/// ```swift
/// import LifecycleModel
/// import TraceText
///
/// let trace = try TraceNotation.parse(
///   """
///   0s - profile mode=scene hooks=scene-delegate,work
///   1s main call sceneDidBecomeActive scene:1
///   2s main work timer scene:1 "autosave"
///   """)
/// print(trace.events.count)
/// ```
public enum TraceNotation {
  /// Prints a whole trace, one event a line.
  public static func print(_ trace: Trace) -> String {
    let printer = Printer(vocabulary: trace.vocabulary)
    var bytes: [UInt8] = []
    for event in trace.events { printer.append(event, to: &bytes) }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// Parses a whole trace; orders its events by instant and numbers them per writer.
  ///
  /// Throws a ``SyntaxError`` with line and column at the first line that cannot be read.
  public static func parse(_ text: String) throws -> Trace {
    let vocabulary = Vocabulary()
    let parser = Parser(vocabulary: vocabulary)
    return try Trace(lines: text, in: vocabulary) { line throws(SyntaxError) in
      try parser.event(line: line)
    }
  }

  /// Whether `byte` may stand in a word.
  static func isWordByte(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      // "+", ",", "-", ".", "/", the digits and ":" stand in a row.
      UInt8(ascii: "+")...UInt8(ascii: ":"), UInt8(ascii: ">"), UInt8(ascii: "_"):
      true
    default: false
    }
  }

  /// Whether `text` can be written as a word, without quotation marks.
  package static func isWord(_ text: String) -> Bool {
    !text.isEmpty && text.utf8.allSatisfy(isWordByte)
  }

  /// Reads an integer: decimal, or hexadecimal with `0x`; negative with `-`.
  static func integer(_ text: String) -> Int64? {
    let isNegative = text.hasPrefix("-")
    let digits = isNegative ? text.dropFirst() : text[...]
    guard let first = digits.utf8.first, (0x30...0x39).contains(first) else { return nil }
    let magnitude =
      digits.hasPrefix("0x") ? hexadecimal(digits.dropFirst(2)) : UInt64(digits, radix: 10)
    guard let magnitude else { return nil }
    if isNegative {
      return magnitude == Int64.min.magnitude ? .min : Int64(exactly: magnitude).map { -$0 }
    }
    return Int64(exactly: magnitude)
  }

  private static func hexadecimal(_ digits: Substring) -> UInt64? {
    guard let first = digits.utf8.first, first != UInt8(ascii: "+"), first != UInt8(ascii: "-")
    else { return nil }
    return UInt64(digits, radix: 16)
  }

  /// Whether a word in the place of a name would be read as something else.
  ///
  /// This matters only for a verb that the reader does not know: it cannot tell whether the verb
  /// takes a name.
  static func isAmbiguousName(_ word: String) -> Bool {
    Subject(word) != nil || integer(word) != nil
  }
}
