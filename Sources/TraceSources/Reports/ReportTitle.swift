import LifecycleModel
import Run
import TraceText

/// The title under which a crash reporter lists an end, and under which an issue is filed from it.
///
///     NSRangeException: *** -[__NSArrayM objectAtIndex:]: index 3 beyond bounds [0 .. 2]
///     EXC_BAD_ACCESS: KERN_INVALID_ADDRESS at 0x10.
///     SIGABRT: ABORT
///     App Hanging: App hanging for at least 2000 ms.
///     WatchdogTermination: The OS watchdog terminated your app, possibly because it overused RAM.
///
/// The names of exceptions and signals stand in documents, too: such a title counts above frames alone, or with
/// what the kernel says of the address.
struct ReportTitle {
  /// What the title is about.
  private enum Kind {
    case exception(String)
    case machException(String)
    case signal(UInt64)
    case hang
    case watchdogGuess
  }

  /// The most lines between a title and its frames.
  static let distance = 12

  private let kind: Kind
  /// What the title says behind the name.
  private let words: String
  private let line: String

  /// Reads a title; `nil` of other lines.
  init?(_ line: ArraySlice<UInt8>) {
    let marks = line.prefix { $0 <= 0x20 || $0 == "\"" || $0 == "#" || $0 == "*" || $0 == "`" }
    let bare = line[marks.endIndex...]
    guard let kind = Self.kind(of: bare) else { return nil }
    let text = bare.prefix(Termination.longestText).text.replacing("**", with: "")
    (self.kind, self.line) = (kind, text)
    let name = text.hasPrefix("std::") ? text.dropFirst(5) : text[...]
    let rest = String(name.drop { !" :(".contains($0) }.drop { " :".contains($0) })
    // Marks stand around it, and stars before an exception's own words.
    let marked = rest.withoutPrefix("Reason: ").drop { $0 == " " || $0 == "*" }
    // Bugsnag names the function there, and the words stand below.
    words =
      bare.contains("** in **") || Self.namesPlace(marked)
      ? "" : String(marked.droppingEnd { " *`\"".contains($0) })
  }

  /// Whether words are no more than a place: `in NoteList`, `in -[NoteList load]`.
  private static func namesPlace(_ words: some StringProtocol) -> Bool {
    let place = words.dropFirst(3)
    return words.hasPrefix("in ")
      && (!place.contains(" ") || ["-[", "+["].contains(where: place.hasPrefix))
  }

