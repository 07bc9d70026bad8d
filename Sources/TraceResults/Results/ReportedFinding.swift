import LifecycleModel
import LifecycleRules
import TraceAnalysis
import TraceText

/// A finding in words: it stands by itself, without the log's vocabulary.
///
/// All texts that are shown are inert: no control characters, and words that hold blanks or marks are
/// quoted as in notation.
package struct ReportedFinding: Hashable, Encodable, Sendable {
  package var log: String
  package var ordinal: UInt64
  package var number: Int
  package var rule: String
  package var severity: Severity
  package var subject: String
  package var message: String
  /// Why it matters and what to do, where that is not what its rule says.
  package var why: String?
  package var remedy: String?
  package var fingerprint: String
  package var occurrences: Int
  package var state: Finding.State?
  package var elapsed: Nanoseconds?
  package var allowed: Nanoseconds?
  package var witnesses: [ReportedWitness]
  package var nearest: ReportedNearest?
  package var profile: ReportedAttributes?
  package var baselineState: Finding.BaselineState?
  package var ending: String?
  package var suppression: Finding.Suppression?
  package var dependents: [ReportedFinding]

  /// Whether it may make a command fail: nobody has accepted it, and no baseline has it.
  package var isCounted: Bool {
    suppression == nil && baselineState != .known
  }

  /// What is said of it, and of any finding of its rule where it says nothing of its own.
  package func advice(_ rule: RuleDescription) -> (why: String, remedy: String) {
    (why ?? rule.why, remedy ?? rule.remedy)
  }

  /// The event that is wrong.
  package var culprit: ReportedWitness? { witnesses.first { $0.role == .culprit } }

  /// The event at which it stands: its culprit, else the first that is known of it.
  package var anchor: ReportedEvent? {
    culprit?.event ?? witnesses.lazy.compactMap(\.event).first
  }

  /// When it is: at its culprit, else at another event, else at a deadline; `nil` when it has no instant.
  package var instant: Instant? {
    anchor?.instant ?? witnesses.lazy.compactMap(\.until).first
  }

  /// The line of the log where it is; `nil` when the log is no text.
  package var sourceLine: Int? { anchor?.sourceLine }

  /// The line of the app's code where it is: that of the culprit, else of what opened its window;
  /// `nil` when the log does not say.
  package var codeLocation: CodeLocation? {
    CodeLocation(culprit?.at)
      ?? witnesses.lazy.compactMap { CodeLocation($0.at) }.first
  }

  /// A finding of the log that is named so, whose events belong to `vocabulary`.
  ///
  /// `lines` are those of the events, when the log is a text; `profile` is the one at the end of the log.
  package init(
    _ finding: Finding, of log: String, _ vocabulary: Vocabulary, _ lines: EventLines? = nil,
    profile: Profile? = nil
  ) {
    let printer = TraceNotation.Printer(vocabulary: vocabulary)
    self.log = log
    (ordinal, number) = (finding.ordinal, finding.number)
    rule = finding.rule
    severity = finding.severity
    subject = finding.subject.description
    message = finding.message
    (why, remedy) = (finding.why, finding.remedy)
    fingerprint = finding.fingerprint
    occurrences = finding.occurrences

    (state, elapsed, allowed) = (finding.state, finding.elapsed, finding.allowed)
    witnesses = finding.witnesses.map { ReportedWitness($0, printer, lines) }
    nearest = finding.nearest.map { nearest in
      ReportedNearest(nearest, vocabulary, isMissing: finding.isNearestMissing(vocabulary))
    }

    if let profile, finding.profile != profile {
      self.profile = ReportedAttributes(list: finding.profile.attributes)
    }
    suppression = finding.suppression
    dependents = finding.dependents.map {
      ReportedFinding($0, of: log, vocabulary, lines, profile: profile)
    }
  }
}

extension Finding.State: Encodable {
  /// Writes the state, and the same in words.
  public func encode(to encoder: any Encoder) throws {
    try encoder.write([
      "app": app, "scene": scene, "suspended": isSuspended, "says": description,
    ])
  }
}

extension RuleRegistry {
  private static let aboutRecording = Set(
    all.map(\.description).filter(\.isAboutRecording).map(\.id))

  /// Whether a rule's findings are about the recording, and not about the app.
  package static func isAboutRecording(_ id: String) -> Bool { aboutRecording.contains(id) }
}

extension ReportedFinding {
  /// Whether it is about the recording, and not about the app.
  package var isAboutRecording: Bool { RuleRegistry.isAboutRecording(rule) }
}
