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
  private static let distance = 12

  private let kind: Kind
  /// What the title says behind the name.
  private let words: String
  private let line: String

  /// Reads a title; `nil` of other lines.
  init?(_ line: ArraySlice<UInt8>) {
    let marks = line.prefix { $0 <= 0x20 || $0 == "\"" || $0 == "#" || $0 == "*" || $0 == "`" }
    let bare = line[marks.endIndex...]
    guard let kind = Self.kind(of: bare) else { return nil }
    let text = bare.prefix(Termination.longestText).text
    (self.kind, self.line) = (kind, text)
    let parts = text.split(separator: ":", maxSplits: 1)
    words = parts.count == 2 ? Self.plain(String(parts[1])) : ""
  }

  /// What a title says without the marks that stand around it, and the stars of an exception's own words.
  private static func plain(_ words: String) -> String {
    let start = words.drop { $0 == " " || $0 == "*" }
    let end = start.reversed().drop { " *`\"".contains($0) }
    return String(end.reversed())
  }

  private static func kind(of line: ArraySlice<UInt8>) -> Kind? {
    let start = line.prefix(128)
    if start.contains("App hanging for at least ") { return .hang }
    if start.contains("The OS watchdog terminated your app, possibly because it ") {
      return .watchdogGuess
    }

    let name = line.prefix(96).prefix { !" :(,.".utf8.contains($0) }
    let rest = line[name.endIndex...]
    let isNamed =
      rest.starts(with: ": ") || rest.starts(with: " : ") || rest.starts(with: " (")
      || rest.starts(with: "(") || rest.starts(with: " Reason: ")
    guard isNamed else { return nil }
    let word = name.text
    if MachException.names.contains(word) { return .machException(word) }
    if word.hasPrefix("SIG") { return DarwinSignal.number(named: word).map { .signal($0) } }
    let isException =
      word.hasSuffix("Exception") && exceptionFamilies.contains(where: word.hasPrefix)
    return isException && rest.contains(":") ? .exception(word) : nil
  }

  /// How the names of exceptions begin that end an app; those of Java and .NET have other names.
  private static let exceptionFamilies = ["NS", "UI", "CA", "RLM", "RCT", "FIR", "AV", "SK"]

  /// What the kernel or a reporter says about an address.
  private static let proofs = ["KERN_", "Attempted to dereference ", "Exception 1, Code "]

  /// Whether the first of some lines is the title of an end or a hang.
  static func isFirst(of lines: some Collection<ArraySlice<UInt8>>) -> Bool {
    guard let first = lines.first, let title = ReportTitle(first) else { return false }
    switch title.kind {
    case .hang, .watchdogGuess: return true
    case .machException:
      let isProved = lines.prefix(2).contains { line in proofs.contains { line.contains($0) } }
      if isProved { return true }
    case .signal, .exception: break
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
      draft.exceptionWords = words
      return ReportDraft.throwing
    case .machException(let name):
      (draft.exceptionType, draft.known) = (name, .signal(nil, reason: line))
    case .signal(let number): draft.known = .signal(number)
    case .hang:
      draft.limit = "hang"
      draft.duration = (line.slice.behind("App hanging for ")?.before(".")).map(\.text)
      if line.hasPrefix("Fatal") {
        draft.known = Termination(kind: .gone)
        draft.report.notes.append("Sentry says that the app was ended while it hung")
      }
      return 0
    case .watchdogGuess:
      draft.known = Termination(kind: .gone)
      draft.report.notes.append(Self.watchdogGuess)
      return 0
    }
    let thread = draft.report.crashedThread ?? TerminationReport.unnumbered
    draft.report.crashedThread = thread
    return thread
  }

  /// The note beside an end that no handler of Sentry's has seen.
  static let watchdogGuess =
    "Sentry guesses at the next launch that the watchdog or jetsam ended the app"
}
