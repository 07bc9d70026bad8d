/// What the kernel prints when memory runs out, of the device or of one process.
///
///     memorystatus: Notes [412] exceeded mem limit: ActiveHard 77 MB (fatal)
///     1817600.392 memorystatus: killing_specific_process pid 412 [Notes] (per-process-limit 100 …) 78848KB - …
enum MemoryStatusText {
  /// The kernel cuts names at one of these lengths.
  static let nameLengths: Set<Int> = [15, 16, 31, 32]

  /// What the kernel says of a process that passes a limit of processor time.
  static let burning = " caught burning CPU!"

  private static let process = Array("process ".utf8)
  private static let thread = Array(" thread ".utf8)
  private static let exceeded = Array(" exceeded mem limit: ".utf8)
  private static let pidMark = Array("_process pid ".utf8)

  /// The process that a message is about; `nil` when it names none.
  static func subject(of message: ArraySlice<UInt8>) -> (process: String, pid: Int32)? {
    let head = message.prefix(512)
    if let mark = head.firstRange(of: pidMark) {
      let digits = head[mark.upperBound...].prefix { $0 >= 0x30 && $0 <= 0x39 }
      guard let rest = head[digits.endIndex...].dropping(prefix: Array(" [".utf8)),
        let close = rest.firstIndex(of: UInt8(ascii: "]")), close > rest.startIndex,
        let pid = ConsoleMention.pid(digits)
      else { return nil }
      return (rest[..<close].text, pid)
    }

    if let mark = head.firstRange(of: Array(burning.utf8)) {
      var name = head[..<mark.lowerBound]
      if let thread = name.firstRange(of: thread) { name = name[..<thread.lowerBound] }
      return name.dropping(prefix: process).flatMap(numbered)
    }

    guard let mark = head.firstRange(of: exceeded) else { return nil }
    var name = head[..<mark.lowerBound]
    if let prefix = name.firstRange(of: Array("memorystatus: ".utf8)) {
      name = name[prefix.upperBound...]
    }
    return numbered(name)
  }

  /// Reads `Notes[412]` or `Notes [412]`.
  private static func numbered(_ text: ArraySlice<UInt8>) -> (process: String, pid: Int32)? {
    guard text.last == UInt8(ascii: "]"), let open = text.lastIndex(of: UInt8(ascii: "[")),
      let pid = ConsoleMention.pid(text[(open + 1)...].dropLast())
    else { return nil }
    var name = text[..<open]
    while name.last == 0x20 { name = name.dropLast() }
    return name.isEmpty ? nil : (name.text, pid)
  }

  /// Reads `ActiveHard 77 MB (fatal)`: a limit that ends the process, or else only words.
  static func limit(_ rest: ArraySlice<UInt8>) -> ConsoleStatement? {
    guard let open = rest.prefix(128).firstRange(of: Array(" (".utf8)) else { return nil }
    let limit = rest[..<open.lowerBound].text
    let isFatal = rest[open.upperBound...].starts(with: Array("fatal)".utf8))
    let words = "exceeded mem limit: " + rest.prefix(128).prefix { $0 != 0x0a }.text
    guard isFatal, limit.contains("Hard") else { return .remark(words) }
    var end = Termination.jetsam(7)
    end.memoryLimit = limit
    return .endForetold(end, words)
  }

  /// Reads `specific_process pid 412 [Notes] (per-process-limit 100 16s) 78848KB - …`.
  ///
  /// Whoever posts it may have cut the middle out.
  static func kill(_ rest: ArraySlice<UInt8>) -> ConsoleStatement? {
    guard rest.prefix(64).firstRange(of: pidMark) != nil,
      let close = rest.firstRange(of: Array("] ".utf8))
    else { return nil }

    let after = rest[close.upperBound...].prefix(512)
    var end = Termination(kind: .killed(namespace: "JETSAM", code: nil))
    if let mark = after.firstRange(of: Array("osr_code: ".utf8)),
      let code = UInt64(
        after[mark.upperBound...].prefix { $0 >= 0x30 && $0 <= 0x39 }.text)

    {
      end = .jetsam(code)
    }
    let cause = after.dropping(prefix: Array("(".utf8)) ?? []
    let word = cause.prefix { $0 > 0x20 && $0 != UInt8(ascii: ")") }.text

    if let code = ExitNamespace.jetsamCode(word) {
      end = .jetsam(code)
    } else if end.reason == nil, !word.isEmpty {
      end.reason = word
    }

    end.memory = size(in: after)
    return .ended(end)
  }

  /// The first size, such as `78848KB`.
  private static func size(in words: ArraySlice<UInt8>) -> String? {
    words.split { $0 <= 0x20 }.first { word in
      word.last == UInt8(ascii: "B") && word.first.map { $0 >= 0x30 && $0 <= 0x39 } == true
    }?.text
  }
}
