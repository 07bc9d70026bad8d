import Run

/// What the kernel prints when memory runs out, of the device or of one process.
///
///     memorystatus: Notes [412] exceeded mem limit: ActiveHard 77 MB (fatal)
///     1817600.392 memorystatus: killing_specific_process pid 412 [Notes] (per-process-limit 100 …) 78848KB - …
enum MemoryStatusText {
  /// The kernel cuts names at one of these lengths.
  static let nameLengths: Set<Int> = [15, 16, 31, 32]

  /// What the kernel prints about a process that passes a limit of processor time.
  static let burning = " caught burning CPU!"

  /// What the kernel prints about a process that passes a limit of memory.
  static let exceeded = " exceeded mem limit: "

  private static let named = MessagePattern("_process pid {pid:int} [{name}]")
  private static let numbered = MessagePattern("^{name}[{pid:int}]")

  /// The process that a message is about; `nil` when it names none.
  static func subject(of message: ArraySlice<UInt8>) -> ConsoleMention? {
    let head = message.prefix(512)
    var said: Said?
    if head.contains("_process pid ") {
      said = named.read(head)
    } else if head.contains(" caught ") {
      said = head.behind("process ").flatMap(numbered.read)
    } else if head.contains(exceeded) {
      let name = head.before(exceeded)
      said = numbered.read(name.behind("memorystatus: ") ?? name.behind("-> ") ?? name)
    }

    guard let name = said?.name?.trimmedEnd, !name.isEmpty,
      let pid = said?.pid.flatMap(\.processNumber)
    else { return nil }
    return ConsoleMention(process: name.text, pid: pid)
  }

  /// Reads `ActiveHard 77 MB (fatal)`: a limit that ends the process, or else only words.
  static func limit(_ rest: ArraySlice<UInt8>) -> ConsoleStatement? {
    let limit = rest.prefix(128).before(" (")
    guard let fate = rest[limit.endIndex...].dropping(prefix: " (") else { return nil }
    let words = "exceeded mem limit: " + rest.prefix(128).line.text
    let isFatal = fate.starts(with: "fatal)".utf8)
    guard isFatal, limit.contains("Hard") else { return .remark(words) }
    var end = Termination.jetsam(7)
    end.memoryLimit = limit.text
    return .endForetold(end, words)
  }

  /// Reads `(per-process-limit 100 16s) 78848KB - …` behind the process.
  ///
  /// Whoever posts it may have cut the middle out.
  static func kill(_ said: Said) -> ConsoleStatement? {
    let after = (said.cause ?? []).prefix(512)
    let code = after.behind("osr_code: ").flatMap { UInt64($0.digits.text) }
    var end = code.map { .jetsam($0) } ?? Termination.killed("JETSAM")
    let cause = after.dropping(prefix: "(") ?? []
    let word = cause.prefix { $0 > 0x20 && $0 != ")" }.text

    if let code = ExitNamespace.jetsamCode(word) {
      end = .jetsam(code)
    } else if end.reason == nil, !word.isEmpty {
      end.reason = word
    }

    // The first size, such as `78848KB`.
    let size = after.split { $0 <= 0x20 }.first { $0.last == "B" && $0.first?.isDigit == true }
    end.memory = size?.text
    return .ended(end)
  }
}
