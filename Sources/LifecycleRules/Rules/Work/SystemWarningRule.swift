import LifecycleModel
import Run
import TraceAnalysis

/// Apple's software reports no fault of the app.
struct SystemWarningRule: Rule {
  static let description: RuleDescription = .init(
    id: "system-warning",
    number: 123,
    topic: .work,
    summary: "UIKit, Metal, WebKit, MetricKit and the debugger report no fault of the app",
    severity: .error,
    sources: [
      .metalInBackground, .sceneMigration, .exitReasons, .killCodes,
    ],
    why: """
      The frameworks see what a trace may not show: what they refuse, and what the app never \
      called. Some of it ends the app later, or in the next version of the system.
      """,
    remedy: """
      Follow the sentence: each kind of it has a remedy of its own, which the finding says.
      """,
    limits: """
      Only what a note says with the attribute warning is reported, once for each kind in a process. \
      That nothing is said proves nothing. Whether the app meant to reload a page whose process has \
      gone, the rule does not know: this is a note.
      """,
    needs: RuleNeeds(hooks: []),
    given: "0s - profile hooks=system clock=wall",
    examples: """
      violating: Metal refuses work from the background, again and again
      1s - note app "Insufficient Permission (to submit GPU work from background)" \
      warning=gpu-in-background ◀
      2s - note app "Insufficient Permission (to submit GPU work from background)" \
      warning=gpu-in-background

      violating: two kinds
      1s - note app "There is no scene delegate set." warning=no-scene-delegate ◀
      2s - note app "the completion handler was never called" warning=handler-not-called ◀

      violating: another process
      0s - profile hooks=process,system clock=wall
      0s - process.start app pid=1
      1s - note app "suspended with locked system files: notes.sqlite" warning=locked-files ◀
      2s - exit app status=0
      3s - process.start app pid=2
      4s - note app "suspended with locked system files: notes.sqlite" warning=locked-files ◀

      clean: a note that warns of nothing
      1s - note app "snapshot requested"
      """
  )

  static let interests: [EventPattern] = [.verbs(.note, .processStart)]

  /// What was reported of the process.
  private var reported: Set<SystemWarning> = []

  mutating func observe(_ event: Event, _ moment: Moment, _ findings: inout RuleFindings) {
    if event.verb == .processStart { return reported.removeAll() }
    guard event.subjectKind == .app,
      let word = moment.attribute(.warning, event), let warning = SystemWarning(rawValue: word),
      reported.insert(warning).inserted
    else { return }
    let words = moment.vocabulary.text(event.label)
    let said = Self.said(by: warning, words)
    findings.report(
      event, severity: said.severity, regardlessOfGaps: "the system itself says it",
      says: event.label.isNone ? said.sentence : "\(said.sentence): {label}",
      remedy: Self.remedy(of: warning, words))
  }

  /// How much a warning matters, and what it means.
  private static func said(
    by warning: SystemWarning, _ words: String
  ) -> (severity: Severity, sentence: String) {
    switch warning {
    case .gpuInBackground:
      (.error, "Metal refused GPU work that the app submitted in the background")
    case .lockedFiles:
      (
        .error,
        "the process was suspended while it held locked files; the system kills an app for this (0xdead10cc)"
      )
    case .badExits:
      (.error, "MetricKit counts ends that are the app's fault")
    case .cutReport where words.hasPrefix(CrashedStack.thrown):
      (.warning, "the text does not show whether the exception ended the app")
    case .cutReport:
      (.warning, "the crash report is cut off above what says how the process ended")
    case .citedWords:
      (.warning, "the text cites what an app says as it stops")
    case .hang:
      (.warning, "the main thread did not respond")
    case .handlerNotCalled:
      (.warning, "the app never called a completion handler")
    case .noScenes:
      (.warning, "the app does not adopt scenes, and will not launch when built with SDK 27")
    case .noSceneDelegate:
      (.warning, "the app has no scene delegate, so its window stays empty")
    case .uiOffMain:
      (.error, "UIKit was called on a thread that is not the main one")
    case .connectionLost:
      (.warning, "a tool lost its connection to the app, which may have ended")
    case .moduleException:
      (.error, "a native module of React Native threw, which a release build does not survive")
    case .memoryLimit:
      (.warning, "the process passed its memory limit, which ends it without a debugger")
    case .resourceLimit:
      (.warning, "the process passed a resource limit")
    case .launchRefused:
      (.warning, "the system refused to launch the app, which did not run")
    case .webContentGone:
      (.info, "a process of WebKit has gone, and its page stays blank until it is loaded again")
    }
  }

  /// What to do about a warning, and for words of a crash about these.
  private static func remedy(of warning: SystemWarning, _ words: String) -> String {
    switch warning {
    case .citedWords:
      DeathCauses.explaining(sentenceIn: words)?.advice
        ?? "Add the crash report, or the console lines of the minute before the end."
    case .gpuInBackground:
      "Stop drawing with the GPU before didEnterBackground returns, and call waitUntilScheduled() on the last command buffer (R60)."
    case .lockedFiles:
      "Close the named file or database before the suspension, and hold a background task while it is open (R83)."
    case .badExits:
      "Collect crash reports and JetsamEvent reports of that day: they say what a count cannot."
    case .cutReport where words.hasPrefix(CrashedStack.thrown):
      "Add the line above the stack: *** Terminating app due to uncaught exception has its name and reason."
    case .cutReport:
      "Save the whole report: its termination and its exception stand in the first half."
    case .hang:
      "Look at the report's heaviest stack of the main thread, and move that work to a queue (R49)."
    case .handlerNotCalled:
      "Call the completion handler of that method on every path, within 30 seconds (R53, R85)."
    case .noScenes:
      "Add a scene manifest to Info.plist and a scene delegate, as TN3187 shows (R10)."
    case .noSceneDelegate:
      "Name a class that exists in UISceneDelegateClassName, with its module: $(PRODUCT_MODULE_NAME).SceneDelegate."
    case .uiOffMain:
      "Make the call on the main actor, or in DispatchQueue.main.async."
    case .connectionLost:
      "Take the crash report of that minute from the device, or run the app from Xcode, which shows its last words."
    case .moduleException:
      "Catch the exception in the method that the words name, or mend what it reports."
    case .memoryLimit:
      "Use less memory, as in images, buffers and caches; extensions have small limits."
    case .resourceLimit:
      "Find what passes the limit, in the stacks of a report or with Instruments, and do it less often."
    case .launchRefused where words.contains("FBProcessExit"):
      "Read the crash report and the console of that minute: the process ended as it was launched."
    case .launchRefused:
      "Install the app again, and unlock the device. NotFound: it is not installed. Security: its profile is not trusted."
    case .webContentGone:
      "Load the page again in webViewWebContentProcessDidTerminate(_:)."
    }
  }
}
