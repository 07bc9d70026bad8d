import LifecycleModel
import TraceAnalysis

/// Audio and location work that goes on in the background has its background mode.
struct AudioLocationWithoutModeRule: JudgingRule {
  static let description: RuleDescription = .init(
    id: "audio-location-without-mode",
    number: 122,
    topic: .work,
    summary: "no audio or location work runs at a suspension without its background mode",
    severity: .warning,
    cause: SharedCause(.unstoppedWork, rank: 1),
    sources: [.backgroundModes, .backgroundLimits, .audioWithoutMode],
    why: """
      Without the mode the system suspends the app in the middle: playback falls silent, a \
      recording ends, and the way that the user tracks has a hole.
      """,
    remedy: """
      Declare the mode in UIBackgroundModes (audio, or location) if the work is to go on. \
      Otherwise pause it in sceneDidEnterBackground(_:) or, without scenes, \
      applicationDidEnterBackground(_:).
      """,
    limits: """
      Audio is a warning while the app holds an audio session that does not state kind=ambient, \
      and an info otherwise: the system silences ambient sound by design. Location is an info: it \
      may serve the screen alone, and the system ends it then. The modes voip and push-to-talk \
      allow audio too. If the modes are not known, the rule cannot tell.
      """,
    needs: RuleNeeds(hooks: [[.work], [.system]]),
    patterns: [
      .never(.verbs(.suspend), while: .running(.audio), says: cut(.audio)),
      .never(.verbs(.suspend), while: .running(.location), says: cut(.location)).severity(.info),
    ],
    given: "0s - profile background-modes=none hooks=work,resources,system",
    examples: """
      clean: paused before
      1s main acquire audio-session app "player"
      1s..3s player work.begin audio app "song"
      2s..3s main work.begin location app "walk"
      4s - suspend app

      clean: with the modes, and audio for a call
      0s - profile background-modes=voip,location hooks=work,resources,system
      1s player work.begin audio app "call"
      2s main work.begin location app "walk"
      4s - suspend app

      clean: the system's own
      0s - profile background-modes=none hooks=work,system
      2s main work.begin location app "region" by=system
      4s - suspend app

      cannot tell: background modes unknown
      0s - profile hooks=work,resources,system
      1s player work.begin audio app "song"
      4s - suspend app

      cannot tell: the end may be in the gap
      1s player work.begin audio app "song"
      2s - gap ring-full 3
      4s - suspend app

      violating: the song is cut
      1s main acquire audio-session app "player" kind=playback
      1s player work.begin audio app "song"
      4s - suspend app ◀

      violating: location, with a mode for something else; and a game's sound: infos
      0s - profile background-modes=fetch hooks=work,resources,system
      1s main acquire audio-session app "effects" kind=ambient
      1s player work.begin audio app "music"
      2s main work.begin location app "walk"
      4s - suspend app ◀
      """
  )

  private static func cut(_ work: WorkCategory) -> String {
    """
    the process was suspended while the \(work.rawValue) {held} ran, since {since}, without a mode \
    for it
    """
  }

  func judge(_ culprit: Event, since opener: OpenEvent, _ moment: Moment) -> Judgement {
    if moment.isSystems(opener.event) { return .kept }
    let isAudio = opener.event.name == WorkCategory.audio.symbol
    guard let declared = moment.profile.backgroundModes else {
      return .unclear(.profileKeyMissing(.backgroundModes))
    }
    let allowing: Set<String> = isAudio ? ["audio", "voip", "push-to-talk"] : ["location"]
    if !allowing.isDisjoint(with: declared) { return .kept }
    return .violation(isAudio && !holdsSession(moment) ? .info : nil)
  }

  /// Whether the app wants to be heard in the background, as far as its audio session says.
  private func holdsSession(_ moment: Moment) -> Bool {
    moment.state.open.facts(.resource, Resource.audioSession).contains {
      moment.attribute(.kind, $0.event) != "ambient"
    }
  }
}
