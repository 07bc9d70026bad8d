import LifecycleModel
import TraceText

/// What is said when the app does not appear.
extension AppIdentity {
  /// The most names that are listed.
  private static let maximumListed = 10

  /// The error: what was looked for, whose lines there are, and what to pass.
  var notFound: SourceError {
    if let wanted, !isSeen(wanted) { return notFound(wanted) }
    let whose = wanted.map { JSONText.quoted($0) } ?? "an app"
    var found = "only other lines about it"
    var remedy = "capture while the app starts and stops, without a message filter"

    if wanted == nil {
      let names = isKnown ? [] : Self.ordered(mentioned)
      found =
        names.isEmpty
        ? "only lines of " + Self.list(of: printing)
        : "lines about " + Self.list(of: names)
      if names.count > 1 { remedy = "pass --app with one of them" }
      if names.count == 1 { remedy = "pass --app \(JSONText.quoted(names[0]))" }
    }

    return SourceError(
      .appNotFound,
      expected: "the end of \(whose), or lifecycle lines such as \"Deactivation reason added\"",
      found: found, remedy: remedy)
  }

  /// Whether a line is about the app that was asked for; text that names no process may be anybody's.
  private func isSeen(_ wanted: String) -> Bool {
    isAnonymous && !mentioned.isEmpty
      ? mentioned[wanted] != nil : isKnown || printers[wanted] != nil
  }

  /// The error where nothing is about the app that was asked for.
  private func notFound(_ wanted: String) -> SourceError {
    let names =
      Self.ordered(mentioned) + printing.filter { mentioned[$0] == nil && $0 != wanted }
    let near = NearestWord.of(wanted.lowercased(), in: names.map { $0.lowercased() })
      .flatMap { near in names.first { $0.lowercased() == near } }
    let remedy =
      near.map { "did you mean \(JSONText.quoted($0))?" }
      ?? "pass --app with the process name or the bundle identifier"
    return SourceError(
      .appNotFound, expected: "lines about \(JSONText.quoted(wanted))",
      found: "only " + Self.list(of: names), remedy: remedy)
  }

  /// The processes that print: those that print most come first, the system's last.
  private var printing: [String] {
    let names = Self.ordered(printers.mapValues(\.lines))
    return names.filter { !Self.isSystemProcess($0) } + names.filter(Self.isSystemProcess)
  }

  private static func ordered(_ counts: [String: Int]) -> [String] {
    counts.sorted { ($1.value, $0.key) < ($0.value, $1.key) }.map(\.key)
  }

  private static func list(of names: [String]) -> String {
    if names.isEmpty { return "no process" }
    let more = names.count - maximumListed
    return names.prefix(maximumListed).map { JSONText.quoted(String($0.prefix(80))) }
      .joined(separator: ", ") + (more > 0 ? " and \(more) more" : "")
  }
}
