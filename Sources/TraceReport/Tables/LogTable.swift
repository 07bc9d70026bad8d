/// A table in which logs can be asked for: by SQL, in CSV or NDJSON.
///
/// All forms have the same tables and columns, which the article `Tables` explains. Instants and lengths are
/// whole nanoseconds; `ts` counts from the log's origin.
package enum LogTable: String, CaseIterable, Sendable {
  case logs, processes, events, spans, states, findings, witnesses, rules, gaps, durations

  /// The version of all tables; it changes when a column changes its meaning or goes.
  package static let schemaVersion = 1

  /// What a row is, in a phrase.
  package var row: String {
    switch self {
    case .logs: "a log, also one that cannot be read"
    case .processes: "a process and how it ended; fleets call it a session"
    case .events: "an event"
    case .spans: "something with a begin and an end"
    case .states: "a stretch of time in one state, of the app or of a scene"
    case .findings: "a finding"
    case .witnesses: "a piece of a finding's evidence"
    case .rules: "what one rule concluded"
    case .gaps: "a place where events are missing"
    case .durations: "how often something took this long"
    }
  }

  /// The columns, in order; the first is the log's name.
  package var columns: [TableColumn] {
    switch self {
    case .logs: TableColumn.logs
    case .processes: TableColumn.processes
    case .events: TableColumn.events
    case .spans: TableColumn.spans
    case .states: TableColumn.states
    case .findings: TableColumn.findings
    case .witnesses: TableColumn.witnesses
    case .rules: TableColumn.rules
    case .gaps: TableColumn.gaps
    case .durations: TableColumn.durations
    }
  }

  /// The place of the column with this name; `nil` when there is none.
  package func place(of column: String) -> Int? { columns.firstIndex { $0.name == column } }
}

