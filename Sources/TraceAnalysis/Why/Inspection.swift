import LifecycleModel
import TraceText

/// What an analyzer of one rule holds as an event comes, in words.
///
/// It is a class, as ``AskedRule`` is: an analyzer is large, and each type that holds one by value gets copying code of
/// its own.
final class Inspection {
  let analyzer: Analyzer
  let event: Event
  private let steps: [Step]
  /// For each instance of a window what closed it last.
  private let closings: [Instance: String]
  private let clausesByNumber: [Int: any FormClause]

  /// An instance of a clause.
  struct Instance: Hashable {
    var clause: Int
    var key: UInt64
  }

  init(analyzer: Analyzer, event: Event, closings: [Instance: String] = [:]) {
    self.analyzer = analyzer
    self.event = event
    self.closings = closings
    clausesByNumber = Dictionary(
      uniqueKeysWithValues: analyzer.set.forms.all.map { ($0.clause.number, $0) })
    var table = analyzer.set.table
    steps = table.range(event, .none).map { table.steps[$0] }
  }

  /// Whether the rule looks at such events.
  var isAsked: Bool { steps.contains { isOfRule($0) } }

  /// Whether the rule looks at this very event, its subject and its writer considered.
  var isLookedAt: Bool {
    steps.contains { step in
      if step.form == .none {
        if step.action == .guarded { return guarded(step) != nil }
        if step.action == .connection { return false }
      }
      return isOfRule(step) && step.matches(event)
    }
  }

  /// Whether a step is not one of those that are done for every analysis, whatever its rules.
  private func isOfRule(_ step: Step) -> Bool {
    guard step.form == .none else { return true }
    switch step.action {
    case .termination, .resumed, .departure, .memory: return false
    case .mainThreadBegin, .mainThreadEnd: return mainThreadClause != nil
    default: return true
    }
  }

  /// What stands behind a step with conditions, if the event fulfils them.
  private func guarded(_ step: Step) -> GuardedStep? {
    let guarded = analyzer.set.guarded[step.index]
    if case .meant = guarded.meaning(event, analyzer.vocabulary) { return guarded }
    return nil
  }

  /// The windows that the event closes.
  var closedWindows: [Instance] {
    steps.compactMap { step in
      var step = step
      if step.form == .none {
        guard step.action == .guarded, let guarded = guarded(step) else { return nil }
        step = guarded.step
      }
      guard step.matches(event), let clause = clause(step) else { return nil }
      return clause.closedInstance(step, self).map {
        Instance(clause: clause.clause.number, key: $0)
      }
    }
  }

  /// What is true before the event.
  var state: [String] {
    let state = analyzer.state
    var lines: [String] = []
    if let app = state.app {
      lines.append("the app has been \(app.state.rawValue) since \(told(app.since))")
    } else {
      lines.append("the state of the app is not known")
    }

    if event.subjectKind == .scene {
      let scene = state.scene(event.subjectNumber)
      lines.append(
        scene.map { "\(event.subject) has been \($0.activation.rawValue) since \(told($0.since))" }
          ?? "\(event.subject) is not known to be connected")
    }

    if let suspension = state.suspension {
      lines.append("the process has been suspended since \(told(suspension))")
    }
    if let gap = state.lastGap { lines.append("events are missing at \(told(gap))") }
    for call in state.open.facts(.call).prefix(4) { lines.append("\(told(call)) is running") }
    return lines
  }

  /// The rule's patterns.
  var clauses: [Inquiry.Clause] {
    analyzer.set.clauses.map { clause in
      let terms = analyzer.ledger.terms[clause.number]
      var values = clausesByNumber[clause.number]?.values(self) ?? []
      if let launches = terms.pattern.launches {
        let names = launches.map(\.rawValue).sorted().joined(separator: ", ")
        values.append(
          "checked for launches by \(names); this launch is by "
            + (analyzer.ledger.present.launch?.rawValue ?? "an unknown reason"))
      }
      if terms.pattern.milder != nil {
        let severity = analyzer.ledger.severity(clause, at: event.instant)
        if severity != terms.severity {
          values.append("a finding here is \(severity.rawValue), not \(terms.severity.rawValue)")
        }
      }
      return Inquiry.Clause(
        pattern: terms.pattern.words, roles: roles(clause.number), values: values)
    }
  }

