import LifecycleModel
import TraceAnalysis

/// The lines of the NDJSON form; the article `Formats` describes them.
enum FindingLine {
  /// The version of the lines; it changes when a member changes its meaning or goes.
  static let version = 1

  /// What stands in a `finding` or an `update` line beside the finding.
  struct Place: Equatable {
    /// The finding's name in the stream.
    var key: Int
    /// The key of the finding that has the same cause and tells more.
    var cause: Int? = nil
    /// How many findings of the fingerprint there are, and in how many logs, where that is said.
    var times: Times? = nil
  }

  struct Times: Equatable {
    var count: Int
    var logs: Int
  }

  private static func line(_ type: String, _ body: (inout JSONWriter) -> Void) -> String {
    var writer = JSONWriter(isOneLine: true)
    writer.object { writer in
      writer.string("type", type)
      body(&writer)
    }
    return writer.text
  }

  static func begin() -> String {
    line("begin") { writer in
      writer.string("schema", "tracectl-findings")
      writer.number("version", version)
    }
  }

  static func finding(_ finding: ReportedFinding, _ place: Place, isUpdate: Bool = false) -> String
  {
    line(isUpdate ? "update" : "finding") { writer in
      writer.number("key", place.key)
      writer.number("cause", place.cause)
      writer.string("log", finding.path)
      writer.string("rule", finding.rule)
      writer.string("severity", finding.severity.rawValue)
      writer.string("subject", finding.subject)
      writer.string("message", finding.message)
      writer.string("at", finding.codeLocation.map { "\($0.file):\($0.line)" })
      writer.string("fingerprint", finding.fingerprint)
      writer.number("ordinal", finding.ordinal)
      writer.number("occurrences", finding.occurrences)
      writer.number("elapsed", finding.elapsed)
      writer.number("allowed", finding.allowed)
      writer.array("witnesses", finding.witnesses, write)
      writer.strings("nearest", finding.nearest?.says ?? [])
      writer.string("baselineState", finding.baselineState?.rawValue)
      if let suppression = finding.suppression {
        writer.object("suppression") { writer in
          writer.string("reason", suppression.reason)
          writer.string("place", suppression.place)
        }
      }
      writer.number("count", place.times?.count)
      writer.number("logs", place.times?.logs)
    }
  }

  private static func write(_ writer: inout JSONWriter, _ witness: ReportedWitness) {
    writer.object { writer in
      writer.string("role", witness.role.rawValue)
      writer.string("writer", witness.event?.writer)
      writer.number("sequence", witness.event?.sequence)
      writer.number("instant", witness.event?.t)
      writer.string("line", witness.event?.line)
      if witness.isMissing { writeMissing(witness, &writer) }
    }
  }

  private static func writeMissing(_ witness: ReportedWitness, _ writer: inout JSONWriter) {
    writer.string("says", witness.says)
    writer.objects("awaited", witness.awaited ?? []) { writer, awaited in
      writer.string("verb", awaited.verb)
      writer.string("name", awaited.name)
      writer.string("subject", awaited.subject)
      writer.string("label", awaited.label)
      writer.number("value", awaited.value)
      writer.string("thread", awaited.thread)
    }

    for (key, place) in [("after", witness.after), ("before", witness.before)] {
      guard let place else { continue }
      writer.object(key) { writer in
        writer.string("writer", place.writer)
        writer.number("sequence", place.sequence)
      }
    }

    writer.number("until", witness.until)
    writer.number("backgroundTime", witness.backgroundTime)
  }

  static func unreadable(_ log: AnalysisResults.UnreadableLog) -> String {
    line("unreadable") { writer in
      writer.string("log", log.path)
      writer.string("error", log.error)
    }
  }

  static func cannotTell(_ tally: AnalysisResults.RuleTally) -> String {
    line("cannot-tell") { writer in
      writer.string("rule", tally.rule.id)
      writer.number("logs", tally.doubtful)
      writer.strings("reasons", tally.reasons)
    }
  }

  static func fixed(_ entry: Baseline.Entry) -> String {
    line("fixed") { writer in
      writer.string("rule", entry.rule)
      writer.string("severity", entry.severity)
      writer.string("subject", entry.subject)
      writer.string("message", entry.message)
      writer.string("fingerprint", entry.fingerprint)
      writer.number("count", entry.count)
    }
  }

  static func death(_ death: ReportedDeath) -> String {
    line("death") { writer in
      writer.string("log", death.log)
      writer.number("process", death.process.number)
      writer.number("pid", death.process.pid)
      writer.string("bundle", death.process.bundle)
      writer.number("instant", death.event.t)
      writer.string("class", death.class.rawValue)
      writer.string("cause", death.cause)
      writer.string("exitReason", death.exitReason)
      writer.string("text", death.text)
      writer.string("finding", death.finding)
    }
  }

  static func summary(_ results: AnalysisResults) -> String {
    let counts = results.standing
    return line("summary") { writer in
      writer.string("worst", results.worst?.rawValue)
      for severity in Severity.allCases.reversed() {
        writer.number(severity.rawValue, counts.counted[severity] ?? 0)
      }
      writer.number("known", counts.known)
      writer.number("accepted", counts.accepted)
      writer.number("fixed", counts.fixed)
      writer.number("logs", results.logs)
      writer.number("unreadable", results.unreadable.count)
      writer.number("deaths", results.ended)
      writer.number(
        "faults", results.deaths.filter { $0.class == .fault }.reduce(0) { $0 + $1.count })
      writer.number("events", results.events)
      writer.number("gaps", results.gaps)
      writer.number("violated", results.rules.count { $0.violated > 0 })
      writer.number("cannotTell", results.rules.count(where: \.isDoubtful))
      writer.number(
        "satisfied",
        results.rules.count { $0.violated == 0 && $0.doubtful == 0 && $0.satisfied > 0 })
      let cut = results.groups.filter { $0.count > $0.examples.count }
      writer.objects("leftOut", cut) { writer, group in
        writer.string("fingerprint", group.fingerprint)
        writer.number("count", group.count - group.examples.count)
      }
    }
  }

  /// What stands behind the findings.
  static func end(_ results: AnalysisResults) -> String {
    results.verdicts.map(death).joined() + results.unreadable.map(unreadable).joined()
      + results.rules.filter(\.isDoubtful).map(cannotTell).joined()
      + results.fixed.map(fixed).joined() + summary(results)
  }
}
