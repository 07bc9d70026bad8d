import LifecycleModel
import TraceAnalysis

/// Launch handlers are registered before the launch ends.
struct LaunchBGTaskRegistrationRule: Rule {
  static let description: RuleDescription = .init(
    id: "launch-bgtask-registration",
    number: 7,
    topic: .launch,
    summary: "the app registers BGTaskScheduler's launch handlers before the launch ends",
    severity: .error,
    sources: [.registerBackgroundTask, .continuedProcessing],
    why: """
      All handlers must be registered before applicationDidFinishLaunching ends. If one is \
      registered later, the system ends the app, or the task finds no handler.
      """,
    remedy: """
      Register in {launch}, or in the App's initializer, not when the first view appears.
      """,
    limits: """
      Continued tasks may be registered at any time (iOS 26). A registration that does not state \
      its kind may be one; the rule then cannot tell, unless the system is older. If the app does \
      not implement applicationDidFinishLaunching, the log does not show the end of the launch, \
      and the rule cannot tell.
      """,
    needs: RuleNeeds(hooks: [[.tasks], [.appDelegate]]),
    given: "0s - profile os=18.2 hooks=app-delegate,tasks,system",
    examples: """
      clean: during the launch
      0s - process.start app
      1s..1.2s main call applicationDidFinishLaunching app
      1.1s main bgtask.register com.example.refresh app kind=refresh

      clean: in the App's initializer
      0s - process.start app
      0.5s main bgtask.register com.example.refresh app kind=refresh
      1s..1.2s main call applicationDidFinishLaunching app

      clean: a continued task, when it is needed
      0s - profile os=26.0 hooks=app-delegate,tasks,system
      0s - process.start app
      1s..1.2s main call applicationDidFinishLaunching app
      60s main bgtask.register com.example.export app kind=continued

      cannot tell: it may be a continued task
      0s - profile os=26.0 hooks=app-delegate,tasks,system
      0s - process.start app
      1s..1.2s main call applicationDidFinishLaunching app
      60s main bgtask.register com.example.export app

      cannot tell: the end of the launch was not seen
      60s main bgtask.register com.example.refresh app kind=refresh

      violating: after the launch
      0s - process.start app
      1s..1.2s main call applicationDidFinishLaunching app
      1.3s main bgtask.register com.example.refresh app ◀

      violating: a processing task, on a system with continued ones
      0s - profile os=26.0 hooks=app-delegate,tasks,system
      0s - process.start app
      1.2s main return applicationDidFinishLaunching app
      1.3s main bgtask.register com.example.cleanup app kind=processing ◀
      """
  )

  /// From this version on there are continued tasks.
  private static let continuedTasks = 26

  static let interests: [EventPattern] = [.verbs(.bgtaskRegister)]

  mutating func observe(_ event: Event, _ moment: Moment, _ findings: inout RuleFindings) {
    let kind = moment.attribute(.kind, event)
    if kind == "continued" { return findings.foundClean() }
    guard let launchEnd = moment.state.launchEnd else {
      guard let start = moment.state.processStart else { return findings.cannotTell(.startNotSeen) }
      guard findings.canRely(on: start) else { return }
      // An app that is somewhere already was launched by a delegate that does not tell.
      return moment.state.app == nil
        ? findings.foundClean() : findings.cannotTell(.callbackNeverSeen)
    }

    findings.report(
      event, since: launchEnd, unless: kind == nil ? doubtOfKind(moment.profile) : nil,
      says: "{name} was registered after the launch ended at {since}")
  }

  /// Why a task that does not say its kind may be a continued one.
  private func doubtOfKind(_ profile: Profile) -> Doubt? {
    guard let version = profile.osMajor else { return .profileKeyMissing(.os) }
    return version >= Self.continuedTasks ? .attributeMissing(.kind) : nil
  }
}
