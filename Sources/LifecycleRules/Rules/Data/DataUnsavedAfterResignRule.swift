import LifecycleModel
import TraceAnalysis

/// The resign is the last chance to save that an app can count on.
struct DataUnsavedAfterResignRule: Rule {
  static let description: RuleDescription = .init(
    id: "data-unsaved-after-resign", formerRules: ["data-last-chance-is-resign"],
    number: 91,
    topic: .data,
    summary: "no data is unsaved when a scene or the app ends right after the resign",
    severity: .info,
    cause: SharedCause(.unsavedData, rank: 2),
    sources: [.sceneOrderThread, .noTerminate, .s1],
    why: """
      When the user closes an app in the app switcher, its scene resigns and disconnects without \
      didEnterBackground, and willTerminate may never come. Data that is saved only there is lost.
      """,
    remedy: "Save when the user finishes an edit, and what is left in {resign}.",
    limits: """
      A heuristic. The rule assumes that data is saved as the user works if it was saved once \
      while the app was active, and does not check it. It also does not check data whose save is \
      running, nor the state to restore.
      """,
    needs: RuleNeeds(hooks: [[.data], .states]),
    given: """
      0s - profile hooks=scene-delegate,data,system
      0s main call sceneDidBecomeActive scene:1
      1s main data.dirty scene:1 "draft"
      """,
    examples: """
      clean: saved at the resign
      2s..2.2s main call sceneWillResignActive scene:1
      2.1s main data.save scene:1 "draft"
      3s main call sceneDidDisconnect scene:1

      clean: saved as the user goes
      0s - profile hooks=scene-delegate,data,system
      0s main call sceneDidBecomeActive scene:1
      0.5s..0.6s main data.dirty scene:1 "draft"
      1s main data.dirty scene:1 "draft"
      2s..2.2s main call sceneWillResignActive scene:1
      3s main call sceneDidDisconnect scene:1

      clean: through the background
      2.2s main return sceneWillResignActive scene:1
      2.3s..2.4s main call sceneDidEnterBackground scene:1
      3s main call sceneDidDisconnect scene:1

      violating: closed in the switcher
      2s..2.2s main call sceneWillResignActive scene:1
      3s main call sceneDidDisconnect scene:1 ◀
      3s main notify UIScene.didDisconnectNotification scene:1
      3.1s - kill app

      violating: closed in the switcher, and the system says so first
      2s..2.2s main call sceneWillResignActive scene:1
      3s - state foregroundInactive->unattached scene:1 ◀
      3.1s main call sceneDidDisconnect scene:1

      violating: killed while inactive
      0s - profile hooks=app-delegate,data,system
      0s main call applicationDidBecomeActive app
      1s main data.dirty app "draft"
      2s..2.2s main call applicationWillResignActive app
      3.1s - kill app ◀
      """
  )

  static let interests: [EventPattern] = [
    Turner.scene.events(.disconnect), .call(.applicationWillTerminate),
    .verbs(.kill, .exit, .dataSave), .workEnd(.save),
    // The system's word may come before the call.
    EventPattern(
      .state, names: SceneActivation.allCases.map { Transition($0, .unattached).symbol }),
  ]

  /// The data that were saved while the app was active, by their labels.
  private var savedAsUserGoes = RememberedSet<String>(256)
  /// The changes that were judged, by their places.
  private var judged = RememberedSet<UInt64>(256)

  mutating func observe(_ event: Event, _ moment: Moment, _ findings: inout RuleFindings) {
    if event.verb == .dataSave || event.verb == .workEnd {
      if moment.isByTransition == false {
        savedAsUserGoes.insert(moment.vocabulary.text(event.label))
      }
      return
    }

    guard let resign = resign(of: event, moment) else { return }
    let unsaved = moment.state.open.facts(.data).filter {
      $0.ordinal < resign.ordinal && moment.state.concerns($0, event)
        && judged.contains($0.ordinal) != true && !moment.isRestoration($0.event)
        && isSafe($0, moment) != true
    }

    if unsaved.isEmpty { return findings.foundClean() }
    for change in unsaved {
      let isKnown = judged.insert(change.ordinal) && isSafe(change, moment) == false
      findings.report(
        event, since: change, missing: moment.end(of: change), restingOn: [resign],
        unless: isKnown ? nil : .tooManyInstances,
        says:
          "{subject} ended right after the resign with unsaved data {held}, changed at {since}")
    }
  }

  /// The resign that came last before the end that `event` is; `nil` when something came between.
  private func resign(of event: Event, _ moment: Moment) -> OpenEvent? {
    if event.subjectKind == .scene {
      guard let scene = moment.state.scene(event.subjectNumber),
        scene.activation == .foregroundInactive, Departure.isDeparture(scene.since)
      else { return nil }
      return scene.since
    }

    guard let app = moment.state.app, app.state == .inactive, Departure.isDeparture(app.since)
    else {
      return nil
    }
    return app.since
  }

  /// Whether a change is saved otherwise; `nil` if there were more data than are
  /// remembered.
  private func isSafe(_ change: OpenEvent, _ moment: Moment) -> Bool? {
    let isBeingSaved = moment.state.open.facts(.work, WorkCategory.save).contains {
      $0.event.label == change.event.label
    }
    if isBeingSaved { return true }
    return savedAsUserGoes.contains(moment.vocabulary.text(change.event.label))
  }
}
