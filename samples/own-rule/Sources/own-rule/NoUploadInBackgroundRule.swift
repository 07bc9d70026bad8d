import LifecycleModel
import TraceAnalysis

/// Photos are uploaded in the foreground only.
///
/// A pattern says it; the rule needs no code.
struct NoUploadInBackgroundRule: Rule {
  static let description: RuleDescription = .init(
    id: "no-upload-in-background",
    number: nil,
    topic: .own,
    summary: "no photo is uploaded while the app is in the background",
    severity: .warning,
    sources: [
      Citation(
        "D-life", "Managing your app's life cycle", page: "uikit/managing-your-app-s-life-cycle")
    ],
    why: "The upload is cut off when the process is suspended, and begins anew.",
    remedy: "Hand the photo to a background URL session.",
    limits: "Uploads need the label \"upload\".",
    needs: RuleNeeds(hooks: [[.work], [.appDelegate, .sceneDelegate]]),
    patterns: [
      .never(
        .work(.network).labelled("upload"), while: .subjectInBackground,
        says: "a photo was uploaded in the background, since {since}")
    ],
    examples: [
      .clean(
        "in the foreground",
        """
        0s - profile mode=app hooks=app-delegate,work
        1s main call applicationDidBecomeActive app
        2s main work network app "upload"
        """),
      .violating(
        "behind didEnterBackground",
        """
        0s - profile mode=app hooks=app-delegate,work
        1s main call applicationDidEnterBackground app
        1.1s main return applicationDidEnterBackground app
        2s main work network app "upload" ◀
        """),
    ])
}
