import LifecycleModel
import Run
import TraceAnalysis
import TraceText

/// What a trace is about: the app, its process, the system and the device, by the semantic conventions.
struct OTLPResource {
  /// The names of systems, by the words of profiles.
  private static let systems = LogIdentification.platforms.merging(["catalyst": "macOS"]) { $1 }

  /// The id of the trace: of the same process the same in each export.
  let traceID: String
  private let details: [ExportDetail]

  /// The resource of a process, as far as it is known; what is known of its end holds from its start on.
  init(
    _ head: ExportHead, _ said: StartWords, _ profile: Profile,
    _ end: DeathVerdict.Process?, _ identity: [String]
  ) {
    let service = (end?.bundle ?? said.bundle).map { InertText.word($0) } ?? head.app
    let pid = end?.pid ?? said.pid
    let platform = profile.platform?.lowercased()
    let isLinux = platform == "linux"
    traceID = OTLPResource.id([service, pid.map(String.init) ?? ""] + identity)

    let words: [(String, String?)] = [
      ("service.name", service), ("service.version", said.version),
      ("app.build_id", said.build), ("app.installation.id", profile.install),
      ("os.type", platform.map { _ in isLinux ? "linux" : "darwin" }),
      ("os.name", platform.map { OTLPResource.systems[$0] ?? $0 }),
      // On Linux it is that of the system whose rules it plays.
      ("os.version", isLinux ? nil : said.os),
      ("device.manufacturer", platform == nil || isLinux ? nil : "Apple"),
      ("device.model.identifier", profile.device),
      ("tracectl.clock", head.clockRemark),
    ]
    let known = words.compactMap { key, word in
      word.map { ExportDetail(key, InertText.line($0)) }
    }
    details = known + [pid.map { ExportDetail("process.pid", Int64($0)) }].compactMap(\.self)
  }

  /// The resource as the schema has it.
  var json: JSONTree { ["attributes": OTLPSpan.attributes(details)] }

  /// 128 bits of a hash of words as 32 hexadecimal digits.
  private static func id(_ words: [String]) -> String {
    let halves = ["first half", "second half"].map { half in
      var hash = CausalHash()
      for word in [half] + words { hash.mix(word) }
      return hash.digits
    }
    return halves.joined()
  }
}

/// The verdict on the end of a process, and the same in words.
struct OTLPEnd {
  let verdict: DeathVerdict
  private let words: ReportedDeath

  /// The ends of an analysis by the places of their processes, with what was reported of them: the results of one
  /// log keep the order of its verdicts.
  static func all(_ analysis: Analysis, _ results: AnalysisResults) -> [Int: OTLPEnd] {
    let ends = zip(analysis.deaths.verdicts, results.verdicts).map {
      ($0.process.number, OTLPEnd(verdict: $0, words: $1))
    }
    return Dictionary(ends) { first, _ in first }
  }

  /// Notes it in the span of its process, the exception or the signal of a crash before it.
  func note(in notes: inout OTLPNotes, at instant: Instant) {
    if verdict.manner == .crash {
      let said = words.event[.reason] ?? verdict.sentence
      let exception = [
        ExportDetail("exception.type", InertText.line(verdict.exception ?? verdict.cause)),
        ExportDetail("exception.message", InertText.line(said)),
      ]
      notes.keep(OTLPNote(name: "exception", instant: instant, details: exception))
    }

    let known: [(String, String?)] = [
      ("manner", words.manner.rawValue), ("class", words.class.rawValue), ("cause", verdict.cause),
      ("exit_reason", words.exitReason), ("code", words.code), ("namespace", verdict.namespace),
      ("verdict", words.text),
    ]
    let details = known.compactMap { key, word in
      word.map { ExportDetail("tracectl." + key, InertText.line($0)) }
    }
    notes.keep(OTLPNote(name: "tracectl.end", instant: instant, details: details))
    let isBad = verdict.deathClass == .fault || verdict.deathClass == .unexplained
    if isBad { notes.error = words.text }
  }
}
