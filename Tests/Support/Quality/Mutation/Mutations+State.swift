import LifecycleModel
import Traces

/// Work where there should be none.
extension MutationOperator {
  static let wrongStates = [
    work("a timer after the resign", .timer, "work-timer-while-inactive") {
      isAfterResign($0, $1, $2)
    },
    work("a timer in the background", .timer, "work-timer-while-inactive") {
      isAfterLeaving($0, $1, $2)
    },
    work("GPU work in the background", .gpu, "work-gpu-in-background") { clean, index, _ in
      clean.reference.states[index].appState == .background
    },
    work("input after the resign", .input, "work-input-while-inactive") {
      isAfterResign($0, $1, $2)
    },
    work("input on the way to the foreground", .input, "work-input-while-inactive") {
      clean, index, subject in
      let state = clean.reference.states[index]
      let activation =
        subject.kind == .scene
        ? state.activation(ofScene: subject.number)?.appState : state.appState
      let process = clean.reference.process(index)
      let last = clean.passages.last {
        $0.end < index && process.contains($0.call) && $0.subject == subject
      }
      return activation == .inactive
        && [.applicationWillEnterForeground, .sceneWillEnterForeground].contains(last?.callback)
    },
    work("a view changed in the background", .ui, "work-ui-in-background") {
      isAfterLeaving($0, $1, $2)
    },
    work("new work after the resign", .dispatch, "work-new-dispatch-while-inactive") {
      clean, index, subject in
      let state = clean.reference.states[index]
      return isAfterResign(clean, index, subject) && state.open.count(.task) == 0
        && state.open.count(.bgtask) == 0 && state.open.count(.delivery) == 0
        && !isCalledToWork(clean, index, subject)
    },
    MutationOperator("wrong state", "contacts taken in the background") { clean, generator in
      let site = site(clean, &generator) { clean, index, subject in
        clean.reference.states[index].appState == .background
          && isAfterLeaving(clean, index, subject)
      }
      guard let (place, subject) = site else { return nil }
      var draft = Draft(clean)
      let contacts = Resource.contacts.symbol
      let label = clean.symbol("address book")
      draft.insert(
        Event(.acquire, contacts, subject, label: label),
        Event(.release, contacts, subject, label: label), at: place)
      return (draft, .violation(["work-shared-resource-in-background"]))
    },
    MutationOperator("wrong state", "a scene delegate's callback without scenes") {
      clean, generator in
      guard !clean.hasScenes, let place = clean.idlePlaces({ _, _ in true }).pick(&generator) else {
        return nil
      }
      var draft = Draft(clean)
      let name = Callback.sceneOpenURLContexts.symbol
      draft.insert(
        Event(.call, name, .scene(1)), Event(.return, name, .scene(1)), at: place)
      return (draft, .violation(["excl-one-delegate"]))
    },
    MutationOperator("wrong state", "sixty frames after the resign") { clean, generator in
      guard let (place, subject) = site(clean, &generator, where: isAfterResign) else { return nil }
      var draft = Draft(clean)
      let frame = Event(.work, WorkCategory.frame.symbol, subject)
      draft.insert(Array(repeating: frame, count: 60), at: place)
      return (draft, .violation(["work-frame-rate"]))
    },
    MutationOperator("wrong state", "a protected file while it is locked") { clean, generator in
      let gone = Callback.applicationProtectedDataWillBecomeUnavailable.symbol
      let back = Callback.applicationProtectedDataDidBecomeAvailable.symbol
      let notifications = [
        LifecycleNotification.applicationProtectedDataWillBecomeUnavailable.symbol,
        LifecycleNotification.applicationProtectedDataDidBecomeAvailable.symbol,
      ]
      let places = clean.idlePlaces { index, _ in
        let process = clean.reference.process(index)
        let last = clean.events[process.lowerBound..<index].last { event in
          switch event.verb {
          case .return: event.name == gone
          case .call: event.name == back
          case .notify: notifications.contains(event.name)
          default: false
          }
        }
        return last?.name == gone
      }
      guard let place = places.pick(&generator) else { return nil }
      var draft = Draft(clean)
      draft.insert(
        Event(.work, WorkCategory.protectedFile.symbol, .app, label: clean.symbol("diary")),
        at: place)
      return (draft, .violation(["work-protected-file-while-locked"]))
    },
    MutationOperator("wrong state", "code of the app while suspended") { clean, generator in
      let places = clean.places { _, event, state in
        state.suspension != nil && state.processEnd == nil && event.verb != .processStart
          && event.verb != .profile
      }
      guard let place = places.pick(&generator) else { return nil }
      let event: Event =
        switch Int.random(in: 0..<4, using: &generator) {
        case 0: Event(.work, WorkCategory.timer.symbol, .app, label: clean.symbol("tick"))
        case 1:
          Event(.notify, LifecycleNotification.applicationDidReceiveMemoryWarning.symbol, .app)
        case 2: Event(.acquire, Resource.file.symbol, .app, label: clean.symbol("late"))
        default: Event(.dataDirty, .none, .app, label: clean.symbol("late"))
        }
      var draft = Draft(clean)
      draft.insert(event, at: place)
      return (draft, .violation(["order-nothing-while-suspended"]))
    },
    MutationOperator("wrong state", "a suspension in the foreground") { clean, generator in
      let places = clean.idlePlaces { _, state in state.appState == .active }
      guard let place = places.pick(&generator) else { return nil }
      var draft = Draft(clean)
      draft.insert(
        Event(.suspend, .none, .app, by: .system), Event(.resume, .none, .app, by: .system),
        at: place)
      return (draft, .violation(["suspend-from-background"]))
    },
    MutationOperator("wrong state", "an app callback in an app with scenes") { clean, generator in
      guard clean.hasScenes else { return nil }
      let callbacks: [Callback] = [
        .applicationDidBecomeActive, .applicationWillResignActive, .applicationDidEnterBackground,
        .applicationWillEnterForeground,
      ]
      guard let place = clean.idlePlaces({ _, _ in true }).pick(&generator),
        let callback = callbacks.randomElement(using: &generator)
      else { return nil }
      var draft = Draft(clean)
      draft.insert(
        Event(.call, callback.symbol, .app), Event(.return, callback.symbol, .app), at: place)
      return (draft, .violation(["excl-one-delegate"]))
    },
    MutationOperator("wrong state", "a callback after willTerminate") { clean, generator in
      let places = clean.places { index, event, _ in
        event.verb == .exit && index > 0
          && clean.events[index - 1].name == LifecycleNotification.applicationWillTerminate.symbol
      }
      guard let place = places.pick(&generator) else { return nil }
      let callback: Callback = clean.hasScenes ? .sceneDidBecomeActive : .applicationDidBecomeActive
      let subject: Subject = clean.hasScenes ? .scene(1) : .app
      var draft = Draft(clean)
      draft.insert(
        Event(.call, callback.symbol, subject), Event(.return, callback.symbol, subject),
        at: place)
      return (draft, .violation(["order-nothing-after-terminate"]))
    },
    MutationOperator("wrong state", "a registration after the launch") { clean, generator in
      guard let place = clean.idlePlaces({ _, _ in true }).pick(&generator) else { return nil }
      var draft = Draft(clean)
      draft.insert(
        Event(
          .bgtaskRegister, clean.symbol("late"), .app,
          clean.attributes(Attribute(.kind, "refresh"))), at: place)
      return (draft, .violation(["launch-bgtask-registration"]))
    },
    MutationOperator("wrong state", "a scene before the launch is done") { clean, generator in
      let launches = clean.passages(.applicationDidFinishLaunching)
      guard let launch = launches.randomElement(using: &generator) else { return nil }
      let callback: Callback =
        clean.hasScenes ? .sceneWillEnterForeground : .applicationDidBecomeActive
      var draft = Draft(clean)
      let subject: Subject = clean.hasScenes ? .scene(900) : .app
      draft.insert(
        Event(.call, callback.symbol, subject), Event(.return, callback.symbol, subject),
        at: launch.call)
      return (draft, .violation(["launch-order"]))
    },
    MutationOperator("wrong state", "the keychain while prewarmed") { clean, generator in
      let places = clean.places { index, event, state in
        event.verb == .suspend && state.launchEnd == nil
          && clean.reference.launch(index) == .prewarm
      }
      guard let place = places.pick(&generator) else { return nil }
      var draft = Draft(clean)
      draft.insert(
        Event(.work, WorkCategory.keychain.symbol, .app, label: clean.symbol("token")), at: place)
      return (draft, .violation(["launch-pre-main-services"]))
    },
  ]

