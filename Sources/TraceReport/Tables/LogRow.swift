import LifecycleModel
import TraceAnalysis

/// A row of `logs`.
struct LogRow: TableRow {
  var error, id: String?
  var origin: Int64?
  /// What is known of a log that was read, and its words.
  var analysis: Analysis?
  var vocabulary: Vocabulary?

  static let meaning = "a log, also one that cannot be read"
  static let columns: [Column<LogRow>] =
    [
      Column("error", "why the log cannot be read, or was not read to its end") { $0.error },
      Column("id", "the log's own id, which copies of it share") { $0.id },
      Column("events", "how many events it has") { $0.analysis?.eventCount },
      Column("ts", "its first instant") { $0.analysis?.extent?.lowerBound.nanoseconds },
      Column("dur", "the time from its first instant to its last") {
        $0.analysis?.extent.map { $0.upperBound.since($0.lowerBound) }
      },
      Column("awake", "the part of dur in which no process was suspended") { $0.analysis?.awake },
      Column("gaps", "in how many places events are missing") { $0.analysis?.gaps.count },
      Column("missing", "how many events are known to be missing") { $0.analysis?.gaps.events },
      Column(
        "findings_left_out", "findings without a row: of a fingerprint 20 have one"
      ) { $0.analysis?.findingsLeftOut.values.reduce(0, +) },
    ] + cohort.map { Column($0.name, $0.meaning, $0.value) } + [
      Column("install", "a number for the installation, which says nothing of the person") {
        $0.profile?.install
      },
      Column("hooks", "what was recorded, separated by commas") { $0.profile?.attributes[.hooks] },
      Column("profile", "all that the log says of its app, as JSON") {
        $0.profile.flatMap { $0.attributes.isEmpty ? nil : $0.attributes.json }
      },
      Column("origin", "the wall clock at ts 0: nanoseconds since 1970") { $0.origin },
    ]

  /// The columns by which other tables can be summed.
  private static let cohort:
    [(name: String, meaning: String, value: @Sendable (LogRow) -> String?)] =
      [
        ("mode", "app or scene: which delegates UIKit calls", { $0.profile?.mode?.rawValue }),
        ("platform", "such as ios", { $0.profile?.platform }),
        ("os", "the system's version", { $0.profile?.os }),
        ("sdk", "the SDK's version", { $0.profile?.sdk }),
        ("app", "the app's bundle identifier", { $0.profile?.app ?? $0.start?[.bundle] }),
        ("version", "the app's version", { $0.profile?.version }),
        ("build", "the app's build", { $0.profile?.build }),
        ("device", "the device's model, such as iPhone16,2", { $0.profile?.device }),
      ]

  private var profile: Profile? { analysis?.profile }

  /// What the start of its last process states.
  private var start: [Attribute]? {
    analysis?.state.processStart.flatMap { vocabulary?.attributes($0.event.attributes) }
  }

  /// The values of some of the columns of ``LogTable/cohortColumns``.
  func cohort(_ columns: [TableColumn]) -> [String?] {
    columns.map { column in LogRow.cohort.first { $0.name == column.name }?.value(self) }
  }
}

extension LogTable {
  /// The columns of `logs` by which `durations` and `rules` can be summed.
  package static var cohortColumns: [TableColumn] {
    ["app", "version", "build", "os", "device", "platform", "sdk", "mode"].compactMap { name in
      LogTable.logs.columns.first { $0.name == name }
    }
  }
}
