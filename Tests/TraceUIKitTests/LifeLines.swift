import LifecycleModel

/// A trace as lines that two recorders of the same life must agree on: without instants, and with scenes,
/// sessions and tasks numbered as they come, process by process.
struct LifeLines: Equatable {
  /// Calls, notifications, deliveries and tasks, in order.
  var facts: [String] = []
  /// The changes of state, in order.
  var states: [String] = []
  /// Both, in order: the same where the app has all methods, since a state is seen when something tells of it.
  ///
  /// The driver changes a state between the method's own return and the `return` that it states: such a
  /// state stands behind it here.
  var all: [String] = []

  /// The processes of a trace; of calls those that the app implements, and of deliveries those that come
  /// with a call.
  static func processes(_ trace: Trace, implemented: Set<String>) -> [LifeLines] {
    var processes: [LifeLines] = []
    var lines = LifeLines()
    var numbers: [Subject: Int] = [:]
    for event in trace.events {
      if event.verb == .processStart {
        processes.append(lines)
        (lines, numbers) = (LifeLines(), [:])
      }
      lines.add(event, trace.vocabulary, implemented, &numbers)
    }

    processes.append(lines)
    return processes.filter { $0 != LifeLines() }
  }

  private static let deliveries: Set<String> = [
    "push", "url", "activity", "fetch", "urlsession", "shortcut",
  ]

  private mutating func add(
    _ event: Event, _ vocabulary: Vocabulary, _ implemented: Set<String>,
    _ numbers: inout [Subject: Int]
  ) {
    let name = vocabulary.text(event.name)
    switch event.verb {
    case .call, .return: guard implemented.contains(name) else { return }
    case .deliver, .complete: guard LifeLines.deliveries.contains(name) else { return }
    case .notify, .state, .taskBegin, .taskEnd, .taskExpire, .taskExpired: break
    case .bgtaskRegister, .bgtaskLaunch, .bgtaskExpire, .bgtaskComplete: break
    default: return
    }

    func numbered(_ subject: Subject) -> String {
      guard subject.isNumbered else { return subject.description }
      let number = numbers[subject] ?? numbers.keys.filter { $0.kind == subject.kind }.count + 1
      numbers[subject] = number
      return Subject(subject.kind, UInt32(number)).description
    }
    var words = [event.verb.word ?? "", name, numbered(event.subject)]
    if event.verb == .taskBegin { words.append(vocabulary.text(event.label)) }
    for attribute in vocabulary.attributes(event.attributes) {
      switch attribute.key {
      case "session":
        words.append(numbered(.session(UInt32(attribute.value) ?? 0)))
      // The scheduler is told of a kind with a request, and a task has one by its class.
      case "kind" where event.verb == .bgtaskRegister: break
      case "role", "options", "handler", "kind": words.append("\(attribute.key)=\(attribute.value)")
      default: break
      }
    }

    let line = words.filter { !$0.isEmpty }.joined(separator: " ")
    event.verb == .state ? states.append(line) : facts.append(line)
    if event.verb == .return {
      let end = all.lastIndex { !$0.hasPrefix("state ") } ?? -1
      all.insert(line, at: end + 1)
    } else {
      all.append(line)
    }
  }
}
