import LifecycleModel
import TraceAnalysis

/// Files are saved and closed when the app or its scene resigns.
struct FilesOpenAtResignRule: Rule {
  static let description: RuleDescription = .init(
    id: "files-open-at-resign",
    number: 84,
    topic: .resources,
    summary: "no file is open when willResignActive returns",
    severity: .info,
    cause: SharedCause(.heldResource, rank: 3),
    sources: [.backgroundPreparation],
    why: """
      The documentation asks to save and close files at deactivation. The process may end next, \
      and an open file may then be locked or half written.
      """,
    remedy: "Save and close in {resign}; reopen in {activate}.",
    limits: """
      A file that is only read is harmless: it carries kind=read. The serious case, a lock held at \
      the suspension, belongs to lock-at-suspend. The rule checks only apps that implement the \
      callback.
      """,
    needs: RuleNeeds(hooks: [[.resources], .delegates]),
    patterns: [
      .never(
        Turn.returns(.resign),
        while: .openInLeaving(
          .acquire(.file).where(.kind, isNot: "read").where(.by, isNot: "system")),
        says: "{name} returned with the file {held} open since {since}")
    ],
    examples: """
      clean: closed inside the callback, or only read
      0s - profile hooks=app-delegate,resources
      1s..2.1s main acquire file app "draft.txt"
      1s main acquire file app "words.dict" kind=read
      2s..2.2s main call applicationWillResignActive app

      clean: of the scene that stays
      0s - profile hooks=scene-delegate,resources
      0s main call sceneDidBecomeActive scene:1
      0s main call sceneDidBecomeActive scene:2
      1s main acquire file scene:2 "draft.txt"
      1s main acquire file app "index"
      2.2s main return sceneWillResignActive scene:1

      violating: still open
      0s - profile hooks=app-delegate,resources
      1s main acquire file app "draft.txt"
      2s main call applicationWillResignActive app
      2.2s main return applicationWillResignActive app ◀
      """
  )
}
