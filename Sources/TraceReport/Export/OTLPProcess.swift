import LifecycleModel
import Run
import TraceAnalysis
import TraceText

/// A process whose span is not written yet.
struct OTLPProcess {
  /// Its place in the log, from 1; 0 of a log that knows none.
  let number: Int
  let resource: OTLPResource
  private let start: Instant
  /// When it ended, or the log did.
  private(set) var end: Instant
  /// How it ended, in the tables' word.
  var ended = "end-of-log"
  /// What the event says that began it.
  private let mark: ExportMark
  private var profile: Profile

  init(
    _ number: Int, _ resource: OTLPResource, at start: Instant, _ profile: Profile,
    _ mark: ExportMark
  ) {
    (self.number, self.resource, self.start, end) = (number, resource, start, start)
    (self.profile, self.mark) = (profile, mark)
  }

  /// Whether it ended before the log did.
  var hasEnded: Bool { ended != "end-of-log" }

  /// Ends it; a profile may be that of the next process already.
  mutating func end(_ end: RunEnd, _ profile: Profile) {
    (self.end, ended) = (end.instant, end.word)
    if end.cause != .replaced { self.profile = profile }
  }

  /// Its span, with what its first event and its profile say.
  var span: OTLPSpan {
    var span = OTLPSpan(id: OTLPSpan.id(ofProcess: number), parent: nil, start: start, end: end)
    span.name = mark.name
    span.details = [
      ExportDetail("tracectl.span.kind", "process"), ExportDetail("tracectl.span.ended", ended),
    ]
    span.details += mark.details.map(\.ours) + profile.details
    return span
  }
}

/// What a trace is about: the app, its process, the system and the device, by the semantic conventions.
struct OTLPResource {
  /// The names of systems, by the words of profiles.
  private static let systems = [
    "ios": "iOS", "ipados": "iPadOS", "tvos": "tvOS", "visionos": "visionOS",
    "watchos": "watchOS", "catalyst": "macOS", "linux": "Linux",
  ]

  /// The id of the trace: of the same process the same in each export.
  let traceID: String
  private let details: [ExportDetail]

  /// The resource of a process, as far as it is known; what is known of its end holds from its start on.
  init(
    _ head: ExportHead, _ said: StartWords, _ profile: Profile, _ end: OTLPEnd?,
    _ identity: [String]
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

/// The end of a process, as its verdict has it.
struct OTLPEnd {
  /// The fingerprint of the finding that stands for it; `nil` when none does.
  private(set) var finding: String?
  private(set) var pid: Int?
  private(set) var bundle: String?
  private var details: [ExportDetail] = []
  /// The exception or the signal that it crashed with; empty of other ends.
  private var exception: [ExportDetail] = []
  /// The verdict, where the app ended badly; `nil` of other ends.
  private var error: String?

  /// An end on which no verdict is kept.
  init() {}

  private init(_ verdict: DeathVerdict, isOneOfSeveral: Bool, _ vocabulary: Vocabulary) {
    let text = DeathText(verdict, vocabulary, isOneOfSeveral: isOneOfSeveral).paragraph
    finding = verdict.finding
    (pid, bundle) = (verdict.process.pid, verdict.process.bundle)
    let code = verdict.code.map { "0x" + String($0, radix: 16) }
    let words: [(String, String?)] = [
      ("manner", verdict.manner.rawValue), ("class", verdict.deathClass.rawValue),
      ("cause", verdict.cause), ("exit_reason", verdict.reason?.rawValue), ("code", code),
      ("namespace", verdict.namespace), ("verdict", text),
    ]
    details = words.compactMap { key, word in
      word.map { ExportDetail("tracectl." + key, InertText.line($0)) }
    }

    if verdict.deathClass == .fault || verdict.deathClass == .unexplained { error = text }
    guard verdict.manner == .crash else { return }
    let said = vocabulary.attributes(verdict.end.attributes)[.reason] ?? verdict.sentence
    exception = [
      ExportDetail("exception.type", InertText.line(verdict.exception ?? verdict.cause)),
      ExportDetail("exception.message", InertText.line(said)),
    ]
  }

  /// The ends of an analysis whose events belong to `vocabulary`, by the places of their processes.
  static func all(_ analysis: Analysis, _ vocabulary: Vocabulary) -> [Int: OTLPEnd] {
    let isOneOfSeveral = analysis.deaths.count > 1
    let ends = analysis.deaths.verdicts.map {
      ($0.process.number, OTLPEnd($0, isOneOfSeveral: isOneOfSeveral, vocabulary))
    }
    return Dictionary(ends) { first, _ in first }
  }

  /// Notes it in the span of its process.
  func note(in notes: inout OTLPNotes, at instant: Instant) {
    if !exception.isEmpty {
      notes.keep(OTLPNote(name: "exception", instant: instant, details: exception))
    }
    notes.keep(OTLPNote(name: "tracectl.end", instant: instant, details: details))
    notes.error = error ?? notes.error
  }
}
