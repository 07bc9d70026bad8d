import TraceRecorder

/// Why the last run of the app ended: in words, and as values.
///
/// Its description is what `tracectl analyze` prints first for the same log, by the same code.
public struct LastRunVerdict: Hashable, Codable, Sendable, CustomStringConvertible {
  /// Something that a rule found in the run.
  public struct Finding: Hashable, Codable, Sendable {
    /// The rule's id, such as `task-leak-at-suspend`.
    public let rule: String
    /// `error`, `warning` or `info`.
    public let severity: String
    /// What is wrong.
    public let message: String
    /// Why it matters.
    public let why: String
    /// What to do about it.
    public let remedy: String
    /// The events that show it, a line each.
    public let evidence: [String]
  }

  /// What the facts at the end of the run show, with confidence and evidence.
  public let cause: PreviousRun.Cause
  /// Whether a crash report was added, and nothing more is expected.
  public let isFinal: Bool
  /// What happened, in one sentence.
  public let sentence: String
  /// Why, and how sure that is, as far as the analysis shows it; `nil` where nothing is wrong, or nothing was analyzed.
  public let explanation: String?
  /// What to do about it; `nil` where that is not known.
  public let fix: String?
  /// What rules found in what was read, the first by time first.
  public let findings: [Finding]
  /// Whether only the newest part of the run was read, or not all of it.
  public let isOfPart: Bool
  /// How many analyzed runs in a row ended at the same place, with this one: three are a crash loop.
  public let launchesInARow: Int
  /// The files of the run, as in ``PreviousRun/logs``.
  public let logs: [String]
  /// The verdict in a few lines, for a person.
  public let description: String
}
