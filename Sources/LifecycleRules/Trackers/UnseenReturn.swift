import LifecycleModel
import TraceAnalysis

/// Whether an app was told of the background by the notification alone, as one without a delegate of
/// its own is: what a rule asks when the callback returns cannot be told there.
struct UnseenReturn: Sendable {
  /// What a rule has to hand to ``note(_:isInQuestion:)``.
  static let interests: [EventPattern] = [
    .backgroundEntered, Turn.posts(.background),
  ]

  private var wasSeen = false
  private var isInQuestion = false

  /// Sees an event of ``interests``; `isInQuestion` tells whether the rule would have something to
  /// look at.
  mutating func note(_ event: Event, isInQuestion: @autoclosure () -> Bool) {
    if event.verb == .return {
      wasSeen = true
    } else if event.verb == .notify && !wasSeen && !self.isInQuestion {
      self.isInQuestion = isInQuestion()
    }
  }

  /// The process has ended, or the log: the callback will not come any more.
  func end(_ findings: inout RuleFindings) {
    if isInQuestion && !wasSeen {
      findings.cannotTell(.notSaid("when didEnterBackground returned"))
    }
  }
}
