import AppLifecycle
import LifecycleModel
import YAMLReading

/// One thing that a handler does.
@MainActor
struct Step {
  let body: @MainActor (Place) -> Void

  private typealias Reader = @MainActor (YAMLValue) throws -> Step

  /// Reads a list of steps.
  static func list(_ value: YAMLValue) throws -> [Step] {
    var steps: [Step] = []
    for item in try value.list("a list of steps").orThrow() { steps.append(try Step(item)) }
    return steps
  }

  private init(body: @escaping @MainActor (Place) -> Void) { self.body = body }

  /// Reads a step: a word, or a word with what it goes with.
  init(_ value: YAMLValue) throws {
    let known = Step.plain.keys.sorted() + Step.readers.keys.sorted()
    guard value.isMapping else {
      let word = try value.word("a step", known).orThrow()
      guard let body = Step.plain[word] else {
        throw value.error(expected: "{\(word): …}: it needs an argument")
      }
      self.body = body
      return
    }

    let (key, argument) = try value.single("a step")
    let word = try key.word("a step", known).orThrow()
    guard let reader = Step.readers[word] else {
      throw argument.error(expected: "no argument after \"\(word)\"")
    }
    self = try reader(argument)
  }

  /// Steps that go with nothing.
  private static let plain: [String: @MainActor (Place) -> Void] = [
    "hang": { $0.application.spend(.infinity, "hang") },
    "complete": { $0.complete?() },
    "crash": { $0.application.crash() },
  ]

  /// Steps that go with something.
  private static let readers: [String: Reader] = [
    "take": take, "work": work, "perform": perform, "authenticate": authenticate,
    "dispatch": dispatch, "timer": timer,
    "stop-timer": label { $0.memory.stopTimer($1, of: $0.scene) },
    "begin-task": beginTask,
    "end-task": label { place, name in
      place.application.endBackgroundTask(place.memory.tasks[name] ?? .invalid)
    },
    "lock": label { $0.application.acquire(.lock, $1, scene: $0.scene) },
    "unlock": label { $0.application.release(.lock, $1, scene: $0.scene) },
    "acquire": acquire,
    "release": release,
    "dirty": label { $0.application.dirty($1, scene: $0.scene) },
    "save": label { $0.application.saved($1, scene: $0.scene) },
    "note": label { $0.application.recorder.note($1) },
    "exit": exit, "throw": label { $0.application.raise($1, "thrown by the scenario") },
    "submit": label { $0.application.submit(continuedTaskWithIdentifier: $1) },
    "read": read, "post": post, "observe": observe, "call": call, "register": register,
  ]

  // MARK: Time and work

  private static func take(_ value: YAMLValue) throws -> Step {
    let seconds = try value.seconds()
    return Step { $0.application.spend(seconds) }
  }

  private static func category(_ value: YAMLValue) throws -> WorkCategory {
    try value.choice("a category of work", WorkCategory.self).orThrow()
  }

  private static func work(_ value: YAMLValue) throws -> Step {
    guard value.isMapping else {
      let category = try category(value)
      return Step { $0.application.work(category, scene: $0.scene) }
    }
    let members = try value.members("work", keys: ["category", "label", "access"]).orThrow()
    let category = try category(members.required("category"))
    let label = members["label"]?.text("a label") ?? ""
    let access = try members["access"].map {
      try $0.choice("when it can be read", DataAccess.self).orThrow()
    }
    return Step { $0.application.work(category, label, access: access, scene: $0.scene) }
  }

  private static func authenticate(_ value: YAMLValue) throws -> Step {
    let members = try value.members("authenticate", keys: ["label", "takes", "then"]).orThrow()
    let label = try members.required("label").text("a label").orThrow()
    let seconds = try members.required("takes").seconds()
    let next = try then(members)
    return Step { place in
      place.application.authenticate(label, scene: place.scene, taking: seconds) {
        place.run(next)
      }
    }
  }

  private static func perform(_ value: YAMLValue) throws -> Step {
    let members = try value.members("perform", keys: ["category", "label", "takes", "then"])
      .orThrow()
    let category = try category(members.required("category"))
    let label = try members.required("label").text("a label").orThrow()
    let seconds = try members.required("takes").seconds()
    let next = try then(members)
    return Step { place in
      place.application.perform(category, label, scene: place.scene, taking: seconds) {
        place.run(next)
      }
    }
  }

  private static func dispatch(_ value: YAMLValue) throws -> Step {
    let members = try value.members("dispatch", keys: ["label", "after", "then"]).orThrow()
    let label = try members.required("label").text("a label").orThrow()
    let delay = try members["after"]?.seconds() ?? 0
    let next = try then(members)
    return Step { place in
      place.application.async(label, scene: place.scene, after: delay) { place.run(next) }
    }
  }

  private static func timer(_ value: YAMLValue) throws -> Step {
    let members = try value.members("timer", keys: ["label", "every", "after", "then"]).orThrow()
    let label = try members.required("label").text("a label").orThrow()
    let period = try members["every"]?.seconds()
    guard let interval = try period ?? members["after"]?.seconds() else {
      throw value.error(expected: "the key \"every\" or \"after\"")
    }

    let next = try then(members)
    return Step { place in
      let timer = place.application.scheduledTimer(
        withTimeInterval: interval, repeats: period != nil, label: label, scene: place.scene
      ) { _ in place.run(next) }
      place.memory.keep(timer, label, of: place.scene)
    }
  }

