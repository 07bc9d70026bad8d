import AppLifecycle
import LifecycleModel
import YAMLReading

/// An app, what its handlers do, and what the user and the system do with it, read from YAML.
///
/// The form is that of `samples/scenarios/README.md`.
@MainActor
public struct Scenario {
  /// The app and the system that it runs on.
  public var options = LifecycleDriver.Options()
  /// What happens, in order of time.
  var actions: [(at: Double, action: Action)] = []
  /// When the scenario ends, in seconds.
  var end: Double = 0
  var script = Script()

  /// How long it lasts, in seconds.
  public var length: Double { end }

  /// Reads a scenario; throws a ``ScenarioError``.
  public init(yaml: String) throws {
    let problems = ProblemList()
    if let document = YAMLFile(name: "", problems: problems).parse(Array(yaml.utf8)) {
      try? read(document)
    } else {
      let start = YAMLPlace(file: "", line: 1, column: 1)
      problems.add(.error, start, "expected a scenario, found nothing")
    }
    if let problem = problems.problems.first { throw ScenarioError(problem) }
  }

  private mutating func read(_ document: YAMLValue) throws {
    let members = try document.members("a scenario", keys: ["app", "when", "actions", "until"])
      .orThrow()
    if let app = members["app"] { try readApp(app) }
    if let handlers = members["when"] {
      script = try Script(handlers, mode: options.mode)
    }
    options.implemented = options.implemented.map { callbacks in
      callbacks + script.callbacks.filter { !callbacks.contains($0) }
    }

    try readActions(try members.required("actions"))
    end = (actions.last?.at ?? 0) + 60
    if let until = members["until"] {
      end = try until.seconds()
      if end < actions.last?.at ?? 0 {
        throw until.error(expected: "a time no earlier than the last action")
      }
    }
  }

  private mutating func readApp(_ value: YAMLValue) throws {
    let members = try value.members(
      "app",
      keys: [
        "mode", "multi-scene", "os", "platform", "sdk", "background-modes", "debugger", "simulator",
        "implements", "marks", "app", "version", "build", "device", "install",
      ]
    ).orThrow()
    func read<Value>(_ key: String, _ read: (YAMLValue) throws -> Value?) throws -> Value? {
      try members[key].map { try read($0).orThrow() }
    }
    try readRelease(members)

    options.mode = try read("mode") { $0.choice("a mode", Profile.Mode.self) } ?? options.mode
    options.isMultiScene = try read("multi-scene") { $0.flag() } ?? options.isMultiScene
    if let os = try read("os", { $0.text("a version such as 18.2") }) {
      guard let major = os.split(separator: ".").first.flatMap({ Int($0) }) else {
        throw try members.required("os").error(expected: "a version such as 18.2")
      }
      (options.os, options.limits) = (os, SystemLimits(osMajor: major))
    }

    let platforms = ["ios", "ipados", "tvos", "visionos", "watchos", "catalyst", "linux"]
    options.platform = try read("platform") { $0.word("a platform", platforms) } ?? options.platform
    options.sdk = try read("sdk") { $0.text("a version such as 18.2") }
    options.backgroundModes =
      try read("background-modes") {
        try $0.list("a list of background modes").orThrow().map {
          try $0.word("a background mode", Profile.knownBackgroundModes).orThrow()
        }
      } ?? []
    options.isDebugged = try read("debugger") { $0.flag() } ?? options.isDebugged
    options.isSimulated = try read("simulator") { $0.flag() } ?? options.isSimulated
    options.implemented = try read("implements") {
      try $0.list("a list of callbacks").orThrow().map {
        try $0.choice("a callback", Callback.self).orThrow()
      }
    }
    options.marks = try read("marks") {
      try $0.list("a list of marks").orThrow().map {
        try $0.word("a mark", ["sensitive", "alert", "restoration"]).orThrow()
      }
    }
  }

  /// Reads which app it is, and where it is installed.
  private mutating func readRelease(_ members: YAMLMembers) throws {
    func text(_ key: AttributeKey, _ expected: String) throws -> String? {
      try members[key.rawValue]?.text(expected).orThrow()
    }
    options.app = try text(.app, "a bundle identifier such as com.example.notes")
    options.version = try text(.version, "a version such as 4.2.1")
    options.build = try text(.build, "a build such as 812")
    options.device = try text(.device, "a model such as \"iPhone16,2\"")
    options.install = try text(.install, "a number of an installation such as 9f2b833506aa6973")
  }

  private mutating func readActions(_ value: YAMLValue) throws {
    for item in try value.list("a list of actions").orThrow() {
      let (key, argument) = try item.single("a time and an action, such as \"5s: home\"")
      let time = try key.seconds()
      if time < actions.last?.at ?? 0 {
        throw key.error(expected: "a time no earlier than the action above")
      }
      actions.append((time, try Action(argument)))
    }
  }

  /// Runs the scenario, once a day for so many days, and ends its log.
  ///
  /// Throws a ``LifecycleDriver/RangeError`` for more time than a recording can state, and when the log cannot be
  /// made or written. Cost: some microseconds an event.
  @discardableResult
  public func run(to log: LifecycleDriver.Log, days: Int = 1) throws -> LifecycleDriver {
    let script = script
    if Double(days - 1) * 86_400 + end > Double(LifecycleDriver.latest) / 1e9 {
      throw LifecycleDriver.RangeError()
    }
    let driver = try LifecycleDriver(options, log: log) { script.delegate() }
    for day in 0..<max(1, days) {
      let start = Nanoseconds.seconds(86_400) * Int64(day)
      func instant(_ seconds: Double) -> Nanoseconds { start + Nanoseconds(seconds * 1e9) }
      let today = Action.Day(driver)
      for (at, action) in actions {
        driver.run(until: instant(at))
        action.perform(driver, today)
      }
      driver.run(until: instant(end))
    }

    try driver.finish()
    return driver
  }
}
