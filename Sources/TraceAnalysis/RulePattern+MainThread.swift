extension RulePattern {
  /// When the process is killed with this code, what runs last on the main thread is what took most of
  /// the time in which it was busy up to then.
  static func mainThreadShares(atKill code: String) -> RulePattern {
    RulePattern(.mainThread(code: code), per: .app, says: "")
  }
}

extension EventPattern {
  /// What takes time on a thread.
  static var timed: EventPattern { .verbs(.call, .observe, .workBegin) }
}
