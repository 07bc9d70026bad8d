import LifecycleModel
import TraceAnalysis
import TraceText

/// An analysis for programs: the article `JSONReportFormat` describes each member.
///
/// ```swift
/// import LifecycleModel
/// import TraceAnalysis
/// import TraceReport
///
/// func jsonReport(of trace: Trace) -> String {
///   JSONReport(Analyzer.analyze(trace), trace.vocabulary).text
/// }
/// ```
public struct JSONReport {
  /// The version of the schema; it changes when a member changes its meaning or goes.
  public static let version = 2
  /// How many open things are told; an app that leaks them has tens of thousands.
  static let toldOpen = 100

  let analysis: Analysis
  let vocabulary: Vocabulary
  private let clock: WallClock?
  private let printer: NDJSON.Printer

  /// Makes a report of an analysis of a trace with this vocabulary.
  ///
  /// `clock` is what the log knows of the wall clock.
  public init(_ analysis: Analysis, _ vocabulary: Vocabulary, clock: WallClock? = nil) {
    self.analysis = analysis
    self.vocabulary = vocabulary
    self.clock = clock
    printer = NDJSON.Printer(vocabulary: vocabulary)
  }

  /// The whole text; the same analysis gives the same text.
  public var text: String {
    var writer = JSONWriter()
    writer.object { writer in
      writer.string("schema", "tracectl-analysis")
      writer.number("version", JSONReport.version)
      writer.array("verdicts", analysis.deaths.verdicts, write)
      writer.number("verdictsLeftOut", analysis.deaths.count - analysis.deaths.verdicts.count)
      writer.array("deaths", DeathsText.rows(analysis.deaths.counts)) { writer, row in
        writer.object { writer in
          writer.string("class", row.deathClass.rawValue)
          writer.string("cause", row.cause)
          writer.string("exitReason", row.exitReason?.rawValue)
          writer.number("count", row.count)
        }
      }
      writeOverview(&writer)
      writeAttributes("profile", analysis.profile.attributes, &writer)
      writer.array("findings", analysis.findings, write)
      writer.array("findingsLeftOut", analysis.findingsLeftOut.sorted { $0.key < $1.key }) {
        writer, entry in
        writer.object { writer in
          writer.string("fingerprint", entry.key)
          writer.number("count", entry.value)
        }
      }
      if !analysis.unknownWords.isEmpty {
        writer.array("unknownWords", analysis.unknownWords, write)
      }
      if let comparison = analysis.comparison { write(&writer, comparison) }
      writer.array("milestones", analysis.milestones.first + analysis.milestones.last, write)
      writer.number("milestonesLeftOut", analysis.milestones.leftOut)
      writeEnd(&writer)
      writer.array("rules", analysis.outcomes, write)
      SuppressionText(analysis.suppressions).write(&writer)
      if let statistics = analysis.statistics { writer.statistics(statistics) }
    }
    return writer.text
  }

  private func writeOverview(_ writer: inout JSONWriter) {
    writer.object("overview") { writer in
      writer.number("events", analysis.eventCount)
      writer.number("first", analysis.extent?.lowerBound.nanoseconds)
      writer.number("last", analysis.extent?.upperBound.nanoseconds)
      writer.number("origin", clock.flatMap { $0.isDated ? $0.origin : nil })
      writer.number("awake", analysis.awake)
      writer.number("gaps", analysis.gaps.count)
      writer.number("missingEvents", analysis.gaps.events)
      writer.number("disorder", analysis.disorder)
    }
  }

  private func writeAttributes(
    _ key: String, _ attributes: [Attribute], _ writer: inout JSONWriter
  ) {
    if attributes.isEmpty { return writer.raw(key, "{}") }
    writer.object(key) { writer in
      for attribute in attributes { writer.string(attribute.key, attribute.value) }
    }
  }