  private static func kind(of line: ArraySlice<UInt8>) -> Kind? {
    let start = line.prefix(128)
    if start.contains("App hanging for at least ") || isHang(line) { return .hang }
    if start.contains("The OS watchdog terminated your app, possibly because it ") {
      return .watchdogGuess
    }

    // A class of C++ has colons of its own.
    if line.starts(with: "std::"),
      let type = line.prefix(96).text.prefixMatch(of: #/std::\w+(?=: |$)/#)
    {
      return .exception(String(type.0))
    }
    let name = line.prefix(96).prefix { !" :(,.*`".utf8.contains($0) }
    let rest = line[name.endIndex...]
    guard rest.isEmpty || behindNames.contains(where: { rest.starts(with: $0) }) else { return nil }
    return kind(named: name.text)
  }

  /// What stands behind a name at the beginning of a title.
  private static let behindNames = [
    ": ", " : ", " (", "(", " Reason: ", " *** ", " -[", " +[", " at ", " in ", "** in ",
  ].map { Array($0.utf8) }

  /// What a name is of; `nil` of other words, and of limits, which end no process by themselves.
  private static func kind(named word: String) -> Kind? {
    if word.hasPrefix("EXC_"), !word.hasPrefix("EXC_RESOURCE") {
      return MachException.names.contains(word) ? .machException(word) : nil
    }
    if word.hasPrefix("SIG") { return DarwinSignal.number(named: word).map { .signal($0) } }
    let isException =
      word.hasSuffix("Exception") && exceptionFamilies.contains(where: word.hasPrefix)
    return isException ? .exception(word) : nil
  }

  /// Whether a line is what Sentry calls a hang of the main thread.
  private static func isHang(_ line: ArraySlice<UInt8>) -> Bool {
    ["Fatal App Hang", "App Hang Fully Blocked", "App Hang Non Fully Blocked"]
      .contains { line.starts(with: $0) }
  }

  /// The title that a line above frames contains: from the name of what stopped the process on, in the line next to
  /// them, or the name of a hang; `nil` of other lines.
  static func words(in line: ArraySlice<UInt8>, isNext: Bool) -> ArraySlice<UInt8>? {
    let bare = line.drop { !$0.isLetter }
    if isHang(bare) { return bare }
    guard isNext, line.count <= Termination.longestText else { return nil }
    for word in bare.split(whereSeparator: { !($0.isLetter || $0.isDigit || $0 == "_") })
    where kind(named: word.text) != nil {
      let rest = bare[word.endIndex...].drop {
        !$0.isLetter && !$0.isDigit && !"*-+[".utf8.contains($0)
      }
      return word + (rest.isEmpty ? [] : Array(": ".utf8) + rest)
    }
    return nil
  }

  /// How the names of exceptions begin that end an app; those of Java and .NET have other names.
  private static let exceptionFamilies = ["NS", "UI", "CA", "RLM", "RCT", "FIR", "AV", "SK"]

  /// What the kernel or a reporter says about an address.
  private static let proofs = ["KERN_", "Attempted to dereference ", "Exception 1, Code "]

  /// Whether a line begins with the name of what stops a process, whatever stands behind it.
  static func begins(_ line: ArraySlice<UInt8>) -> Bool {
    kind(named: line.drop { $0 <= 0x20 }.prefix { $0.isLetter || $0.isDigit || $0 == "_" }.text)
      != nil
  }

  /// Whether the first of some lines is the title of an end or a hang.
  static func isFirst(of lines: some Collection<ArraySlice<UInt8>>) -> Bool {
    guard let first = lines.first, let title = ReportTitle(first) else { return false }
    switch title.kind {
    case .watchdogGuess: return true
    case .hang: if first.contains("App hanging for at least ") { return true }
    case .machException:
      let isProved = lines.prefix(2).contains { line in proofs.contains { line.contains($0) } }
      if isProved { return true }
    case .exception:
      // Crashlytics' page has the name and the reason in two lines.
      let next = lines.dropFirst().first.map { $0.drop { $0 <= 0x20 || $0 == ">" } } ?? []
      let isReason = ["*** ", "-[", "+["].contains { next.starts(with: $0) }
      if title.words.isEmpty, isReason || MessageRules.ofRuntime.read(next, by: .app) != nil {
        return true
      }
    case .signal: break
    }

    return lines.dropFirst().prefix(distance).contains {
      ReportFrame.isInnermost($0.prefix(512).text)
    }
  }

  /// Takes the title; returns the number under which the frames below it stand.
  func take(into draft: inout ReportDraft) -> Int {
    switch kind {
    case .exception(let name):
      (draft.exceptionName, draft.known) = (name, .signal(6))
      if !words.isEmpty { draft.exceptionWords = words }
      return ReportDraft.throwing
    case .machException(let name):
      (draft.exceptionType, draft.known) = (name, .signal(nil, reason: line))
    case .signal(let number): draft.known = .signal(number)
    case .hang:
      draft.take(hang: line.slice)
      if line.hasPrefix("Fatal") {
        draft.known = .gone
        draft.report.notes.append("Sentry says that the app was ended while it hung")
      }
      return 0
    case .watchdogGuess:
      draft.known = .gone
      draft.report.notes.append(Self.watchdogGuess)
      return 0
    }

    let thread = draft.report.crashedThread ?? TerminationReport.unnumbered
    draft.report.crashedThread = thread
    return thread
  }

  /// The note beside an end that no handler of Sentry's has seen.
  static let watchdogGuess =
    ReporterGuess.beginning + "at the next launch that the watchdog or jetsam ended the app"
}
