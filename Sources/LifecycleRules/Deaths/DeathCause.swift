import LifecycleModel
import Run
import TraceAnalysis

/// A row of the table of causes: what a code, a word or a signal means, whose fault it is, what a
/// trace shows before it, and who says so.
public struct DeathCause: Sendable {
  /// What names the cause.
  public enum Kind: String, CaseIterable, Sendable {
    /// A termination code.
    case code
    /// A reason of jetsam, which frees memory.
    case jetsam
    /// A signal.
    case signal
    /// A namespace, whatever its code.
    case namespace
    /// A word that the system, or who records, gives as the reason.
    case word
    /// None of these: how the process ended is all that is known.
    case manner
  }

  /// Whose doing it is.
  public enum Bearing: String, CaseIterable, Sendable {
    /// The app's.
    case fault
    /// Nobody's: it is normal where nobody looks, and not explained where somebody does.
    case audience
    /// Not the app's.
    case innocent
    /// The process goes on.
    case noDeath = "no-death"
  }

  /// What names it.
  public let kind: Kind
  /// The word that reports count it by, such as `0x8badf00d`, `SIGSEGV` or `highwater`.
  public let word: String
  /// Its number: the code, the signal's number, jetsam's own number, the namespace's.
  public let number: UInt64?
  /// Other words for the same.
  let otherWords: [String]
  /// Parts of the sentences in which the system says the same, in lower case.
  let phrases: [String]
  /// What it means, to stand behind "the system killed the app: ".
  public private(set) var meaning: String
  /// Whose doing it is.
  public let bearing: Bearing
  /// The reason that MetricKit counts it under; `nil` when no source says.
  public let exitReason: ExitReason?
  /// What a trace should show before the end; `nil` when what the cause means does not come to a trace.
  let signature: Signature?
  /// What to look for.
  public private(set) var advice: String
  /// Whether the advice is of use only with the frames of what crashed.
  package var asksForFrames: Bool { advice.contains("frame") }
  /// Whether it begins at a frame of the app.
  package var asksForOwnFrame: Bool { advice.contains("innermost frame") }
  /// Whether meaning and advice are those of what the process said.
  package private(set) var isExplained = false
  /// Who says so.
  public let sources: [Citation]

  init(
    _ kind: Kind, _ word: String, or otherWords: [String] = [],
    phrases: [String] = [], _ meaning: String, _ bearing: Bearing, _ exitReason: ExitReason? = nil,
    shows signature: Signature? = nil, lookFor advice: String, _ sources: Citation...
  ) {
    (self.kind, self.word, self.otherWords, self.phrases) = (kind, word, otherWords, phrases)
    switch kind {
    case .code: number = KillCode.number(word)
    case .jetsam: number = ExitNamespace.jetsamCode(word)
    case .namespace: number = ExitNamespace.number(named: word)
    case .signal: number = DarwinSignal.number(named: word)
    case .word, .manner: number = nil
    }
    (self.meaning, self.bearing, self.exitReason) = (meaning, bearing, exitReason)
    (self.signature, self.advice, self.sources) = (signature, advice, sources)
  }

  /// Itself with what the process said as it stopped, where a row explains that.
  func explained(by words: String?) -> DeathCause {
    DeathCauses.explaining(words).map(explained) ?? self
  }

  /// A namespace with what its own code says, or the words of the linker.
  func explained(byCode number: UInt64?, _ words: String?) -> DeathCause {
    switch (word, number) {
    case ("DYLD", _): DeathCauses.explaining(words, in: DeathCauses.ofLinker).map(explained) ?? self
    case ("CODESIGNING", 2): explained(as: DeathCauses.badPage)
    case ("CODESIGNING", 4): explained(as: DeathCauses.launchConstraint)
    default: self
    }
  }

  /// Itself with the meaning and the advice of another row.
  func explained(as own: DeathCause) -> DeathCause {
    var cause = self
    (cause.meaning, cause.advice, cause.isExplained) = (own.meaning, own.advice, true)
    return cause
  }

  /// What a trace shows before it, in a sentence; `nil` when it shows nothing of it.
  public var trace: String? { signature?.trace }

  /// What its end means for findings, in words.
  public var consequence: String {
    switch bearing {
    case .fault: "fault: an error, on screen or in the background"
    case .audience: "a warning if the app is on screen; normal in the background"
    case .innocent where word == DeathCauses.exited.word:
      "a warning on screen, except on desktops; normal in the background"
    case .innocent: "normal: no finding"
    case .noDeath: "no death: a note"
    }
  }

  /// `number` as codes are written.
  static func hex(_ number: UInt64) -> String { "0x" + String(number, radix: 16) }
}
