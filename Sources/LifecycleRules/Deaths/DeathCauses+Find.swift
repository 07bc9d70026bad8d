import LifecycleModel
import Run
import TraceAnalysis

extension DeathCauses {
  /// Whether an event is a kill with the watchdog's code.
  static func isByWatchdog(_ event: Event, _ vocabulary: Vocabulary) -> Bool {
    KillCode.of(event, vocabulary) == KillCode.watchdog
  }

  /// The code, or else the reason, of a kill that no source explains; `nil` when all is known.
  static func unknownWord(ofKill said: [Attribute]) -> (key: AttributeKey, word: String)? {
    let name = said[.namespace].map(namespaceName) ?? ""
    if let text = said[.code] {
      guard let code = KillCode.number(text) else { return (.code, text) }
      let isOwn = (families + namespaces).contains { $0.word == name }
      return isOwn || self.code(code) != nil ? nil : (.code, text)
    }
    // What stands beside a signal is what was said of the crash.
    guard name != "SIGNAL", let words = said[.reason] else { return nil }
    return reason(words) == nil ? (.reason, words) : nil
  }

  /// What is known of a termination code; `nil` when no source was found for it.
  public static func code(_ code: UInt64) -> DeathCause? { codes.first { $0.number == code } }

  /// What is known of a number of jetsam's own.
  package static func jetsam(_ number: UInt64) -> DeathCause? {
    jetsam.first { $0.number == number }
  }

  /// What is known of a signal, by its number on Apple's systems or on Linux, or by its name.
  ///
  /// The numbers of SIGBUS and SIGSYS differ: 10 and 12 there, 7 and 31 here. Where the platform is
  /// not Linux all four are read so, since the others that have them end no app.
  package static func signal(_ text: String, isLinux: Bool = false) -> DeathCause? {
    let number = UInt64(text) ?? (text.hasPrefix("0x") ? KillCode.number(text) : nil)
    guard let number else {
      let word = text.uppercased()
      return signals.first { $0.word == (word.hasPrefix("SIG") ? word : "SIG" + word) }
    }

    switch number {
    case 7: return signal("SIGBUS")
    case 31: return signal("SIGSYS")
    case 10, 12: if isLinux { return nil }
    default: break
    }
    return signals.first { $0.number == number }
  }

  /// What is known of a namespace, by its name or its number (`20`, `0x14`, `<0x14>`).
  package static func namespace(_ text: String) -> DeathCause? {
    let name = namespaceName(text)
    return namespaces.first { $0.word == name }
  }

  /// The name of a namespace that a log gives by name or by number; as it stands when it is not
  /// known.
  static func namespaceName(_ text: String) -> String {
    let bare = text.filter { $0 != "<" && $0 != ">" }
    let number = bare.hasPrefix("0x") ? KillCode.number(bare) : UInt64(bare)
    guard let number else { return bare.uppercased() }
    return rows.first { $0.kind == .namespace && $0.number == number }?.word ?? text
  }

  /// What is known of a reason in the system's words: one of the table's words, a sentence with such a
  /// word of more than eight characters, or one with a phrase of the table; `nil` for others.
  static func reason(_ text: String) -> DeathCause? {
    let bytes = Array(text.lowercased().utf8)
    return reasons.first { bytes == $0.word || $0.cause.otherWords.contains(text) }?.cause
      ?? reasons.first { $0.word.count > 8 && bytes.holds($0.word) }?.cause
      ?? reasons.first { $0.phrases.contains(where: bytes.holds) }?.cause
      ?? ofMetricKit.first {
        $0.exitReason?.rawValue.lowercased().utf8.elementsEqual(bytes) ?? false
      }
  }

