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

  init(_ repetition: OrderForm.Repetition) {
    switch repetition {
    case .pairs: self = .pairs
    case .once: self = .once
    case .mustHaveFirst: self = .begins
    }
  }
}

/// What a budget limits.
enum BudgetWord: String, CaseIterable {
  case each, sum
}

/// What instances of a pattern are kept apart by.
enum ScopeWord: String, CaseIterable {
  case app, scene, subject, task, name, label

  var scope: Scope {
    switch self {
    case .app: .app
    case .scene: .scene
    case .subject: .subject
    case .task: .task
    case .name: .name
    case .label: .label
    }
  }

  init(_ scope: Scope) {
    switch scope {
    case .app: self = .app
    case .scene: self = .scene
    case .subject: self = .subject
    case .task: self = .task
    case .name: self = .name
    case .label: self = .label
    }
  }

  /// How many instances there may be at a time, in words.
  var bound: String {
    switch self {
    case .app: "one event"
    case .scene: "one event for each scene of the process"
    case .subject: "one event for the app and one for each of its scenes"
    case .task: "one event for each background task of the process"
    case .name: "one event for each of up to \(Scope.followedWords) names"
    case .label: "one event for each of up to \(Scope.followedWords) labels"
    }
  }
}
