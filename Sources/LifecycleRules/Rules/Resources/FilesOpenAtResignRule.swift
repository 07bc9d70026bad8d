import LifecycleModel
import TraceAnalysis

/// Files are saved and closed when the app or its scene resigns.
struct FilesOpenAtResignRule: JudgingRule {
  static let description = RuleDescription(
    id: "files-open-at-resign",
    number: 84,
    topic: .resources,
    summary: "no file is open when willResignActive returns",
    severity: .info,
    cause: SharedCause(.heldResource, rank: 3),
    sources: [.backgroundPreparation],
    why: """
      The page asks to save and close files at deactivation: what comes after it may be the end of \
      the process, and an open file may be locked or half written then.
      """,
    remedy: "Save and close in willResignActive; open again in didBecomeActive.",
    limits: """
      A file that is only read harms nobody: it says kind=read. A lock that is held at the suspension \
      is the real harm, and lock-at-suspend's. Only apps that implement the callback are judged.
      """,
    needs: RuleNeeds(hooks: [[.resources], [.appDelegate, .sceneDelegate]]),
    patterns: [
      .never(
        .returned(.applicationWillResignActive, .sceneWillResignActive), while: .holding(.file),
        says: "{name} returned while the file {held} was open, since {since}")
    ],
    examples: [
      .clean(
        "closed inside the callback, or only read",
        """
        0s - profile hooks=app-delegate,resources
        1s main acquire file app "draft.txt"
        1s main acquire file app "words.dict" kind=read
        2s main call applicationWillResignActive app
        2.1s main release file app "draft.txt"
        2.2s main return applicationWillResignActive app
        """),
      .clean(
        "of the scene that stays",
        """
        0s - profile hooks=scene-delegate,resources
        0s main call sceneDidBecomeActive scene:1
        0s main call sceneDidBecomeActive scene:2
        1s main acquire file scene:2 "draft.txt"
        1s main acquire file app "index"
        2.2s main return sceneWillResignActive scene:1
        """),
      .violating(
        "still open",
        """
        0s - profile hooks=app-delegate,resources
        1s main acquire file app "draft.txt"
        2s main call applicationWillResignActive app
        2.2s main return applicationWillResignActive app ◀
        """),
    ]
  )

  mutating func judge(_ culprit: Event, since opener: Fact, _ moment: Moment) -> Judgement {
    if !moment.concerns(opener, culprit) { return .notJudged }
    let isHarmless =
      moment.attribute(.kind, opener.event) == "read" || moment.isSystems(opener.event)
    return isHarmless ? .kept : .violation()
  }
}