  private static func then(_ members: YAMLMembers) throws -> [Step] {
    guard let value = members["then"] else { return [] }
    return try list(value)
  }

  // MARK: Tasks

  private static func beginTask(_ value: YAMLValue) throws -> Step {
    guard value.isMapping else {
      let name = try value.text("a task name").orThrow()
      return begin(name, nil) { place in
        place.application.endBackgroundTask(place.memory.tasks[name] ?? .invalid)
      }
    }

    let members = try value.members("begin-task", keys: ["name", "holder", "expiration"]).orThrow()
    let name = try members.required("name").text("a task name").orThrow()
    let holder = members["holder"]?.text("a variable name")
    guard let expiration = members["expiration"] else { return begin(name, holder, nil) }
    let steps = try list(expiration)
    return begin(name, holder) { $0.run(steps) }
  }

  private static func begin(
    _ name: String, _ holder: String?, _ expiration: (@MainActor (Place) -> Void)?
  ) -> Step {
    Step { place in
      var handler: (@MainActor () -> Void)?
      if let expiration { handler = { expiration(place) } }
      place.memory.tasks[name] = place.application.beginBackgroundTask(
        withName: name, holder: holder, expirationHandler: handler)
    }
  }

  private static func register(_ value: YAMLValue) throws -> Step {
    let members = try value.members("register", keys: ["identifier", "kind", "expiration", "then"])
      .orThrow()
    let identifier = try members.required("identifier").text("an identifier").orThrow()
    let kind = members["kind"]?.choice("a kind of task", BGTaskKind.self) ?? .refresh
    let next = try then(members)
    let expiration = try members["expiration"].map { try list($0) }
    return Step { place in
      place.application.register(forTaskWithIdentifier: identifier, kind: kind) { task in
        let inner = place.completing { task.setTaskCompleted(success: true) }
        if let expiration { task.expirationHandler = { inner.run(expiration) } }
        inner.run(next)
      }
    }
  }

  // MARK: Facts

  private static func label(
    _ body: @escaping @MainActor (Place, String) -> Void
  ) -> Reader {
    func read(_ value: YAMLValue) throws -> Step {
      let name = try value.text("a label").orThrow()
      return Step { body($0, name) }
    }
    return read
  }

  private static func release(_ value: YAMLValue) throws -> Step {
    let (resource, label, _) = try held(value, keys: [])
    return Step { $0.application.release(resource, label, scene: $0.scene) }
  }

  private static func acquire(_ value: YAMLValue) throws -> Step {
    let (resource, label, kind) = try held(value, keys: ["kind"])
    return Step { $0.application.acquire(resource, label, kind: kind, scene: $0.scene) }
  }

  private static func held(
    _ value: YAMLValue, keys: [String]
  ) throws -> (resource: Resource, label: String, kind: String?) {
    let members = try value.members("a resource", keys: ["resource", "label"] + keys).orThrow()
    return (
      try members.required("resource").choice("a resource", Resource.self).orThrow(),
      try members.required("label").text("a label").orThrow(),
      members["kind"]?.text("a kind of resource")
    )
  }

  private static func read(_ value: YAMLValue) throws -> Step {
    switch try value.word("a value", ["applicationState", "backgroundTimeRemaining"]).orThrow() {
    case "applicationState": return Step { _ = $0.application.applicationState }
    default: return Step { _ = $0.application.backgroundTimeRemaining }
    }
  }

  private static func exit(_ value: YAMLValue) throws -> Step {
    let status = try value.number("a status", in: 0...255).orThrow()
    return Step { $0.application.exit(Int32(status)) }
  }

  // MARK: By hand

  private static func notification(_ value: YAMLValue) throws -> LifecycleNotification {
    try value.choice("a notification", LifecycleNotification.self).orThrow()
  }

  private static func post(_ value: YAMLValue) throws -> Step {
    var object = "app"
    var name = value
    if value.isMapping {
      let members = try value.members("post", keys: ["notification", "object"]).orThrow()
      name = try members.required("notification")
      object = members["object"]?.word("an object", ["app", "scene", "none"]) ?? "app"
    }

    let notification = try notification(name)
    return Step { [object] place in
      switch object {
      case "app": place.application.post(notification, object: place.application)
      case "scene": place.application.post(notification, object: place.scene)
      default: place.application.post(notification, object: nil)
      }
    }
  }

  private static func observe(_ value: YAMLValue) throws -> Step {
    let members = try value.members("observe", keys: ["notification", "label", "then"]).orThrow()
    let notification = try notification(members.required("notification"))
    let label = try members.required("label").text("a label").orThrow()
    let next = try then(members)
    return Step { place in
      place.application.observe(notification, label: label) { _ in place.run(next) }
    }
  }

  private static func call(_ value: YAMLValue) throws -> Step {
    let callback = try value.choice("a callback", Callback.self).orThrow()
    return Step { place in
      let isScene = callback.hook == .sceneDelegate
      let subject = place.scene.flatMap { isScene ? Subject.scene($0.number) : nil } ?? .app
      place.application.recorder.callback(callback, subject) {}
    }
  }
}
