import LifecycleModel
import TraceAnalysis

/// An app that is built with a new SDK uses scenes.
struct LaunchSceneAdoptionRule: Rule {
  static let description: RuleDescription = .init(
    id: "launch-scene-adoption",
    number: 10,
    topic: .launch,
    summary: "an app built with SDK 27 or later uses scenes",
    severity: .warning,
    cause: SharedCause(.death, rank: 4),
    sources: [.sceneMigration],
    why: """
      Built with SDK 27 or later, an app without scenes does not launch. Built with SDK 18.4 to \
      26 it runs, and UIKit logs a message.
      """,
    remedy: "Add a scene manifest to Info.plist and a scene delegate, as TN3187 shows.",
    limits: """
      The SDK that built the app matters, not the system version. With SDK 27 the rule reports a \
      process that ends within five seconds of applicationDidFinishLaunching without reaching \
      any state; a process that lives longer was not stopped for this reason. An app that is \
      built with SDK 18.4 to 26 gets a note. watchOS has no scenes of UIKit, and is not checked.
      """,
    needs: RuleNeeds(hooks: [[.appDelegate]], profile: [.mode(.app), .says(.sdk)]),
    examples: """
      clean: with scenes
      0s - profile mode=scene sdk=27.0 hooks=app-delegate,system
      0s - process.start app
      1s main call applicationDidFinishLaunching app
      2s - kill app

      clean: a new system and an old SDK
      0s - profile mode=app os=27.0 sdk=18.0 hooks=app-delegate,system
      0s - process.start app
      1s main call applicationDidFinishLaunching app
      2s - kill app

      clean: an app that exits
      0s - profile mode=app sdk=27.0 hooks=app-delegate,system
      0s - process.start app
      1s main call applicationDidFinishLaunching app
      2s - exit app status=0

      clean: launched for a push, and reclaimed hours later
      0s - profile mode=app sdk=27.0 launch=push hooks=app-delegate,system
      0s - process.start app
      1s..1.1s main call applicationDidFinishLaunching app
      4s - suspend app
      9000s - kill app namespace=JETSAM

      clean: an app on watchOS, which has no scenes of UIKit
      0s - profile mode=app platform=watchos sdk=26.0 hooks=app-delegate,system
      0s - process.start app
      1s..1.1s main call applicationDidFinishLaunching app

      cannot tell: SDK unknown
      0s - profile mode=app os=27.0 hooks=app-delegate,system
      0s - process.start app
      1s main call applicationDidFinishLaunching app
      2s - kill app

      violating: SDK 27 without scenes
      0s - profile mode=app sdk=27.0 hooks=app-delegate,system
      0s - process.start app
      1s main call applicationDidFinishLaunching app
      1.1s - kill app ◀

      violating: SDK 26: the system says that it will be required
      0s - profile mode=app sdk=26.0 hooks=app-delegate,system
      0s - process.start app
      1s..1.1s main call applicationDidFinishLaunching app ◀
      """
  )

  static let interests: [EventPattern] = [
    .call(.applicationDidFinishLaunching), .verbs(.kill, .exit),
  ]

  /// Whatever ends later was not stopped at its launch.
  private static let atLaunch: Nanoseconds = .seconds(5)

  private var launch: OpenEvent?

  mutating func observe(_ event: Event, _ moment: Moment, _ findings: inout RuleFindings) {
    if moment.profile.platform == "watchos" {
      return findings.didNotJudge("watchOS has no scenes of UIKit")
    }
    if event.verb == .call {
      launch = moment.fact(event)
      guard let sdk = moment.profile.sdkVersion else {
        return findings.cannotTell(.profileKeyMissing(.sdk))
      }
      if (18, 4) <= sdk && sdk < (27, 0) {
        findings.report(
          event, severity: .info, regardlessOfGaps: "the profile says it",
          says:
            "built with SDK \(moment.profile.sdk ?? "") without scenes: built with SDK 27, it will not launch"
        )
      } else if sdk < (18, 4) {
        findings.foundClean()
      }
    } else if let launch, let sdk = moment.profile.sdkVersion, sdk >= (27, 0) {
      let isOwnExit = event.verb == .exit && moment.attribute(.signal, event) == nil
      let isLater = event.instant.since(launch.event.instant) >= Self.atLaunch
      if moment.state.app != nil || isOwnExit || isLater { return }
      findings.report(
        event, since: launch,
        says: "an app without scenes, built with SDK \(moment.profile.sdk ?? "27"), ended at launch"
      )
    }
  }
}

extension Profile {
  /// The major and the minor number of the SDK.
  fileprivate var sdkVersion: (Int, Int)? {
    guard let parts = sdk?.split(separator: "."), let major = parts.first.flatMap({ Int($0) })
    else { return nil }
    return (major, parts.count > 1 ? Int(parts[1]) ?? 0 : 0)
  }
}