  /// The code that the system's words state, as in `domain:10 code:0x8BADF00D`, or describe; `nil` of others.
  static func codeInWords(_ text: String) -> UInt64? {
    let text = text.lowercased()
    let numbers = text.split { !$0.isHexDigit && $0 != "x" }.filter { $0.hasPrefix("0x") }
    if let stated = numbers.compactMap({ KillCode.number(String($0)) }).first(where: {
      code($0) != nil
    }) {
      return stated
    }
    let bytes = Array(text.utf8)
    for code in codes {
      guard let phrase = code.phrases.first(where: { bytes.firstRange(of: $0.utf8) != nil }) else {
        continue
      }
      // A cause without a code may have words of its own around those of the code.
      let isOther = words.contains { cause in
        cause.phrases.contains { $0.contains(phrase) && bytes.firstRange(of: $0.utf8) != nil }
      }
      return isOther ? nil : code.number
    }
    return nil
  }

  /// The causes that one of MetricKit's reasons means: of the others there are many kinds.
  private static let ofMetricKit = rows.filter { row in
    row.exitReason.map { ![.normal, .abnormal, .unknown].contains($0) } ?? false
  }

  private static let reasons = (jetsam + words).map { cause in
    (
      cause: cause, word: Array(cause.word.lowercased().utf8),
      phrases: cause.phrases.map { Array($0.utf8) }
    )
  }

  /// The limit that the system's words before a colon name, as in `CPU limit: caught burning CPU!`.
  static func limit(_ words: String) -> DeathCause? {
    let name = words.prefix { $0 != ":" }
    if name.count == words.count { return nil }
    return self.words.first { $0.otherWords.contains(String(name)) }
  }

  /// The causes that a text means, as people type it or as a report has it: a code in hex or decimal, a
  /// signal or its number, a reason of jetsam or its number (`jetsam 7`), a namespace, a Mach exception,
  /// one of MetricKit's reasons, a word, or a line with some of them, such as
  /// `Namespace RUNNINGBOARD, Code 0xdead10cc`; empty when none is known.
  public static func find(_ text: String) -> [DeathCause] {
    let named = find(named: text)
    return named.isEmpty ? find(inLine: text.lowercased()) : named
  }

  private static func find(named text: String) -> [DeathCause] {
    let whole = text.lowercased()
    let manner = manners.first { whole == $0.word || $0.otherWords.contains(whole) }
    if let manner { return [manner] }
    if whole.hasSuffix("exception"), !whole.hasPrefix("exc_"), !whole.hasPrefix("pac_") {
      return [exception(text)]
    }

    let said = rows.filter { $0.word.lowercased() == whole }
    if !said.isEmpty { return said }
    let parts = whole.split { $0 == " " || $0 == "=" || $0 == ":" }.map(String.init)
    guard let last = parts.last else { return [] }

    let number = last.hasPrefix("0x") ? KillCode.number(last) : UInt64(last)
    if parts.count > 1 { return find(number, last, among: parts[0]) }
    if let number {
      if let code = code(number) { return [code] }
      if let row = bugTypes[number].flatMap({ find(named: $0).first }) { return [row] }
      return last.hasPrefix("0x") ? [] : [signal(last)].compactMap(\.self) + statuses(number)
    }

    let named = rows.filter { $0.word.lowercased() == last || $0.otherWords.contains(last) }
    if !named.isEmpty { return named }
    if let code = KillCode.number(last), last.utf8.count == 8, let row = self.code(code) {
      return [row]
    }

    if let signal = signal(last) { return [signal] }
    return rows.filter { $0.exitReason?.rawValue.lowercased() == last }
  }

  /// The types of reports that stand for one cause, by the number in their first line.
  private static let bugTypes: [UInt64: String] = [
    202: "cpu", 206: "cpu", 142: "io", 145: "io", 298: "jetsam",
  ]

  /// What a number means as an exit status; a shell reports a signal as 128 and its number.
  private static func statuses(_ number: UInt64) -> [DeathCause] {
    switch number {
    case 0: [exited]
    case 1...128: [failed]
    case 129...255: [signal("\(number - 128)"), failed].compactMap(\.self)
    default: []
    }
  }

