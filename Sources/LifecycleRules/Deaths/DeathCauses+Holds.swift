import LifecycleModel
import TraceAnalysis

/// What held a process that the system ended because it did not go on, and what to do about it.
///
/// The words are those of the system, or of a report about the main thread. They explain a kill; they never make an
/// end one.
extension DeathCauses {
  /// The row that explains what held a process; `nil` where none does.
  package static func holding(_ words: String?) -> DeathCause? {
    guard let words = words?.lowercased() else { return nil }
    return holds.first { $0.phrases.contains(where: words.contains) }
  }

  private static func hold(
    _ phrases: String..., meaning: String, advice: String
  ) -> DeathCause {
    DeathCause(.manner, "hold", phrases: phrases, meaning, .fault, lookFor: advice, .watchdog)
  }

  /// All rows; of those that fit the first counts.
  static let holds: [DeathCause] = [
    hold(
      "waited for another queue",
      meaning: "the main thread waited for another queue",
      advice: """
        Do not call sync on a queue from the main thread: use async, and look in the other threads for what \
        kept that queue busy.
        """),
    hold(
      "waited for a value that is made once",
      meaning: "the main thread waited for a value that another thread makes once",
      advice: """
        Look in the other threads for the initializer of that value: it must not wait for the main thread, nor \
        take long.
        """),
    hold(
      "waited for a dispatch group", "waited for a semaphore", "waited for another thread",
      "waited for a condition",
      meaning: "the main thread waited for other work",
      advice: """
        Look in the other threads for the work that did not finish; where the app's own code waits for it, use \
        a completion handler or await. Nothing on the main thread should wait.
        """),
    hold(
      "waited for the answer of another process", "waited for the network",
      meaning: "the main thread waited for an answer",
      advice:
        "Ask on a queue, or by a call with a completion handler: the main thread must not wait for an answer."
    ),
    hold(
      "waited for a lock",
      meaning: "the main thread waited for a lock",
      advice: """
        Look in the other threads for what held that lock, and do no slow work while it is held. Where two threads \
        wait for each other, they take their locks in different orders.
        """),
    hold(
      "failed to terminate gracefully", "process-exit took longer",
      meaning: "the process did not end when the system asked it to",
      advice: """
        Return from applicationWillTerminate(_:) at once, and let nothing hold up the exit, such as a lock. If the \
        process used no processor time meanwhile, it waited, or was suspended.
        """),
  ]
}
