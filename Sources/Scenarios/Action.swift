import AppLifecycle
import YAMLReading

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// Something that the user or the system does.
@MainActor
struct Action {
  let perform: @MainActor (LifecycleDriver, Day) -> Void

  /// A day of a scenario, which counts its scenes anew.
  struct Day {
    /// The scenes that are there when it begins, the oldest first.
    private let present: [UInt32]
    /// The newest scene of the days before.
    private let last: UInt32

    /// The day that begins.
    @MainActor
    init(_ driver: LifecycleDriver) { (present, last) = (driver.sceneNumbers, driver.lastScene) }

    /// The number that traces give to the scene that is the day's `scene`th: of those that were there when
    /// it began, and those that came since.
    func number(ofScene scene: UInt32) -> UInt32 {
      if scene >= 1, scene <= present.count { return present[Int(scene) - 1] }
      let (number, overflow) = last.addingReportingOverflow(scene &- UInt32(present.count))
      return scene == 0 || overflow ? 0 : number
    }
  }

  /// What an action goes with.
  private enum Argument {
    case nothing(@MainActor (LifecycleDriver) -> Void)
    case text(String, @MainActor (LifecycleDriver, String) -> Void)
    case number(String, @MainActor (LifecycleDriver, UInt32) -> Void)
    case scene(@MainActor (LifecycleDriver, UInt32) -> Void)
    case word([String], @MainActor (LifecycleDriver, String) -> Void)
  }

  private static let sceneNumber = "the number of a scene"
  private static let signals = CrashSignal.allCases.map(\.name)

  private static let all: [String: Argument] = [
    "launch": .nothing { $0.launch() },
    "prewarm": .nothing { $0.prewarm() },
    "home": .nothing { $0.goHome() },
    "interrupt": .nothing { $0.interrupt() },
    "end-interruption": .nothing { $0.endInterruption() },
    "switcher": .nothing { $0.openSwitcher() },
    "leave-switcher": .nothing { $0.closeSwitcher() },
    "swipe-away": .nothing { $0.killFromSwitcher() },
    "lock": .nothing { $0.lock() },
    "unlock": .nothing { $0.unlock() },
    "touch": .nothing { $0.touch() },
    "touch-scene": .scene { $0.touch(scene: $1) },
    "open-scene": .nothing { $0.openScene() },
    "close-scene": .scene { $0.closeScene($1) },
    "reclaim-scene": .scene { $0.reclaimScene($1) },
    "leave-scene": .scene { $0.leaveScene($1) },
    "return-to-scene": .scene { $0.returnToScene($1) },
    "connect-scene": .word(Action.roles) { $0.connectScene(SceneRole(rawValue: $1) ?? .other) },
    "disconnect-scene": .word(Action.roles) {
      $0.disconnectScene(SceneRole(rawValue: $1) ?? .other)
    },
    "connect-display": .nothing { $0.connectScene(.external) },
    "disconnect-display": .nothing { $0.disconnectScene(.external) },
    "open-url": .text("a URL") { driver, text in
      if let url = URL(string: text) { driver.openURL(url) }
    },
    "continue-activity": .text("an activity type") {
      $0.continueActivity(UserActivity(activityType: $1))
    },
    "shortcut": .text("a quick action type") {
      $0.performShortcut(ShortcutItem(type: $1))
    },
    "tap-notification": .text("a notification identifier") {
      $0.openNotification(NotificationResponse(identifier: $1))
    },
    "push": .text("the subject of the push") { $0.deliverPush($1) },
    "location": .nothing { $0.deliverLocation() },
    "fetch": .nothing { $0.deliverFetch() },
    "url-session": .text("a session identifier") { $0.deliverURLSession($1) },
    "background-task": .text("a task identifier") { $0.launchBackgroundTask($1) },
    "memory-warning": .nothing { $0.memoryWarning() },
    "time-change": .nothing { $0.significantTimeChange() },
    "end-for-system": .nothing { $0.endForSystem() },
    "purge": .nothing { $0.purge() },
    "reboot": .nothing { $0.reboot() },
    "crash": .word(Action.signals) { driver, name in
      driver.crash(CrashSignal.allCases.first { $0.name == name } ?? .SIGSEGV)
    },
    "exit": .number("a status") { $0.exitProcess(status: Int32(truncatingIfNeeded: $1)) },
    "memory-kill": .nothing { $0.passMemoryLimit() },
  ]

  /// The roles of scenes that are no windows.
  private static let roles = SceneRole.allCases.filter { $0 != .window }.map(\.rawValue)

  /// The words of all actions.
  static var words: [String] { all.keys.sorted() }

  /// Reads an action: a word, or a word with what it goes with.
  init(_ value: YAMLValue) throws {
    if value.isMapping {
      let (key, argument) = try value.single("an action")
      let word = try key.word("an action", Action.words).orThrow()
      switch Action.all[word] {
      case .text(let expected, let body):
        let text = try argument.text(expected).orThrow()
        if word == "open-url" && URL(string: text) == nil {
          throw argument.error(expected: expected)
        }
        perform = { driver, _ in body(driver, text) }
      case .word(let known, let body):
        let text = try argument.word("the argument of \(word)", known).orThrow()
        perform = { driver, _ in body(driver, text) }
      case .number(let expected, let body):
        let number = try argument.number(expected, in: 0...Int(UInt32.max)).orThrow()
        perform = { driver, _ in body(driver, UInt32(number)) }
      case .scene(let body):
        let number = try argument.number(Action.sceneNumber, in: 0...Int(UInt32.max)).orThrow()
        perform = { body($0, $1.number(ofScene: UInt32(number))) }
      case .nothing?: throw argument.error(expected: "no argument after \"\(word)\"")
      case nil: throw key.error(expected: "an action", oneOf: Action.words)
      }
    } else {
      let word = try value.word("an action", Action.words).orThrow()
      switch Action.all[word] {
      case .nothing(let body): perform = { driver, _ in body(driver) }
      case .scene: throw value.error(expected: "{\(word): \(Action.sceneNumber)}")
      case .text(let expected, _), .number(let expected, _):
        throw value.error(expected: "{\(word): \(expected)}")
      case .word(let known, _):
        throw value.error(expected: "{\(word): \(known.joined(separator: ", "))}")
      case nil: throw value.error(expected: "an action", oneOf: Action.words)
      }
    }
  }
}
