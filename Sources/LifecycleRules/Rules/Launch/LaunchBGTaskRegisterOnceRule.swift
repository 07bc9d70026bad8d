import LifecycleModel
import TraceAnalysis

/// An identifier gets one launch handler.
struct LaunchBGTaskRegisterOnceRule: Rule {
  static let description: RuleDescription = .init(
    id: "launch-bgtask-register-once",
    number: 8,
    topic: .launch,
    summary: "a process registers an identifier with BGTaskScheduler only once",
    severity: .error,
    sources: [.registerBackgroundTask],
    why: "According to the documentation, registering the same identifier again ends the app.",
    remedy: """
      Register in one place. Look for a library that also registers the identifier, and for setup \
      code that runs twice.
      """,
    limits: "The rule needs process.start events to tell processes apart.",
    needs: RuleNeeds(hooks: [[.tasks], [.process]]),
    patterns: [
      .never(
        .verbs(.bgtaskRegister), between: .verbs(.bgtaskRegister), until: .nothing, per: .name,
        says: "{name} was registered again; the first registration was at {since}")
    ],
    given: "0s - profile hooks=tasks,system",
    examples: """
      clean: two identifiers, once each
      0s - process.start app
      1s main bgtask.register com.example.refresh app kind=refresh
      1.1s main bgtask.register com.example.cleanup app kind=processing

      clean: once in each of two processes
      0s - process.start app pid=1
      1s main bgtask.register com.example.refresh app kind=refresh
      9s - process.start app pid=2
      10s main bgtask.register com.example.refresh app kind=refresh

      cannot tell: another process may have begun in the gap
      0s - process.start app pid=1
      1s main bgtask.register com.example.refresh app kind=refresh
      9s - gap ring-full 40
      10s main bgtask.register com.example.refresh app kind=refresh

      violating: twice in one process
      0s - process.start app
      1s main bgtask.register com.example.refresh app kind=refresh
      1.1s main bgtask.register com.example.refresh app kind=refresh ◀
      """
  )
}