  // MARK: Where

  /// Whether a subject has resigned before, is not active, and the resign is some time ago.
  static func isAfterResign(_ clean: CleanTrace, _ index: Int, _ subject: Subject) -> Bool {
    let state = clean.reference.states[index]
    let activation =
      subject.kind == .scene ? state.activation(ofScene: subject.number)?.appState : state.appState
    guard let activation, activation == .inactive || activation == .background else { return false }

    let since =
      subject.kind == .scene ? state.scene(subject.number)?.since : state.app?.since
    let process = clean.reference.process(index)
    let last = clean.passages.last {
      $0.call < index && process.contains($0.call) && $0.subject == subject
    }
    let leaving: [Callback] = [
      .applicationWillResignActive, .sceneWillResignActive, .applicationDidEnterBackground,
      .sceneDidEnterBackground,
    ]

    // Nor is it on its way back already: the system's word may come before the call.
    guard let last, leaving.contains(last.callback), last.range.upperBound <= index,
      let since, since.ordinal <= last.range.upperBound
    else { return false }

    let hasResigned = clean.passages.contains {
      $0.call < index && process.contains($0.call) && $0.subject == subject
        && [.applicationWillResignActive, .sceneWillResignActive].contains($0.callback)
    }
    return hasResigned
      && clean.events[index - 1].instant.since(clean.events[last.range.upperBound - 1].instant)
        > .milliseconds(150)
  }

