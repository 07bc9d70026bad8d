/// Names that a release before this one had, with what to use instead.
///
/// They are looked up when the arguments cannot be parsed, and are kept for one release.
struct Retired: CustomStringConvertible {
  /// A command, or an option with its command, or of any; its new name, and how that is used.
  private typealias Name = (old: String, new: String, usage: String)

  private static let names: [Name] = [
    ("slice", "copy", "tracectl copy IN -o OUT --from T --to T"),
    ("merge", "copy", "tracectl copy IN… -o OUT"),
    ("scrub", "copy", "tracectl copy IN -o OUT --scrub"),
    ("repair", "copy", "tracectl copy IN -o OUT"),
    ("merge-results", "analyze", "tracectl analyze LOG…, or tracectl export LOG… --tables all"),
    ("rules test", "config check", "tracectl config check"),
    ("rules show", "explain", "tracectl explain RULE"),
    ("rules", "explain", "tracectl explain"),
    (
      "completions", "--generate-completion-script",
      "tracectl --generate-completion-script bash|zsh|fish"
    ),
    ("manual", "--help", "tracectl COMMAND --help"),
    (
      "summary", "query --view summary", "tracectl query LOG --view summary, or tracectl verify LOG"
    ),
    ("record --with", "record --crash", "tracectl record --source console --crash REPORT"),
    ("analyze --results", "analyze", "tracectl analyze LOG…, or tracectl export LOG… --tables all"),
    ("report --against", "diff", "tracectl diff A B"),
    ("analyze --timeline", "timeline", "tracectl timeline LOG"),
    ("replay", "timeline", "tracectl timeline LOG --at MOMENT, or --changes"),
    ("baseline check", "analyze", "tracectl analyze LOG… --baseline FILE --fail-on info"),
    ("dump --context", "dump --lines", "tracectl dump LOG --around EVENT --lines COUNT"),
    ("dump --ndjson", "dump --format", "tracectl dump LOG --format ndjson"),
    ("dump --verb", "dump --only", "tracectl dump LOG --only VERB"),
    ("dump --writer", "dump --only", "tracectl dump LOG --only writer=WRITER"),
    ("dump --subject", "dump --only", "tracectl dump LOG --only subject=SUBJECT"),
    ("dump --label", "dump --only", "tracectl dump LOG --only label=LABEL"),
    ("explain --notation", "explain --format", "tracectl explain RULE --format notation"),
    ("explain --as", "explain --format", "tracectl explain RULE --format english, or automaton"),
    ("query --views", "query --view", "tracectl query --view"),
    ("tail --findings-only", "tail --quiet", "tracectl tail LOG --quiet"),
    ("timeline --ascii", "timeline --format", "tracectl timeline LOG --format ascii"),
    ("analyze --no-baseline", "analyze --baseline", "tracectl analyze LOG --baseline none"),
    ("record --ring-threads", "record --ring-size", "tracectl record --ring-size threads=COUNT"),
    ("record --ring-records", "record --ring-size", "tracectl record --ring-size records=COUNT"),
    ("record --ring-words", "record --ring-size", "tracectl record --ring-size words=SIZE"),
    ("--no-config", "--config", "--config none"),
    ("query --limit-rows", "query --no-limit", "tracectl query LOG… --no-limit SQL"),
    ("--mode", "--profile", "--profile mode=app, or mode=scene"),
    ("--os", "--profile", "--profile os=VERSION"),
    ("--background-modes", "--profile", "--profile background-modes=LIST"),
  ]

  private let name: Name

  /// Finds a command that went as the first of the arguments, or an option that the parser calls unknown in
  /// its `message`; `nil` when there is none.
  init?(_ arguments: [String], _ message: String = "") {
    func isMeant(_ name: Name) -> Bool {
      let words = name.old.split(separator: " ").map(String.init)
      if let option = words.last, option.hasPrefix("--") {
        return (words.count == 1 || words[0] == arguments.first)
          && message.contains("Unknown option '\(option)'")
      }
      let asked = arguments.first == "help" ? arguments.dropFirst() : arguments[...]
      return asked.starts(with: words)
    }
    guard let name = Retired.names.first(where: isMeant) else { return nil }
    self.name = name
  }

  var description: String { "'\(name.old)' is now '\(name.new)': \(name.usage)" }
}
