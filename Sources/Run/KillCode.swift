import LifecycleModel

/// The codes with which the system ends processes.
package enum KillCode {
  /// "Ate bad food": the code of the watchdog.
  package static let watchdog: UInt64 = 0x8bad_f00d
  private static let known = [
    "0x8badf00d", "0xdead10cc", "0xbaadca11", "0xbad22222", "0xc51bad01", "0xc51bad02",
    "0xc51bad03", "0xd00d2bad", "0xc00010ff", "0xdeadfa11",
  ]

  /// The only code that somebody's words name; `nil` where they name none, or several.
  package static func named(in words: String) -> UInt64? {
    guard words.contains("0x") else { return nil }
    let lower = words.lowercased()
    // Somebody may say that it was another one.
    if ["not ", "n't ", "fixed", "no longer", "instead", "before"].contains(where: lower.contains) {
      return nil
    }
    let codes = known.filter { lower.contains($0) }
    return codes.count == 1 ? number(codes[0]) : nil
  }

  /// What the system calls tasks of watch apps, in lower case: its words about their time have no code.
  package static let watchTasks = ["background app refresh", "backgroundrefreshaction"]
  /// The reason of an end by a crash reporter's own watchdog over the main thread, which has no code.
  package static let deadlock = "deadlock"
  private static let stackshot: UInt64 = 0xbaaa_aaad

  /// Reads a code as a kill's attribute has it: `0x8badf00d`, `2343432205`, or `8badf00d`.
  package static func number(_ text: String) -> UInt64? {
    if text.lowercased().hasPrefix("0x") { return UInt64(text.dropFirst(2), radix: 16) }
    return UInt64(text) ?? UInt64(text, radix: 16)
  }

  /// The code that a kill states; `nil` without one, and of other events.
  package static func of(_ event: Event, _ vocabulary: Vocabulary) -> UInt64? {
    if event.verb != .kill || event.attributes.isNone { return nil }
    return vocabulary.attributes(event.attributes)[.code].flatMap(number)
  }

  /// Whether an event is a stackshot, which ends no process.
  package static func isStackshot(_ event: Event, _ vocabulary: Vocabulary) -> Bool {
    of(event, vocabulary) == stackshot
  }
}