  // MARK: Roles

  private func roles(_ number: Int) -> [String] {
    steps.compactMap { step in
      guard let clause = clause(step), clause.clause.number == number else { return nil }
      if step.form == .none && step.action == .guarded {
        let guarded = analyzer.set.guarded[step.index]
        return role(guarded.step, clause).map { role in told(role, guarded) }
      }
      guard let role = role(step, clause) else { return nil }
      return step.matches(event) ? role : "\(role), but subject or writer differ"
    }
  }

  /// The part that the event plays in a pattern.
  private func role(_ step: Step, _ clause: any FormClause) -> String? {
    if step.form != .none {
      let form = analyzer.ledger.terms[clause.clause.number].pattern.form
      return form.content.roles.first { $0.part == step.part }?.word
    }
    switch step.action {
    case .mitigate: return "lowers the severity of a finding"
    case .mainThreadBegin, .mainThreadEnd: return "uses time on main"
    default: return nil
    }
  }

  /// The part in a pattern that asks for more than verb and name.
  private func told(_ role: String, _ guarded: GuardedStep) -> String {
    switch guarded.meaning(event, analyzer.vocabulary) {
    case .meant: break
    case .notMeant: return "\(role), but subject, writer, name, label or attributes differ"
    case .unclear(let key): return "\(role), if the event said \(key.rawValue)"
    }
    switch present({ guarded.guards.answer(event, $0) }) {
    case .counts: return role
    case .doesNot: return "\(role), but the state differs"
    case .unknown(let doubt): return "\(role), if the state were known: \(doubt.reason)"
    }
  }

  /// The clause that a step belongs to.
  private func clause(_ step: Step) -> (any FormClause)? {
    if step.form == .none && (step.action == .mainThreadBegin || step.action == .mainThreadEnd) {
      // The main thread is watched for the verdict too, which is no clause.
      return mainThreadClause
    }
    return clausesByNumber[Int(step.clause)]
  }

  private var mainThreadClause: (any FormClause)? {
    clausesByNumber.values.filter { type(of: $0).isOfMainThread }
      .min { $0.clause.number < $1.clause.number }
  }

  // MARK: Values

  /// What a question about the moment at which the event comes is answered.
  func present<Answer>(_ question: (Moment) -> Answer) -> Answer {
    withUnsafePointer(to: analyzer.ledger.present) { question(Moment($0)) }
  }

  func key(_ clause: Clause) -> UInt64? { analyzer.ledger.instance(clause.scope, event).key }

  func noScope(_ clause: Clause) -> String {
    if case .unknown(let key) = analyzer.ledger.instance(clause.scope, event) {
      return "cannot tell which \(clause.scope.word): \(Doubt.attributeMissing(key).reason)"
    }
    return "the event has no \(clause.scope.word)"
  }

  /// What closed the window of an instance last.
  func lastClosed(_ clause: Clause, _ key: UInt64) -> String? {
    closings[Instance(clause: clause.number, key: key)]
  }

  // MARK: Words

  /// A fact, and whether a gap lies between it and now.
  func held(_ opener: OpenEvent) -> String {
    told(opener)
      + (analyzer.state.isCertain(opener) ? "" : ", before missing events: cannot tell")
  }

  func told(_ opener: OpenEvent) -> String { told(opener.event) }

  func told(_ event: Event) -> String {
    "\(EventReference(event, analyzer.vocabulary).text) "
      + "\(InstantText.print(event.instant.nanoseconds)) "
      + InertText.word(analyzer.vocabulary.name(of: event))
  }
}

extension FormClause {
  /// The instance whose window is open and that the event of a step closes.
  fileprivate func closedInstance(_ step: Step, _ inspection: Inspection) -> UInt64? {
    Part(rawValue: step.part).flatMap { closedInstance($0, inspection) }
  }
}
