import Traces

/// Makes whole lives of an app in which all that the documents leave open is drawn by lot, and all
/// that they say is kept.
///
/// Drawn are: the delegate's call against its notification, or the notification inside the call; one
/// scene against another in one user action; the app's notifications against the scenes', once or
/// once a scene where that is accepted; snapshots; didEnterBackground after a resume; and where memory
/// warnings, time changes and protected data stand.
struct UnspecifiedLife {
  private var random: SeededGenerator
  private let scenes: Int
  private var lines: [String]
  private var time = 0

  private static let hooks =
    "app-delegate,scene-delegate,app-notifications,scene-notifications,tasks,work,resources,data,system"

  /// Without scenes (`scenes` is 0), or with that many.
  init(seed: UInt64, scenes: Int, os: String) {
    random = SeededGenerator(seed: seed)
    self.scenes = scenes
    lines = [
      "0s - profile mode=\(scenes == 0 ? "app" : "scene") os=\(os) platform=ios sdk=18.0"
        + " multi-scene=\(scenes > 1) background-modes=none hooks=\(Self.hooks)",
      "0s - process.start app launch=user",
    ]
  }

  /// The life, in notation.
  mutating func notation() -> String {
    launch()
    for leaves in [false, true, false, true, true] {
      if leaves {
        leave()
        sleep()
        comeBack()
      } else {
        interrupt()
      }
    }

    close()
    return lines.joined(separator: "\n")
  }

  // MARK: What the user does

  private mutating func launch() {
    tell(pair("applicationWillFinishLaunching", nil, "app"))
    tell(call("applicationDidFinishLaunching", "app"))
    tell(["main notify UIApplication.didFinishLaunchingNotification app"])
    if scenes == 0 {
      tell(pair("applicationDidBecomeActive", "UIApplication.didBecomeActiveNotification", "app"))
    } else {
      act(
        [
          ("sceneWillConnect", "willConnectNotification"),
          ("sceneWillEnterForeground", "willEnterForegroundNotification"),
          ("sceneDidBecomeActive", "didActivateNotification"),
        ], app: ["willEnterForegroundNotification", "didBecomeActiveNotification"])
    }
  }

  private mutating func interrupt() {
    if scenes == 0 {
      resignApp()
      tell(pair("applicationDidBecomeActive", "UIApplication.didBecomeActiveNotification", "app"))
    } else {
      act(
        [("sceneWillResignActive", "willDeactivateNotification")],
        app: Array(repeating: "willResignActiveNotification", count: oneOrEach()))
      act(
        [("sceneDidBecomeActive", "didActivateNotification")],
        app: Array(repeating: "didBecomeActiveNotification", count: oneOrEach()))
    }
  }

  private mutating func leave() {
    if scenes == 0 {
      resignApp()
      enterBackground()
    } else {
      act(
        [
          ("sceneWillResignActive", "willDeactivateNotification"),
          ("sceneDidEnterBackground", "didEnterBackgroundNotification"),
        ],
        app: Array(repeating: "willResignActiveNotification", count: oneOrEach())
          + ["didEnterBackgroundNotification"])
    }
  }

  private mutating func sleep() {
    for _ in 0..<Int.random(in: 0...2, using: &random) { snapshot() }
    for _ in 0..<Int.random(in: 0...2, using: &random) {
      tell(["- suspend app"])
      time += 60_000
      tell(["- resume app"])
      if scenes == 0 && Bool.random(using: &random) { enterBackground() }
      if Bool.random(using: &random) {
        tell(["- deliver push app \"news\""])
        tell(call("applicationDidReceiveRemoteNotification", "app"))
        tell(["main complete push app \"news\""])
      }
      if Bool.random(using: &random) { snapshot() }
    }
  }

  private mutating func comeBack() {
    if scenes == 0 {
      tell(
        pair(
          "applicationWillEnterForeground", "UIApplication.willEnterForegroundNotification", "app"))
      tell(pair("applicationDidBecomeActive", "UIApplication.didBecomeActiveNotification", "app"))
    } else {
      act(
        [
          ("sceneWillEnterForeground", "willEnterForegroundNotification"),
          ("sceneDidBecomeActive", "didActivateNotification"),
        ],
        app: ["willEnterForegroundNotification"]
          + Array(repeating: "didBecomeActiveNotification", count: oneOrEach()))
    }
  }

  /// Closes the app in the switcher: a scene need not be told of the background.
  private mutating func close() {
    if scenes == 0 {
      resignApp()
    } else {
      act(
        [
          ("sceneWillResignActive", "willDeactivateNotification"),
          ("sceneDidDisconnect", "didDisconnectNotification"),
        ], app: ["willResignActiveNotification"])
    }

    tell(call("applicationWillTerminate", "app"))
    tell(["main notify UIApplication.willTerminateNotification app"])
    tell(["- exit app status=0"])
  }

  // MARK: What is drawn

  private mutating func oneOrEach() -> Int { Bool.random(using: &random) ? 1 : scenes }

  private mutating func snapshot() {
    let subject = scenes == 0 ? "app" : "scene:\(Int.random(in: 1...scenes, using: &random))"
    tell(["- snapshot.begin \(subject)", "- snapshot.end \(subject)"])
  }

  /// The one order of the two that is documented.
  private mutating func resignApp() {
    tell(call("applicationWillResignActive", "app"))
    tell(["main notify UIApplication.willResignActiveNotification app"])
  }

  private mutating func enterBackground() {
    tell(
      pair(
        "applicationDidEnterBackground", "UIApplication.didEnterBackgroundNotification", "app"))
  }

  /// Takes each scene through the transitions, and posts the app's notifications; in whatever order,
  /// but for the transitions of one scene and the app's notifications among themselves.
  private mutating func act(_ transitions: [(call: String, notification: String)], app: [String]) {
    var queues = [app.map { ["main notify UIApplication.\($0) app"] }]
    for scene in 1...scenes {
      queues.append(
        transitions.map { pair($0.call, "UIScene.\($0.notification)", "scene:\(scene)") })
    }
    while let queue = queues.indices.filter({ !queues[$0].isEmpty }).randomElement(using: &random) {
      tell(queues[queue].removeFirst())
    }
    time += 5000
  }

  private func call(_ name: String, _ subject: String) -> [String] {
    ["main call \(name) \(subject)", "main return \(name) \(subject)"]
  }

  /// A call and its notification: before, inside or after it.
  private mutating func pair(
    _ name: String, _ notification: String?, _ subject: String
  ) -> [String] {
    var lines = call(name, subject)
    if let notification {
      let place = Int.random(in: 0...2, using: &random)
      lines.insert("main notify \(notification) \(subject)", at: place)
    }
    return lines
  }

  /// Writes lines, one each millisecond; sometimes the device has something else to say before them.
  private mutating func tell(_ told: [String]) {
    let asides = [
      "main notify UIApplication.didReceiveMemoryWarningNotification app",
      "main notify UIApplication.significantTimeChangeNotification app",
      "main notify UIApplication.protectedDataWillBecomeUnavailableNotification app",
      "main notify UIApplication.protectedDataDidBecomeAvailableNotification app",
    ]

    let isAwake = lines.last?.hasSuffix("suspend app") == false
    let aside =
      isAwake && Int.random(in: 0..<8, using: &random) == 0
      ? asides.randomElement(using: &random) : nil

    for line in [aside].compactMap(\.self) + told {
      time += 1
      lines.append("\(time)ms \(line)")
    }
  }
}