/// A column of a ``LogTable``.
package struct TableColumn: Hashable, Sendable {
  /// What its values are.
  package enum Kind: String, Sendable {
    /// 64 bits with a sign.
    case integer
    /// UTF-8.
    case text
    /// True or false; SQLite has 1 and 0.
    case boolean
  }

  /// Its name, of lower-case letters and underscores.
  package let name: String
  /// What its values are.
  package let kind: Kind
  /// What a value says, in a phrase.
  package let meaning: String

  private static func integer(_ name: String, _ meaning: String) -> TableColumn {
    TableColumn(name: name, kind: .integer, meaning: meaning)
  }

  private static func text(_ name: String, _ meaning: String) -> TableColumn {
    TableColumn(name: name, kind: .text, meaning: meaning)
  }

  private static func boolean(_ name: String, _ meaning: String) -> TableColumn {
    TableColumn(name: name, kind: .boolean, meaning: meaning)
  }

  private static let log = text("log", "the log's file, as it was named")
  private static let process = integer(
    "process",
    "its process in the log, from 1; NULL between processes, and of what tells of the next")

  fileprivate static let logs = [
    log, text("error", "why the log cannot be read, or was not read to its end"),
    text("id", "the log's own id, which copies of it share"),
    integer("events", "how many events it has"), integer("ts", "its first instant"),
    integer("dur", "the time from its first instant to its last"),
    integer("awake", "the part of dur in which no process was suspended"),
    integer("gaps", "in how many places events are missing"),
    integer("missing", "how many events are known to be missing"),
    integer("findings_left_out", "findings without a row: of a fingerprint 20 have one"),
    text("mode", "app or scene: which delegates UIKit calls"), text("platform", "such as ios"),
    text("os", "the system's version"), text("sdk", "the SDK's version"),
    text("app", "the app's bundle identifier"), text("version", "the app's version"),
    text("build", "the app's build"), text("device", "the device's model, such as iPhone16,2"),
    text("install", "a number for the installation, which says nothing of the person"),
    text("hooks", "what was recorded, separated by commas"),
    text("profile", "all that the log says of its app, as JSON"),
    integer("origin", "the wall clock at ts 0: nanoseconds since 1970"),
  ]

  fileprivate static let processes = [
    log, integer("process", "its place in the log, from 1"), integer("ts", "when it began"),
    integer(
      "dur", "the time until its end, or until the log's end; NULL where only the end is known"),
    integer("awake", "the part of dur in which it was not suspended"),
    integer("foreground", "the part of awake in which the app was active or inactive"),
    integer("background", "the part of awake in which the app was in the background"),
    integer("pid", "its number in the system"), text("launch", "why it was launched"),
    text("bundle", "the app's bundle identifier"), text("version", "the app's version"),
    text("build", "the app's build"), text("os", "the system's version"),
    boolean("ended", "whether it ended, seen or unseen"),
    text("manner", "exit, crash, kill or silent"),
    text("exit_reason", "what MetricKit would count the end under"),
    text("class", "fault, unexplained, normal or unknown"),
    text("cause", "what ended it, in a word: 0x8badf00d, SIGSEGV, highwater"),
    text("code", "the termination code, such as 0x8badf00d"),
    text("namespace", "the namespace of the code"),
    text("reason", "what the system, or the exception, said"),
    text("audience", "visible, not-visible or unknown: whether anybody was looking"),
    text("state", "the app's last state"),
    boolean("normal", "whether it is a normal end; NULL when that is not known"),
    text("explained_kind", "what explains the end: task, lock, main-thread"),
    text("explained_label", "the name or label of what explains it"),
    boolean("code_fits", "whether the log shows what the code means"),
    integer("rules_told", "how many rules judged it"),
    integer("rules_untold", "how many rules cannot tell about it"),
    text("verdict", "how it ended, in words"),
  ]

  fileprivate static let events = [
    log, integer("event", "its place in the log, from 1"), integer("ts", "when it happened"),
    text("writer", "the thread that recorded it; main, or - for the system"),
    integer("sequence", "its place among those of its writer, from 1"),
    text("verb", "what kind of event it is: call, notify, task.begin"),
    text("name", "the callback, notification or category"),
    text("subject", "what it is about: app, scene:1, task:2"),
    text("label", "the app's own word"), integer("value", "its number; the verb says of what"),
    text("attributes", "further facts, as JSON"), process,
    text("app", "the app's state before it"),
  ]

  fileprivate static let spans = [
    log, integer("span", "its place among the log's spans, by begin, from 1"),
    text(
      "kind",
      "callback, observer, work, task, expiration, bgtask, held, unsaved, delivery, snapshot or suspended"
    ),
    text("name", "the callback, category, resource or identifier"),
    text("label", "the app's own word"), text("subject", "what it is about: scene:1, task:2"),
    text("writer", "the thread that began it"), integer("ts", "when it began"),
    integer("dur", "the time until its end; what did not end lasts to its process's or log's end"),
    text(
      "ended",
      "closed, process-ended, end-of-log, gap (events are missing in between) or disorder (a clock went back)"
    ),
    integer("awake", "the part of dur in which the process was not suspended"),
    integer("allowed", "the time that the system allows for it"),
    integer("background", "the part of awake in which the app was in the background"),
    integer("inactive", "the part of awake in which the app was not active"),
    text("app", "the app's state when it began"), integer("event", "the event that began it"),
    integer("end_event", "the event that ended it; NULL unless ended is closed, gap or disorder"),
    integer("parent", "the span in which it lies on its thread"), process,
  ]

  fileprivate static let states = [
    log, text("subject", "app, or a scene such as scene:1"),
    text("state", "the state's name in UIKit"), integer("ts", "when it began"),
    integer("dur", "the time until the next state, or the end of process or log"),
    text("ended", "closed, process-ended, end-of-log or gap (too much is open to follow it)"),
    integer("event", "the event that brought it about"), process,
  ]

  fileprivate static let findings = [
    log, integer("finding", "its place among the log's findings, from 1"),
    integer("parent", "the finding of the same cause under which it stands"),
    text("rule", "the rule that was broken"), text("severity", "error, warning or info"),
    text("subject", "what it is about"), text("message", "what is wrong, in words"),
    text("fingerprint", "the same for the same bug in other logs"),
    integer("ts", "when its culprit happened"), integer("event", "its culprit"),
    integer("elapsed", "the time that it took"), integer("allowed", "the time that was allowed"),
    integer("occurrences", "how often it happened in the same window"),
    boolean("accepted", "whether the configuration accepts it"),
    text("baseline", "new or known; NULL without a baseline"), process,
  ]

  fileprivate static let witnesses = [
    log, integer("finding", "the finding"),
    text("role", "opens, culprit, closes or missing"),
    integer("event", "the event; NULL for what is missing"),
    text("says", "the event, or what is missing, in notation"),
    integer("until", "when what is missing was due"),
  ]

  fileprivate static let rules = [
    log, text("rule", "the rule"), text("severity", "how serious its findings are at the most"),
    text("verdict", "violated, satisfied, cannot-tell or not-applicable"),
    text("reason", "why it cannot tell, or does not apply"),
    integer("checks", "how often it found all as it should be"),
  ]

  fileprivate static let gaps = [
    log, integer("event", "its place in the log, from 1"),
    integer("ts", "when it begins"), integer("dur", "the time until events come again"),
    text("cause", "why events are missing"),
    integer("missing", "how many; NULL when that is not known"),
    text("writer", "whose events; NULL when that is not known"), process,
  ]

  fileprivate static let durations = [
    log, process, text("kind", "as in spans"), text("name", "as in spans"),
    text("label", "as in spans"),
    integer("bucket", "the shortest awake time of the bucket"),
    integer("count", "how many spans that closed fall into it"),
  ]
}
