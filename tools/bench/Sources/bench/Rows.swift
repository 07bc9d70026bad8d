import CBench
import LifecycleModel
import TraceLog

/// The events of a log as rows of numbers, for programs that write them in other forms.
enum Rows {
  static func write(_ log: String, to path: String) throws {
    let sink = try FileLogSink(path: path, .replace)
    try Bench.decode(log) { events in
      let rows = events.map { event in
        bench_row(
          nanoseconds: event.instant.nanoseconds, value: event.rawValue,
          name: event.name.rawValue, label: event.label.rawValue, subject: event.subjectNumber,
          writer: event.writer.rawValue, verb: event.verb.code,
          kind: event.subjectKind.rawValue | (event.hasValue ? 128 : 0))
      }
      try rows.withUnsafeBytes { try sink.write($0) }
    }
    try sink.close()
  }
}
