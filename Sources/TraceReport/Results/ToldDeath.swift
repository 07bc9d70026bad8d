import LifecycleModel
import TraceAnalysis
import TraceText

/// The verdict on the end of a process in words: it stands by itself, without the log's vocabulary.
///
/// All texts are inert.
public struct ToldDeath: Hashable, Codable, Sendable {
  /// The log that it was found in, as it was named; `-` for standard input.
  public var log: String
  /// The place of the process among those of the log, from 1.
  public var process: Int
  /// The id of the process; `nil` when the log does not say it.
  public var pid: Int?
  /// The app's bundle; `nil` when the log does not say it.
  public var bundle: String?
  /// When it ended, in nanoseconds from the log's origin.
  public var instant: Int64
  /// What it means: `fault`, `unexplained`, `normal` or `unknown`.
  public var deathClass: String
  /// What ended it, in a word that is the same in every log, such as `0x8badf00d`.
  public var cause: String
  /// What MetricKit counts it under; `nil` when that is not known.
  public var exitReason: String?
  /// How it ended, in a phrase.
  public var phrase: String
  /// All that is said of it, as the text report does.
  public var text: String
  /// The fingerprint of the finding that stands for it; `nil` when none does.
  public var finding: String?

  private enum CodingKeys: String, CodingKey {
    case log, process, pid, bundle, instant
    case deathClass = "class"
    case cause, exitReason, phrase, text, finding
  }

  init(_ verdict: DeathVerdict, of log: String, _ vocabulary: Vocabulary, isOneOfSeveral: Bool) {
    let words = DeathText(verdict, vocabulary, isOneOfSeveral: isOneOfSeveral)
    self.log = log
    process = verdict.process.number
    pid = verdict.process.pid
    bundle = verdict.process.bundle.map { InertText.word($0) }
    instant = verdict.end.instant.nanoseconds
    deathClass = verdict.deathClass.rawValue
    cause = InertText.word(verdict.cause)
    exitReason = verdict.reason?.rawValue
    phrase = words.phrase
    text = words.paragraph
    finding = verdict.finding
  }

  /// The class; `unknown` where a file says something else.
  var kind: DeathClass { DeathClass(rawValue: deathClass) ?? .unknown }

  /// The process as a table names it: its id, else its place in the log.
  var name: String { pid.map { "pid \($0)" } ?? "process \(process)" }

  /// By log, then by process, and at last by all that it says.
  static func comesFirst(_ first: ToldDeath, _ second: ToldDeath) -> Bool {
    let (one, other) = ((first.log, first.process), (second.log, second.process))
    return one == other ? first.allWords.lexicographicallyPrecedes(second.allWords) : one < other
  }

  /// By class, the most serious first, then by ``comesFirst(_:_:)``.
  static func isKeptFirst(_ first: ToldDeath, _ second: ToldDeath) -> Bool {
    let (one, other) = (first.kind.rank, second.kind.rank)
    return one == other ? comesFirst(first, second) : one < other
  }

  private var allWords: [String] {
    [
      "\(instant)", deathClass, cause, exitReason ?? "", phrase, text, finding ?? "", bundle ?? "",
      pid.map(String.init) ?? "",
    ]
  }

  /// The texts that are shown as they are.
  var texts: [String] {
    [log, cause, phrase, text] + [bundle, exitReason, finding].compactMap(\.self)
  }
}

extension AnalysisResults {
  /// How often processes ended in one way, over all logs.
  public struct DeathTally: Hashable, Codable, Sendable {
    /// What such an end means: `fault`, `unexplained`, `normal` or `unknown`.
    public var deathClass: String
    /// What ended the process, in a word that is the same in every log.
    public var cause: String
    /// What MetricKit counts it under; `nil` when that is not known.
    public var exitReason: String?
    /// How many processes ended so.
    public var count: Int
    /// In how many logs.
    public var logs: Int

    private enum CodingKeys: String, CodingKey {
      case deathClass = "class"
      case cause, exitReason, count, logs
    }

    /// The place of a tally: by class, the most serious first, then by its words.
    struct Order: Comparable {
      let rank: Int
      let cause: String
      let exitReason: String

      static func < (lhs: Order, rhs: Order) -> Bool {
        (lhs.rank, lhs.cause, lhs.exitReason) < (rhs.rank, rhs.cause, rhs.exitReason)
      }
    }

    var order: Order { Order(rank: kind.rank, cause: cause, exitReason: exitReason ?? "") }

    /// The class; `unknown` where a file says something else.
    var kind: DeathClass { DeathClass(rawValue: deathClass) ?? .unknown }

    /// `0x8badf00d (appWatchdog)`.
    var name: String { exitReason.map { "\(cause) (\($0))" } ?? cause }

    init(_ kind: Deaths.Kind, _ count: Int) {
      deathClass = kind.deathClass.rawValue
      cause = InertText.word(kind.cause)
      exitReason = kind.exitReason?.rawValue
      self.count = count
      logs = 1
    }

    mutating func merge(_ other: DeathTally) {
      count += other.count
      logs += other.logs
    }
  }
}
