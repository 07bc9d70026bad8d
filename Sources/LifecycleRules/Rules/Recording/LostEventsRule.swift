import LifecycleModel
import TraceAnalysis
import TraceText

/// The log states its own holes.
struct LostEventsRule: Rule {
  static let description: RuleDescription = .init(
    id: "lost-events",
    number: nil,
    topic: .recording,
    summary: "the log has no gaps",
    severity: .warning,
    sources: [.logFormat],
    why: """
      If events are missing, rules cannot tell: a missing callback may be lost, or may never have \
      come.
      """,
    remedy: """
      Find what lost them: a full ring (make it larger, or record less), a damaged block (check the \
      disk, or how the file was copied), a console that dropped lines (capture again with less other \
      output).
      """,
    limits: """
      Three gaps are only info: a last block of which no events are known, as a crash leaves it; a gap \
      right after the profile, which means that the recording began late; and a gap for older parts \
      that were removed. The rule does not know losses that the source does not show.
      """,
    given: "0s - profile hooks=work",
    examples: """
      clean: no gap
      1s main work timer app

      violating: the ring was full
      1s main work timer app
      2s - gap ring-full 12 writer=main from=2 to=13 ◀

      violating: the recorder was attached late
      0s - gap source-hole -1 ◀
      1s main work timer app

      violating: a flight recorder kept the end of a long recording
      9s - gap rotated 120000 ◀
      9s main work timer app

      violating: the log ends in the middle of a block
      1s main work timer app
      1s - gap torn-tail -1 ◀

      violating: the log was cut off, and a block with it
      1s main work timer app
      1s - gap torn-tail 7234 writer=main from=2 to=7235 ◀

      violating: reading stopped at a limit of work
      1s main work timer app
      1s - gap not-read -1 ◀

      violating: more was open than is followed
      1s main work timer app
      1s - gap too-much-open -1 ◀
      """
  )

  static let interests: [EventPattern] = [.verbs(.gap)]

  mutating func observe(_ event: Event, _ moment: Moment, _ findings: inout RuleFindings) {
    guard let gap = Gap(event, in: moment.vocabulary) else { return }
    let isFirst = moment.state.ordinal == 1 && moment.state.profile != nil && gap.count == nil
    let (severity, message) = isFirst ? Self.late : Self.words(of: gap)

    findings.report(
      event, severity: severity, regardlessOfGaps: "the gap is what is found", says: message)
  }

  private static let late = (
    Severity.info, "the recording began late; earlier events are unknown"
  )

  private static func words(of gap: Gap) -> (Severity, String) {
    let count = gap.count.map { $0 == 1 ? "1 event is" : "\($0) events are" } ?? "events are"
    if gap.cause == GapCause.rotated.rawValue {
      return (.info, "\(count) in older parts of the log, which were removed")
    }
    // All events are in the log: the reader says how far it goes.
    for cause in [GapCause.notRead, .tooMuchOpen] where gap.cause == cause.rawValue {
      return (.info, cause.words)
    }
    let writer = gap.writer.map { " of \($0 == "-" ? "the system" : InertText.word($0))" } ?? ""

    // An unfinished block is what a crash leaves; one whose events are known was written, and cut off.
    let isUnfinished = gap.cause == GapCause.tornTail.rawValue && gap.count == nil
    return (
      isUnfinished ? .info : .warning,
      "\(count) missing\(writer): \(InertText.cause(of: gap))"
    )
  }
}
