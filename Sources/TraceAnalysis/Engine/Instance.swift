import LifecycleModel

/// The instance of a clause that an event belongs to.
enum Instance: Equatable {
  case of(UInt64)
  /// None: the event is about nothing that the scope keeps apart.
  case none
  /// One of them; that nothing said this leaves open which.
  case unknown(AttributeKey)

  /// The key of the instance, where it is known.
  var key: UInt64? {
    if case .of(let key) = self { key } else { nil }
  }
}

extension RulePattern {
  /// Whether what the connections of scenes say counts.
  var asksConnections: Bool { roles != nil || scope == .session }
}

extension Ledger {
  /// The key of the instance of a clause that `event` belongs to; `nil` when that is none, or not
  /// known.
  ///
  /// What is not known is noted. Such an event `mayEnd` something: nothing that began before it is
  /// certain any more.
  @inline(__always)
  mutating func key(_ clause: Clause, _ event: Event, mayEnd: Bool = false) -> UInt64? {
    clause.scope.said == nil
      ? clause.scope.key(event) : saidKey(clause, event, mayEnd: mayEnd)
  }

  /// The same, where what is not known counts for nothing.
  @inline(__always)
  func knownKey(_ clause: Clause, _ event: Event) -> UInt64? {
    clause.scope.said == nil ? clause.scope.key(event) : instance(clause.scope, event).key
  }

  @inline(never)
  private mutating func saidKey(_ clause: Clause, _ event: Event, mayEnd: Bool) -> UInt64? {
    let instance = instance(clause.scope, event)
    if case .unknown(let key) = instance {
      doubt(clause, .attributeMissing(key))
      if mayEnd { noteStray(clause, event) }
    }
    return instance.key
  }

  /// The event that comes may end something in any instance of a clause.
  mutating func noteStray(_ clause: Clause, _ event: Event) {
    marks[clause.number].lastStray = present.state.ordinal &+ 1
    marks[clause.number].strayDoubt = strayDoubt(clause, event)
  }

  /// Why a clause cannot tell after an event that does not say to which instance it belongs.
  func strayDoubt(_ clause: Clause, _ stray: Event) -> Doubt {
    guard let said = clause.scope.said else { return .gap }
    return .notSaid("the \(said.rawValue) of an earlier \(vocabulary.name(of: stray))")
  }

  /// The place of the last event that hides what a clause asks for: a gap, or one that may belong to
  /// any instance; 0 for none.
  func lastLoss(_ clause: Clause) -> UInt64 {
    max(present.state.lastGap?.ordinal ?? 0, marks[clause.number].lastStray)
  }

  /// Why it is not certain that what a fact began lasts, in a clause; `nil` when it is.
  func doubt(_ clause: Clause, since opener: OpenEvent) -> Doubt? {
    if !present.state.isCertain(opener) { return .gap }
    return opener.ordinal < marks[clause.number].lastStray ? marks[clause.number].strayDoubt : nil
  }

  /// The instance that `event` belongs to in a scope.
  func instance(_ scope: Scope, _ event: Event) -> Instance {
    switch scope {
    case .session:
      switch event.subjectKind {
      case .session: .of(UInt64(event.subjectNumber))
      case .scene: connections?.session(event).map { .of(UInt64($0)) } ?? .unknown(.session)
      default: .none
      }
    case .holder: holder(of: event)
    default: scope.key(event).map { .of($0) } ?? .none
    }
  }

  /// A task is kept in a variable; what else is held or goes on belongs to the thread that began it.
  private func holder(of event: Event) -> Instance {
    let isOfTask = event.subjectKind == .task
    var begin = event
    if isOfTask ? event.verb != .taskBegin : SpanFamily.closed(by: event.verb) != nil {
      guard let opened = isOfTask ? present.state.open.span(closedBy: event, .task) : opened(event)
      else {
        return .none
      }
      begin = opened.event
    }

    if let holder = vocabulary.attributes(begin.attributes)[.holder] {
      return vocabulary.number(ofHolder: holder).map { .of($0 | 1 << 63) } ?? .unknown(.holder)
    }
    if isOfTask { return .unknown(.holder) }
    return begin.writer == .system ? .none : .of(UInt64(begin.writer.rawValue))
  }
}
