import LifecycleModel

/// A cause that several rules may find, each from its side: one leaked task overruns the time in the
/// background, is never ended, is not ended by its expiration handler, and is open at the kill.
enum FindingCause: CaseIterable {
  case leakedTask, unansweredDelivery, uncompletedTask, heldResource, unsavedData
  case misplacedCallback, lateInterface, busyMainThread, slowLaunch, slowCallback, death

  /// The rules about background tasks that are not ended, or not completed.
  static let ofTasks = Set(leakedTask.rules + uncompletedTask.rules)

  /// The rules that find it, the one that tells most first.
  var rules: [String] {
    switch self {
    case .leakedTask:
      [
        "task-overwrite-leak", "task-leak-at-suspend", "task-one-end", "task-end-in-expiration",
        "budget-assertion-total",
      ]
    case .unansweredDelivery: ["completion-handlers-called", "budget-push-completion"]
    case .uncompletedTask: ["bgtask-complete-once", "budget-bg-refresh"]
    case .heldResource:
      ["lock-at-suspend", "work-shared-resource-in-background", "files-open-at-resign"]
    case .unsavedData: ["data-dirty-at-background", "data-last-chance-is-resign"]
    case .misplacedCallback:
      [
        "excl-app-callbacks-in-scene-mode", "launch-before-lifecycle", "scene-connect-first",
        "scene-nothing-after-disconnect", "order-nothing-while-suspended",
        "order-nothing-after-terminate", "order-resign-before-background",
        "scene-resign-before-background", "scene-disconnect-not-active",
        "order-foreground-before-active", "scene-foreground-before-active",
        "order-background-launch-not-active", "order-active-alternates", "scene-active-alternates",
        "order-resign-needs-active", "order-foreground-needs-background",
        "scene-connect-once", "scene-foreground-from-background", "order-background-once",
        "transition-not-doubled", "scene-delegate-in-app-mode", "agg-foreground-once",
        "agg-background-launch-silent",
      ]
    case .lateInterface: ["work-ui-adjust-in-time", "work-ui-in-background"]
    case .busyMainThread: ["budget-cumulative-window", "pm-cumulative-not-last-frame"]
    case .slowLaunch: ["launch-first-frame", "launch-slow"]
    case .slowCallback: ["budget-resign", "budget-main-blocked-foreground"]
    case .death:
      [
        "death", "pm-silent-death-class", "pm-code-consistent", "pm-missing-terminate-is-normal",
        "pm-exit-is-not-a-kill",
      ]
    }
  }

  /// What two findings of the cause have in common when they are about the same thing.
  private struct Key: Hashable {
    var cause: FindingCause
    /// The task, where the cause is a task.
    var task: UInt32?
    /// The event that brought it about.
    var event: Event?
  }

  private func key(_ finding: Finding) -> Key? {
    let events = finding.witnesses.filter { $0.role != .closes }.compactMap(\.event)
    switch self {
    case .leakedTask:
      // The task that was overwritten, or held over a suspension, opened the finding.
      let task = events.first { $0.verb == .taskBegin } ?? finding.culprit
      guard let task, task.subjectKind == .task else { return nil }
      return Key(cause: self, task: task.subjectNumber)
    case .heldResource:
      return events.first { $0.verb == .acquire }.map { Key(cause: self, event: $0) }
    case .unsavedData:
      return events.first { $0.verb == .dataDirty }.map { Key(cause: self, event: $0) }
    case .death:
      return (finding.standsFor ?? finding.culprit).map { Key(cause: self, event: $0) }
    case .busyMainThread:
      return finding.witnesses.first { $0.role == .closes }?.event.map {
        Key(cause: self, event: $0)
      }
    case .unansweredDelivery, .uncompletedTask, .misplacedCallback, .lateInterface, .slowLaunch,
      .slowCallback:
      return finding.culprit.map { Key(cause: self, event: $0) }
    }
  }

  private static let places: [String: (cause: FindingCause, rank: Int)] = {
    let rows = FindingCause.allCases.flatMap { cause in
      cause.rules.enumerated().map { ($0.element, (cause, $0.offset)) }
    }
    return Dictionary(uniqueKeysWithValues: rows)
  }()

  /// Puts findings of one cause together.
  ///
  /// The most serious one comes first, of equal ones that which tells most. A rule appears once in
  /// each; what it found beyond that stands by itself.
  static func join(_ findings: [Finding]) -> [Finding] {
    var joined: [Finding] = []
    var mains: [Key: Int] = [:]
    for finding in findings.sorted(by: comesFirst) {
      let key = places[finding.rule]?.cause.key(finding)
      var place = joined.count
      if let main = key.flatMap({ mains[$0] }), joined[main].takes(finding) {
        joined[main].dependents.append(finding)
        place = main
      } else {
        if let key { mains[key] = mains[key] ?? place }
        joined.append(finding)
      }
      // What other rules say of an end belongs to the finding that stands for it.
      if let end = finding.standsFor { mains[Key(cause: .death, event: end)] = place }
    }
    return joined
  }

  /// The place of a finding's rule among those of its cause: the first tells most.
  static func rank(_ finding: Finding) -> Int { places[finding.rule]?.rank ?? 0 }

  private static func comesFirst(_ first: Finding, _ second: Finding) -> Bool {
    let ranks = (rank(first), rank(second))
    if (first.standsFor != nil) != (second.standsFor != nil) { return first.standsFor != nil }
    return (second.severity, ranks.0, first.ordinal, first.rule, first.message)
      < (first.severity, ranks.1, second.ordinal, second.rule, second.message)
  }
}

extension Finding {
  /// Whether a finding of the same cause can depend on this one: its rule is not here yet.
  fileprivate func takes(_ finding: Finding) -> Bool {
    rule != finding.rule && !dependents.contains { $0.rule == finding.rule }
  }
}