  private func write(_ writer: inout JSONWriter, _ finding: Finding) {
    writer.object { writer in
      writer.string("rule", finding.rule)
      writer.string("severity", finding.severity.rawValue)
      writer.string("subject", finding.subject.description)
      writer.string("message", finding.message)
      writer.string("fingerprint", finding.fingerprint)
      writer.number("occurrences", finding.occurrences)
      if let state = finding.state {
        writer.object("state") { writer in
          writer.string("app", state.app?.rawValue)
          writer.string("scene", state.scene?.rawValue)
          writer.raw("suspended", state.isSuspended ? "true" : "false")
        }
      }
      writer.number("elapsed", finding.elapsed)
      writer.number("allowed", finding.allowed)
      writer.array("witnesses", finding.witnesses) { writer, witness in
        writer.object { writer in
          writer.string("role", witness.role.rawValue)
          if let event = witness.event { writeEvent(event, &writer) }
          if witness.missing != nil {
            ToldWitness(witness, TraceNotation.Printer(vocabulary: vocabulary))?
              .writeMissing(&writer)
          }
        }
      }
      if let nearest = finding.nearest {
        NearestText(vocabulary: vocabulary).write(nearest, &writer)
      }
      writer.string("baselineState", finding.baselineState?.rawValue)
      if let suppression = finding.suppression {
        writer.object("suppression") { writer in
          writer.string("reason", suppression.reason)
          writer.string("place", suppression.place)
        }
      }
      if finding.profile != analysis.profile {
        writeAttributes("profile", finding.profile.attributes, &writer)
      }
      if !finding.dependents.isEmpty { writer.array("dependents", finding.dependents, write) }
    }
  }

  /// An event as a line of NDJSON, and its sequence, which that line does not have.
  func writeEvent(_ event: Event, _ writer: inout JSONWriter) {
    writer.number("sequence", event.sequence)
    var line: [UInt8] = []
    printer.append(event, to: &line)
    writer.raw("event", String(decoding: line.dropLast(), as: UTF8.self))
  }

  private func write(_ writer: inout JSONWriter, _ word: UnknownWord) {
    writer.object { writer in
      writer.string("kind", word.kind.rawValue)
      writer.string("word", word.word)
      writer.string("owner", word.owner)
      writer.string("near", word.near)
      writer.number("count", word.count)
      writer.array("places", word.places) { $0.string(nil, $1) }
      writer.string("text", word.text)
    }
  }

  private func write(_ writer: inout JSONWriter, _ milestone: Milestone) {
    writer.object { writer in
      switch milestone.kind {
      case .processStart: writer.string("kind", "process")
      case .app(let state):
        writer.string("kind", "app")
        writer.string("state", state.rawValue)
      case .scene(let connected):
        writer.string("kind", connected ? "scene-connected" : "scene-disconnected")
      case .snapshot: writer.string("kind", "snapshot")
      case .suspended(let isSuspended):
        writer.string("kind", isSuspended ? "suspended" : "resumed")
      case .gap: writer.string("kind", "gap")
      case .end: writer.string("kind", "end")
      case .note: writer.string("kind", "note")
      }
      writeEvent(milestone.event, &writer)
    }
  }

  private func writeEnd(_ writer: inout JSONWriter) {
    writer.object("end") { writer in
      writer.string("app", analysis.state.app?.state.rawValue)
      writer.number("since", analysis.state.app?.since.event.instant.nanoseconds)
      writer.raw("suspended", analysis.state.suspension == nil ? "false" : "true")
      writer.array("scenes", analysis.state.scenes) { writer, scene in
        writer.object { writer in
          writer.number("number", scene.number)
          writer.string("activation", scene.activation.rawValue)
          writer.number("since", scene.since.event.instant.nanoseconds)
        }
      }
      let open = analysis.state.open.facts
      writer.array("open", Array(open.prefix(JSONReport.toldOpen))) { writer, fact in
        writer.object { writer in writeEvent(fact.event, &writer) }
      }
      writer.number("openLeftOut", max(0, open.count - JSONReport.toldOpen))
    }
  }

  private func write(_ writer: inout JSONWriter, _ outcome: RuleOutcome) {
    writer.object { writer in
      writer.string("id", outcome.rule.id)
      writer.number("number", outcome.rule.number)
      writer.string("severity", outcome.rule.severity.rawValue)
      switch outcome.verdict {
      case .violated: writer.string("verdict", "violated")
      case .satisfied: writer.string("verdict", "satisfied")
      case .cannotTell(let doubts):
        writer.string("verdict", "cannot-tell")
        writer.array("reasons", doubts) { $0.string(nil, $1.reason) }
      case .notApplicable(let reason):
        writer.string("verdict", "not-applicable")
        writer.array("reasons", [reason]) { $0.string(nil, $1) }
      }
      writer.number("checks", outcome.checks)
    }
  }
}
