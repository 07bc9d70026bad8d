import Run

/// What to do about what held a process that the system ended because it did not go on.
extension DeathCauses {
  /// The advice about what held a process, by the words of the system, or of a report about the main thread; `nil`
  /// where they name nothing of that kind.
  package static func advice(aboutHold words: String?) -> String? {
    guard let words else { return nil }
    if let wait = ThreadWait(in: words) { return advice(about: wait) }
    let isOfExit = ["failed to terminate gracefully", "process-exit took longer"]
      .contains(where: words.lowercased().contains)
    return isOfExit ? adviceOnExit : nil
  }

  /// The advice about the stack of a thread that crashed, by a report's remark; `nil` where the app's code is in it.
  package static func advice(aboutStack remark: String?) -> String? {
    guard let remark else { return nil }
    if remark.contains(CrashedStack.missing) {
      return "Add the rest of the report: it ends before the frames of the thread that crashed."
    }
    return remark.contains(CrashedStack.foreign)
      ? """
      Look for a known fault of the library that the frames name, and at what the app's other threads did: no frame \
      of the thread that crashed is the app's.
      """ : nil
  }

  /// What to do where the system states that the app hardly computed, and nothing shows for what it waited.
  package static let adviceOnIdleThread = """
    Look for what the main thread waited for, such as a lock, a synchronous call or a semaphore: the app used hardly \
    any processor time.
    """

  private static let adviceOnExit = """
    Return from applicationWillTerminate(_:) at once, and let nothing hold up the exit, such as a lock. If the \
    process used no processor time meanwhile, it waited, or was suspended.
    """

  private static func advice(about wait: ThreadWait) -> String {
    switch wait {
    case .queue:
      """
      Do not call sync on a queue from the main thread: use async, and look in the other threads for what kept \
      that queue busy.
      """
    case .once:
      """
      Look in the other threads for the initializer of that value: it must not wait for the main thread, nor take \
      long.
      """
    case .group, .semaphore, .thread, .condition:
      """
      Look in the other threads for the work that did not finish; where the app's own code waits for it, use a \
      completion handler or await. Nothing on the main thread should wait.
      """
    case .process, .network:
      "Ask on a queue, or by a call with a completion handler: the main thread must not wait for an answer."
    case .runLoop:
      """
      Return from that function, and go on when the event comes: the main thread must not run a run loop of its own.
      """
    case .events:
      """
      Look for what the system's words name, such as a transition or a background task that did not end: the main \
      thread had nothing to do when the app was ended.
      """
    case .lock:
      """
      Look in the other threads for what held that lock, and do no slow work while it is held. Where two threads \
      wait for each other, they take their locks in different orders.
      """
    }
  }
}
