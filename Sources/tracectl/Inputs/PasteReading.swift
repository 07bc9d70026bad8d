import LifecycleModel
import TraceReport
import TraceSources

/// What is read of a text that a person has pasted.
struct PasteReading {
  /// The console lines; `nil` where there are none.
  let console: Paste.Piece?
  /// The reports that are read as the input itself; empty beside console lines.
  let reports: [Paste.Piece]
  /// The reports that stand beside console lines.
  let besides: [TerminationReport]
  /// What was read and what was passed over, in a line; `nil` where that is plain.
  let words: String?

  /// Cuts up an input of a form that may be a paste; `nil` where it is read as it stands, or nothing in it can
  /// be read.
  init?(_ input: ByteInput, _ form: InputForm, app: String?) throws {
    let isUnknown = form == .unknownText
    guard isUnknown || form.namesApps else { return nil }
    let limit = isUnknown ? Paste.longestText : Paste.longestKnown
    guard let paste = try input.paste(upTo: limit), !paste.pieces.isEmpty else { return nil }
    if paste.isDocumentation {
      throw CommandError.unreadable(
        "\(input.name): explains reports and names no process, as documentation does; paste the report of the app "
          + "that ended, with its head")
    }
    let isOther = form == .console && paste.pieces[0].report != nil
    guard isUnknown || isOther || paste.pieces.count > 1 || !paste.undone.isEmpty else {
      return nil
    }

    let others = paste.pieces.filter { $0.report != nil }
    console = paste.pieces.first {
      $0.report == nil && (others.isEmpty || Self.isAboutApp($0, app))
    }
    reports = console == nil ? others : []
    besides = console == nil ? [] : try Self.read(others, app)
    words = Self.words(paste)
  }

  /// Whether console lines are about an app: some that stand beside a report are about none.
  private static func isAboutApp(_ piece: Paste.Piece, _ app: String?) -> Bool {
    var source = ConsoleSource(options: .init(app: app))
    var events: [Event] = []
    do {
      try source.take(piece.bytes[...], into: &events)
      try source.finish(into: &events)
      // An end without a name is the report's own, cited.
      return source.tally.namelessEnds == 0
    } catch {
      return false
    }
  }

  private static func read(_ pieces: [Paste.Piece], _ app: String?) throws -> [TerminationReport] {
    if pieces.isEmpty { return [] }
    var source = ReportSource(app: app)
    var events: [Event] = []
    for piece in pieces { try source.take(piece, into: &events) }
    try source.finish(into: &events)
    return source.reports
  }

  private static func words(_ paste: Paste) -> String? {
    let read = paste.pieces.map { piece in
      let (first, last) = (piece.numbers.first ?? 0, piece.numbers.last ?? 0)
      return piece.name + (first == last ? " (line \(first))" : " (lines \(first)-\(last))")
    }
    var words = "read \(read.joined(separator: ", "))"
    if paste.leftOut > 0 { words += "; passed over \(CountText.of(paste.leftOut, "other line"))" }
    if !paste.undone.isEmpty { words += "; undid \(paste.undone.joined(separator: ", "))" }
    return words
  }
}
