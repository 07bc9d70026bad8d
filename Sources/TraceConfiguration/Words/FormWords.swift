import TraceAnalysis

/// How often an order can be kept or broken, in words.
enum OrderWord: String, CaseIterable {
  case pairs, once, begins

  var repetition: OrderForm.Repetition {
    switch self {
    case .pairs: .pairs
    case .once: .once
    case .begins: .mustHaveFirst
    }
  }
}

/// What a budget limits.
enum BudgetWord: String, CaseIterable {
  case each, sum
}

extension Scope {
  /// How many instances there may be at a time, in words.
  var bound: String {
    switch self {
    case .app: "one event"
    case .scene: "one event for each scene of the process"
    case .subject: "one event for the app and one for each of its scenes"
    case .task: "one event for each background task of the process"
    case .session: "one event for each scene session of the process"
    case .name, .label, .value, .holder:
      "one event for each of up to \(Scope.followedWords) \(rawValue)s"
    }
  }
}
