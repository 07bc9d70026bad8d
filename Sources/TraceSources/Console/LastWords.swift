import LifecycleModel

/// What else is said of the app in its own console as it stops: by the runtimes, and by the debugger
/// that has stopped it.
///
///     Could not cast value of type 'Swift.Int' (0x1) to 'Swift.String' (0x2).
///     ==412==ERROR: AddressSanitizer: heap-use-after-free on address 0x6030
///     Notes(412,0x16f) malloc: *** error for object 0x600: pointer being freed was not allocated
///     Thread 1: EXC_BAD_ACCESS (code=1, address=0x0)
///     * thread #1, queue = 'com.apple.main-thread', stop reason = signal SIGABRT
enum LastWords {
  /// How malloc begins its words, behind the process.
  static let malloc = "malloc: *** error for object "

  private static let thread = "Thread "
  private static let lldbThread = "* thread #"
  private static let sanitizer = "=="
  private static let privacy =
    "This app has crashed because it attempted to access privacy-sensitive data without a usage "
    + "description"
  private static let cast = "Could not cast value of type '"

  /// How the lines begin.
  static let beginnings = [thread, lldbThread, sanitizer, privacy, cast]

  /// Reads one line; `nil` when it does not say that the process stops.
  static func end(_ line: ArraySlice<UInt8>) -> Termination? {
    if line.starts(with: privacy.utf8) {
      var end = Termination.ownEnd(line)
      end.kind = .killed(namespace: "TCC", code: nil)
      return end
    }

    if let rest = line.dropping(prefix: Array(thread.utf8)) { return stop(inXcode: rest) }
    if line.starts(with: lldbThread.utf8) {
      return line.firstRange(of: Array("stop reason = ".utf8)).flatMap {
        stop(line[$0.upperBound...])
      }
    }

    let isKnown =
      if let rest = line.dropping(prefix: Array(cast.utf8)) {
        rest.firstRange(of: Array(") to '".utf8)) != nil
      } else if let rest = line.dropping(prefix: Array(sanitizer.utf8)) {
        isSanitizer(rest)
      } else {
        isMalloc(line)
      }
    return isKnown ? .ownEnd(line) : nil
  }

  /// Reads `412==ERROR: AddressSanitizer: …`.
  private static func isSanitizer(_ rest: ArraySlice<UInt8>) -> Bool {
    let digits = rest.prefix { (0x30...0x39).contains($0) }
    return !digits.isEmpty
      && rest[digits.endIndex...].starts(with: "==ERROR: AddressSanitizer: ".utf8)
  }

  /// Whether malloc itself speaks: nothing but the process stands before its words.
  private static func isMalloc(_ line: ArraySlice<UInt8>) -> Bool {
    guard let mark = line.prefix(512).firstRange(of: Array(malloc.utf8)) else { return false }
    let before = line[..<mark.lowerBound]
    return before.isEmpty || before.text.hasSuffix(") ")
  }

  /// Reads `1: EXC_BAD_ACCESS (code=1, address=0x0)`, or `1: Fatal error: Index out of range`.
  private static func stop(inXcode rest: ArraySlice<UInt8>) -> Termination? {
    let digits = rest.prefix { (0x30...0x39).contains($0) }
    guard !digits.isEmpty, let said = rest[digits.endIndex...].dropping(prefix: Array(": ".utf8))
    else { return nil }
    return stop(said)
  }

  /// Reads why a debugger has stopped the process: a breakpoint and a pause are no crash.
  private static func stop(_ words: ArraySlice<UInt8>) -> Termination? {
    if let name = words.dropping(prefix: Array("signal ".utf8)) {
      let crashes: Set<UInt64> = [4, 5, 6, 8, 10, 11, 12]
      guard let number = DarwinSignal.number(named: name.prefix { $0 > 0x20 }.text),
        crashes.contains(number)
      else { return nil }
      var end = Termination.ownEnd(words)
      end.kind = Termination.signal(number).kind
      return end
    }

    let faults = [
      "EXC_BAD_ACCESS", "EXC_BAD_INSTRUCTION", "EXC_BREAKPOINT", "EXC_ARITHMETIC", "EXC_CRASH",
      "EXC_GUARD",
    ]
    let isFault = faults.contains { words.starts(with: $0.utf8) }
    let isFatal = RuntimeErrorText.fatalWords.contains { words.starts(with: ($0 + ": ").utf8) }
    return isFault || isFatal ? .ownEnd(words) : nil
  }
}

extension Termination {
  /// An end by a signal that is not named, in the words of the process itself.
  static func ownEnd(_ words: ArraySlice<UInt8>) -> Termination {
    var end = signal(nil, reason: words.prefix(MessageRules.longestName).text)
    end.isFatalError = true
    return end
  }
}