  /// The causes in a line of a report or of the console: what says most about the end comes first.
  private static func find(inLine line: String) -> [DeathCause] {
    let separators: Set<Character> = [" ", "=", ":", ",", ";", "(", ")", "<", ">", "|", "\"", "'"]
    let parts = line.split(whereSeparator: separators.contains).map(String.init)
    if let launchd = parts.firstIndex(of: "launchd") {
      return triple(parts[launchd...].dropFirst().compactMap { UInt64($0) })
    }

    if ["exit", "status"].contains(parts.first), let status = parts.last.flatMap({ Int($0) }) {
      return [status == 0 ? exited : failed]
    }
    let codes = parts.filter { $0.hasPrefix("0x") }.compactMap { KillCode.number($0).flatMap(code) }
    if !codes.isEmpty { return codes }
    let signals = parts.filter { $0.hasPrefix("sig") }.compactMap { signal($0) }
    if !signals.isEmpty { return signals }
    let exceptions = parts.flatMap { machExceptions[$0] ?? [] }
    if !exceptions.isEmpty {
      return rows.filter { exceptions.contains($0.word) }
    }

    if parts.contains(where: watchdogEvents.contains) {
      return [code(KillCode.watchdog)].compactMap(\.self)
    }
    if parts.count > 1, let namespace = parts.lazy.compactMap({ namespace($0) }).first {
      return [namespace]
    }

    let counter = line.replacing("cumulative", with: "").replacing("appexit", with: "")
      .replacing("exit", with: "").replacing("count", with: "")
    return rows.filter { $0.exitReason?.rawValue.lowercased() == counter }
  }

  /// Reads launchd's words: namespace, code, and the signal that it sent.
  private static func triple(_ numbers: [UInt64]) -> [DeathCause] {
    guard numbers.count >= 2 else { return [] }
    if numbers[0] == 0 { return [numbers[1] == 0 ? exited : failed] }
    let family = [1: "jetsam", 2: "signal"][numbers[0]] ?? String(numbers[0])
    return find(numbers[1], String(numbers[1]), among: family)
  }

  /// The Mach exceptions of crash reports, with the words of the rows that they come to.
  private static let machExceptions: [String: [String]] = [
    "exc_bad_access": ["SIGSEGV", "SIGBUS"], "exc_crash": ["SIGABRT", "SIGKILL"],
    "exc_breakpoint": ["SIGTRAP"], "exc_bad_instruction": ["SIGILL"], "exc_arithmetic": ["SIGFPE"],
    "exc_guard": ["GUARD"], "exc_resource": ["cpu", "memory", "io", "wakeups"],
  ]
  /// What the watchdog watches over, in the system's words.
  private static let watchdogEvents: Set<String> = [
    "scene-create", "scene-update", "process-launch", "process-exit",
  ]

  private static func find(
    _ number: UInt64?, _ word: String, among family: String
  ) -> [DeathCause] {
    let found: DeathCause?
    switch family {
    case "jetsam":
      found = number.flatMap { jetsam($0) } ?? jetsam.first { $0.word == word }
    case "signal": found = signal(word)
    case "namespace":
      let name = namespaceName(word)
      found = namespace(word) ?? (families + boards).first { $0.word == name }
    case "code": found = number.flatMap { code($0) }
    default:
      // Such as "RUNNINGBOARD 0xdead10cc", or "TCC 0x0".
      found = number.flatMap { code($0) } ?? namespace(family)
    }

    return [found].compactMap(\.self)
  }

  /// The manners that people ask for by a word.
  private static let manners = [vanished, exited]

  /// The words by which causes are found, for the nearest one of a typo and for completion.
  package static let allWords: [String] =
    rows.flatMap { [$0.word] + $0.otherWords } + ExitReason.allCases.map(\.rawValue)
    + manners.flatMap { [$0.word] + $0.otherWords }

  /// The words that the system prints about every app: by them causes are found in its sentences, too.
  package static let publicWords = allWords + rows.flatMap(\.phrases)
}

extension [UInt8] {
  /// Whether `word` stands somewhere in it.
  ///
  /// For speed alone: with `firstRange(of:)` the reasons of kills take a sixth of the analysis of many short
  /// lives.
  fileprivate func holds(_ word: [UInt8]) -> Bool {
    guard let last = word.last else { return true }
    return indices.dropFirst(word.count - 1).contains { end in
      self[end] == last && self[(end - word.count + 1)...end].elementsEqual(word)
    }
  }
}
