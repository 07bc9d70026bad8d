import LifecycleModel
import TraceAnalysis

/// Deaths in the background are normal, unless the app holds much memory there again and again.
struct PMMemoryHeldInBackgroundRule: Rule {
  static let description: RuleDescription = .init(
    id: "pm-memory-held-in-background", formerRules: ["pm-background-death-is-normal"],
    number: 95,
    topic: .postMortem,
    summary: "an app that the system often reclaims holds little memory in the background",
    severity: .info,
    sources: [.reducingTerminations, .jetsamReports],
    why: """
      The system reclaims background apps all the time; this is neither a fault nor an alarm. But \
      it reclaims an app that holds much memory first, and the user then starts over each time.
      """,
    remedy: """
      Drop caches and large images in {background}, and restore the interface from saved state.
      """,
    limits: """
      The rule counts background kills without a code, or by jetsam. It reports the third kill in \
      a log, and each later one, if the last memory sample in the background is 150 MB or more. \
      This limit is the rule's own; no document has one. Without samples a kill counts as normal.
      """,
    needs: RuleNeeds(hooks: [[.system]]),
    given: "0s - profile hooks=app-delegate,system,work",
    examples: """
      clean: one death in the background
      1s..1.05s main call applicationDidEnterBackground app
      2s main sample memory app 900000000
      90s - kill app namespace=JETSAM

      clean: three, with little memory
      1s..1.05s main call applicationDidEnterBackground app
      2s main sample memory app 30000000
      90s - kill app namespace=JETSAM
      100s - process.start app
      101s..101.05s main call applicationDidEnterBackground app
      102s main sample memory app 30000000
      190s - kill app namespace=JETSAM
      200s - process.start app
      201s..201.05s main call applicationDidEnterBackground app
      202s main sample memory app 30000000
      290s - kill app namespace=JETSAM

      violating: three, with 400 MB each
      1s main call applicationDidEnterBackground app
      2s main sample memory app 400000000
      90s - kill app namespace=JETSAM
      100s - process.start app
      101s main call applicationDidEnterBackground app
      102s main sample memory app 400000000
      190s - kill app
      200s - process.start app
      201s main call applicationDidEnterBackground app
      202s main sample memory app 400000000
      290s - kill app namespace=JETSAM ◀
      """
  )

  static let interests: [EventPattern] = [.sample(.memory), .verbs(.kill)]

  /// From this many deaths on they are worth a count.
  private static let repeated = 3

  private var memory: OpenEvent?
  private var deaths = 0

  mutating func observe(_ event: Event, _ moment: Moment, _ findings: inout RuleFindings) {
    guard moment.isInBackground == true, moment.state.processEnd == nil else { return }
    if event.verb == .sample {
      memory = moment.fact(event)
      return
    }

    let isJetsam = moment.attribute(.namespace, event) == "JETSAM"
    if !isJetsam && moment.attribute(.code, event) != nil { return }
    guard let memory, let bytes = memory.event.value,
      bytes >= Allowances.memoryAtSuspension
    else { return findings.foundClean() }
    guard findings.canRely(on: memory) else { return }

    deaths += 1
    if deaths < Self.repeated { return findings.foundClean() }
    findings.report(
      event, since: memory,
      says:
        """
        reclaimed in the background with \(bytes / 1_000_000) MB in use, after \(deaths - 1) \
        earlier times
        """
    )
  }

  /// The deaths are counted over processes.
  mutating func keep(from last: Self) { deaths = last.deaths }
}
