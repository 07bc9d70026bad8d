import LifecycleModel
import TraceAnalysis
import TraceText

/// Results as workflow commands that annotate a run on GitHub.
///
/// GitHub shows ten annotations of each kind and step: the most serious come first, and the rest is
/// counted.
struct GitHubReport {
  /// The largest number of annotations of a kind that are shown.
  static let shown = 10

  let results: AnalysisResults

  /// A command.
  struct Annotation {
    var kind: String
    var log: String?
    var line: Int?
    var title: String
    var lines: [String]

    /// Its text, with the end of the line.
    var command: String {
      let file = log.flatMap { $0 == "-" ? nil : "file=\(InertText.commandProperty($0))," } ?? ""
      let place = file.isEmpty ? "" : file + (line.map { "line=\($0)," } ?? "")
      return "::\(kind) \(place)title=\(InertText.commandProperty("tracectl: \(title)"))"
        + "::\(InertText.commandMessage(lines))\n"
    }
  }

  /// The commands, one a line; the same results give the same text.
  var text: String {
    let all = unreadable + findings + unknownWords
    let kinds = ["error", "warning", "notice"].map { kind in all.filter { $0.kind == kind } }
    let others = others
    let hasRest = !others.isEmpty || kinds.contains { $0.count > GitHubReport.shown }

    // The last notice takes the place of one: it counts what is not shown.
    let rooms = [0, 0, hasRest ? 1 : 0].map { GitHubReport.shown - $0 }
    let shown = zip(kinds, rooms).flatMap { $0.prefix($1) }.map(\.command).joined()
    if !hasRest { return shown }
    let left = zip(kinds, rooms).compactMap { ofKind, room in
      ofKind.dropFirst(room).first.map { CountText.of(ofKind.count - room, "more \($0.kind)") }
    }
    let rest = Annotation(
      kind: "notice", title: "not shown",
      lines: [(left + others).joined(separator: ", ")])
    return shown + rest.command
  }

  private var unreadable: [Annotation] {
    results.unreadable.map {
      Annotation(
        kind: "error", log: $0.path, title: "a log cannot be read", lines: [$0.error])
    }
  }

  private var unknownWords: [Annotation] {
    results.unknownWords.map { unknown in
      let line = unknown.word.places.first.flatMap { place in
        place.hasPrefix("line ") ? Int(place.dropFirst(5)) : nil
      }
      return Annotation(
        kind: "notice", log: unknown.log, line: line, title: "unknown word",
        lines: [unknown.word.text])
    }
  }

  private var findings: [Annotation] {
    let counted = results.issues.filter(\.finding.isCounted)
    let mains = counted.filter { $0.cause == nil }
    let shownUnder = Set(
      mains.flatMap(\.finding.dependents).filter(\.isCounted).map(\.fingerprint))
    let apart = counted.filter { issue in
      issue.cause == nil || !shownUnder.contains(issue.finding.fingerprint)
    }

    return apart.map { issue in
      let finding = issue.finding
      let also = finding.dependents.filter(\.isCounted).map {
        "also \(results.title(ofRule: $0.rule)): \($0.message)"
      }
      return Annotation(
        kind: finding.severity.annotation,
        log: finding.annotated.file,
        line: finding.annotated.line,
        title: results.title(ofRule: finding.rule),
        lines: [issue.message] + (results.remedy(finding).map { ["fix: \($0)"] } ?? [])
          + (finding.nearest?.says ?? []).map { "legal: \($0)" } + also
          + (finding.codeLocation == nil ? [] : ["log: \(finding.path)"]))
    }
  }

  /// What has no annotation.
  private var others: [String] {
    let counts = results.standing
    let doubtful = results.rules.count(where: \.isDoubtful)
    var others: [String] = []

    // An end that no error reports, since somebody knows or accepts it, or nothing explains it.
    if let ending = results.ending, ending.worst != .normal, counts.counted[.error] == nil {
      others.append(ending.text)
    }

    others += counts.uncounted
    if doubtful > 0 { others.append(CountText.of(doubtful, "rule") + " cannot tell") }
    return others
  }
}

extension Severity {
  /// The kind of its annotations.
  var annotation: String { self == .info ? "notice" : rawValue }
}