  /// The same, and it is in the background.
  static func isAfterLeaving(_ clean: CleanTrace, _ index: Int, _ subject: Subject) -> Bool {
    let state = clean.reference.states[index]
    let activation =
      subject.kind == .scene ? state.activation(ofScene: subject.number)?.appState : state.appState
    return activation == .background && isAfterResign(clean, index, subject)
      && !isCalledToWork(clean, index, subject)
  }

  /// Whether the process was resumed, or got something to do, since `subject` left the foreground.
  private static func isCalledToWork(
    _ clean: CleanTrace, _ index: Int, _ subject: Subject
  ) -> Bool {
    let process = clean.reference.process(index)
    let left = clean.passages.last { passage in
      passage.call < index && process.contains(passage.call) && passage.subject == subject
        && [
          .applicationWillResignActive, .sceneWillResignActive, .applicationDidEnterBackground,
          .sceneDidEnterBackground,
        ].contains(passage.callback)
    }

    let since = (left?.range.lowerBound ?? process.lowerBound) - 3
    return clean.events[max(process.lowerBound, since)..<index].contains {
      $0.verb == .resume || $0.verb == .deliver || $0.verb == .bgtaskLaunch
    }
  }

  private static func site(
    _ clean: CleanTrace, _ generator: inout SeededGenerator,
    where condition: (CleanTrace, Int, Subject) -> Bool
  ) -> (Int, Subject)? {
    let sites = clean.idlePlaces { _, _ in true }.flatMap { index -> [(Int, Subject)] in
      let scenes = clean.reference.states[index].scenes.map { Subject.scene($0.number) }
      return (clean.hasScenes ? scenes : [.app]).filter { condition(clean, index, $0) }
        .map { (index, $0) }
    }
    return sites.randomElement(using: &generator)
  }

  private static func work(
    _ name: String, _ category: WorkCategory, _ rules: String...,
    where condition: @escaping @Sendable (CleanTrace, Int, Subject) -> Bool
  ) -> MutationOperator {
    MutationOperator("wrong state", name) { clean, generator in
      guard let (place, subject) = site(clean, &generator, where: condition) else { return nil }
      var draft = Draft(clean)
      draft.insert(
        Event(.work, category.symbol, subject, label: clean.symbol("uninvited")), at: place)
      return (draft, .violation(Set(rules)))
    }
  }
}
