import LifecycleModel

/// What the rules say about the order of one subject's callbacks and notifications, as one automaton.
///
/// Each clause of a rule is an automaton of two or three states, and takes a bit; their product reads
/// an event with a few operations on words. A clause that also depends on something else than order
/// is not part of it.
struct LifecycleAutomaton {
  /// Where the automaton is.
  struct State: Hashable {
    /// The windows that are open.
    var windows: UInt64 = 0
    /// The orders whose first event came, or that are settled.
    var first: UInt64 = 0
    /// The orders whose second event came first.
    var then: UInt64 = 0

    /// The part of the state that these clauses have.
    func masked(_ bits: UInt64) -> State {
      State(windows: windows & bits, first: first & bits, then: then & bits)
    }

    /// Whether all that may follow `other` may follow this.
    func isAsGood(as other: State) -> Bool {
      windows & ~other.windows == 0 && then & ~other.then == 0 && other.first & ~first == 0
    }
  }

  /// What a letter does to the clauses.
  struct Effect {
    var culprit: UInt64 = 0
    var close: UInt64 = 0
    var open: UInt64 = 0
    var until: UInt64 = 0
    var first: UInt64 = 0
    var then: UInt64 = 0

    var isNothing: Bool { culprit | close | open | until | first | then == 0 }
  }

  /// A clause of the product.
  struct Clause {
    /// The place of the rule.
    let rule: Int
    /// The place among the clauses of all rules; `nil` for a rule that is code.
    let clause: Int?
    let launches: Set<LaunchReason>?
  }

  private(set) var effects = [Effect](repeating: Effect(), count: LifecycleLetter.count)
  private(set) var clauses: [Clause] = []
  /// The place of the first rule for which there is no bit; then no analysis starts.
  private(set) var excess: Int?
  /// The windows that a culprit leaves open.
  var lasting: UInt64 = 0
  /// The orders that can be kept or broken once.
  var once: UInt64 = 0
  /// The windows that are open from the start.
  var always: UInt64 = 0
  /// The windows that the start of a process opens.
  var atStart: UInt64 = 0

  /// The state at the start of a process, or in the middle of a life.
  func initial(atProcessStart: Bool) -> State {
    State(windows: atProcessStart ? always | atStart : always)
  }

  /// Reads a letter; the clauses that it breaks.
  @inline(__always)
  func read(_ letter: LifecycleLetter, _ state: inout State) -> UInt64 {
    let effect = effects[Int(letter.rawValue)]
    var broken = state.windows & effect.culprit
    state.windows &= ~(effect.close | broken & ~lasting)
    state.windows |= effect.open
    let orders = effect.until | effect.first | effect.then
    if orders == 0 { return broken }

    // An until settles what can happen once, and forgets what can happen again.
    state.then &= ~effect.until
    state.first = state.first & ~effect.until | effect.until & once
    let late = state.then & effect.first
    broken |= late
    state.then &= ~late
    state.first = state.first & ~late | late & once | effect.first & ~late

    let kept = state.first & effect.then
    state.first &= ~(kept & ~once)
    state.then |= effect.then & ~kept
    return broken
  }

  /// Whether a letter that is added here can make something legal that comes later.
  func helps(_ letter: LifecycleLetter, _ state: State, _ bits: UInt64) -> Bool {
    let effect = effects[Int(letter.rawValue)]
    return bits
      & (effect.close & state.windows | effect.until & state.then
        | effect.first & ~state.first | effect.until & ~state.first & once) != 0
  }

  /// The letters that mean something, a bit each.
  var letters: UInt64 {
    LifecycleLetter.all.reduce(0) { letters, letter in
      effects[Int(letter.rawValue)].isNothing ? letters : letters | letter.bit
    }
  }

  /// The bits of a clause, by its place, or of a rule that is code.
  func bits(clause: Int, rule: Int) -> UInt64 {
    var bits: UInt64 = 0
    for (bit, known) in clauses.enumerated()
    where known.clause.map({ $0 == clause }) ?? (known.rule == rule) {
      bits |= 1 << UInt64(bit)
    }
    return bits
  }

  // MARK: Making one

  /// So many clauses have a bit.
  static let capacity = UInt64.bitWidth

  /// Adds a clause if it is about order alone, and about letters of this automaton.
  mutating func add(_ order: LifecycleOrder, _ clause: Clause, isOfScene: Bool) {
    let letters = order.parts.compactMap(\.events.letters)
    guard letters.count == order.parts.count,
      zip(order.parts, letters).contains(where: { part, letters in
        (part.effect == \.culprit || part.effect == \.then)
          && letters.contains { $0.isOfScene == isOfScene || $0 == .suspend }
      })
    else { return }
    guard clauses.count < LifecycleAutomaton.capacity else {
      excess = excess ?? clause.rule
      return
    }

    let bit: UInt64 = 1 << UInt64(clauses.count)
    for (part, letters) in zip(order.parts, letters) {
      for letter in letters { effects[Int(letter.rawValue)][keyPath: part.effect] |= bit }
    }
    for kind in order.kinds { self[keyPath: kind] |= bit }
    clauses.append(clause)
  }
}

/// What a pattern says about the order of callbacks and notifications.
package struct LifecycleOrder {
  /// What events do to a clause.
  typealias Effect = WritableKeyPath<LifecycleAutomaton.Effect, UInt64>

  /// The events, each with its effect on the clause.
  fileprivate let parts: [(events: EventPattern, effect: Effect)]
  /// The sets of clauses that it belongs to.
  fileprivate let kinds: [WritableKeyPath<LifecycleAutomaton, UInt64>]

  init(_ roles: [FormRole], _ kinds: [WritableKeyPath<LifecycleAutomaton, UInt64>] = []) {
    parts = roles.compactMap { role in role.effect.map { (role.events, $0) } }
    self.kinds = kinds
  }
}

extension EventPattern {
  /// The letters of the events that match; `nil` when something else than verb and name matters, or
  /// when other events match too.
  ///
  /// The start of a process is no letter: the automaton starts anew with it.
  var letters: [LifecycleLetter]? {
    guard subjects == nil, writer == nil || writer == .app else { return nil }
    var letters: [LifecycleLetter] = []
    for alternative in alternatives where alternative.verb != .processStart {
      let isOfProcess = alternative.verb == .suspend || alternative.verb == .resume
      guard let name = alternative.name ?? (isOfProcess ? Symbol.none : nil),
        let letter = LifecycleLetter(alternative.verb, name)
      else { return nil }
      letters.append(letter)
    }
    return letters
  }
}
