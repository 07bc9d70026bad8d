import LifecycleModel

/// A form of pattern as a rule holds it: what it is about, and how it is said.
///
/// Its file has the other half too, the ``FormClause`` that runs. `Form.swift` lists the forms.
package protocol PatternForm: Sendable {
  /// The events that it looks at, each with its role.
  var roles: [FormRole] { get }
  /// The form as a sentence.
  var words: String { get }
  /// The times that hold beside the sentence, behind a comma; empty when there are none.
  var timeWords: String { get }
  /// What else a person wants to know, a sentence each.
  var details: [String] { get }
  /// The hooks that must be recorded before anything can be told: one of each list.
  ///
  /// Of events that are found, one kind suffices. Of events whose absence is found, all kinds must be
  /// recorded; but a callback and its notification state the same thing.
  var neededHooks: [[Hook]] { get }
  /// The states of an instance; `asked` are the guards of what a finding would name, behind a comma.
  func transitions(asked: String) -> FormTransitions
  /// What it says about the order of an app's events, or of a scene's; `nil` when it says more.
  func order(isOfScene: Bool) -> LifecycleOrder?
}

extension PatternForm {
  /// The events that it is about.
  package var events: [EventPattern] { roles.filter { !$0.isImplied }.map(\.events) }
  package var neededHooks: [[Hook]] { roles.flatMap(\.neededHooks) }
  package var timeWords: String { "" }
  package var details: [String] { [] }
  package func order(isOfScene: Bool) -> LifecycleOrder? { nil }
}

/// What leads an instance of a pattern from one state to another: the state before, what happens, and
/// the state after.
package typealias FormTransitions = [(from: String, event: String, to: String)]

/// Events that a form looks at, and the role that they have in it.
package struct FormRole {
  /// Which of the hooks that record the events are needed.
  enum Need {
    /// None: without the events the form does its work as well.
    case none
    /// One: what is found may come from any.
    case one
    /// All: what is found is that no such event came.
    case all
  }

  /// The part as which the form's clause takes the events.
  let part: UInt8
  /// The role in an answer to `why`.
  let word: String
  let events: EventPattern
  let need: Need
  /// What the events do to an order of the lifecycle; `nil` where they have no part in it.
  let effect: LifecycleOrder.Effect?
  /// Whether the events follow from those of the other roles.
  let isImplied: Bool
  /// Whether they count only in the states that the pattern's guards ask for.
  let isGuarded: Bool
  /// The calm in which they show nothing but that all is well; none when they may always show more.
  let quiet: Calm
  /// Whether other events of their verbs and names show that the rule was kept.
  let looksAtAll: Bool
  /// The part of an event that leaves open whether it is one of them; `nil` for none.
  ///
  /// It keeps from findings, and makes none. That the rule cannot tell is noted already.
  let unclear: UInt8?

  init<Part: RawRepresentable<UInt8>>(
    _ part: Part, _ word: String, _ events: EventPattern, needs need: Need,
    effect: LifecycleOrder.Effect? = nil, isImplied: Bool = false, isGuarded: Bool = false,
    quiet: Calm = .none, looksAtAll: Bool = false, unclear: Part? = nil
  ) {
    (self.part, self.word, self.events) = (part.rawValue, word, events)
    (self.need, self.effect, self.isImplied) = (need, effect, isImplied)
    self.isGuarded = isGuarded
    (self.quiet, self.looksAtAll, self.unclear) = (quiet, looksAtAll, unclear?.rawValue)
  }

  fileprivate var neededHooks: [[Hook]] {
    switch need {
    case .none: []
    case .one: events.anyHook
    case .all: events.allHooks
    }
  }
}

/// A clause of one form while a log is analyzed: what it remembers, and what it does at an event.
///
/// A plain value that the loop over events changes in its place; what it concludes it tells the ledger.
protocol FormClause {
  associatedtype Form: PatternForm
  /// The parts that an event can play, in the order in which one event plays them.
  associatedtype Part: RawRepresentable<UInt8>

  /// Whether it is about what the main thread does, which is watched for every analysis.
  static var isOfMainThread: Bool { get }

  var form: Form { get }
  var clause: Clause { get }
  init(_ form: Form, _ clause: Clause)

  /// Takes an event that plays a part.
  mutating func take(_ part: Part, _ event: Event, _ ledger: inout Ledger)
  /// Takes the hooks that are recorded, and the callbacks that the app is known to implement.
  mutating func adopt(_ hooks: Set<Hook>, _ profile: Profile)
  /// The process has ended, or the log: what is open is never closed.
  mutating func end(_ reason: Doubt, _ ledger: inout Ledger)
  /// The clock was set: what is open has no known length.
  mutating func forgetLengths(_ ledger: inout Ledger)

  /// The next time of a clock at which a limit passes.
  func deadline(_ clock: TimeLimit.Clock) -> Nanoseconds?
  /// Tells one limit that passes at `deadline`; whether there was one.
  mutating func pass(_ deadline: Nanoseconds, _ clock: TimeLimit.Clock, _ ledger: inout Ledger)
    -> Bool

  /// The facts that are held; their words must not be forgotten.
  var facts: [OpenEvent] { get }
  /// Further words that must not be forgotten.
  var words: [Symbol] { get }

  /// What it holds as the event comes that `inspection` is about.
  func values(_ inspection: Inspection) -> [String]
  /// The instance whose window is open and that the event closes that `inspection` is about.
  func closedInstance(_ part: Part, _ inspection: Inspection) -> UInt64?
}

extension FormClause {
  static var isOfMainThread: Bool { false }

  func adopt(_ hooks: Set<Hook>, _ profile: Profile) {}
  func end(_ reason: Doubt, _ ledger: inout Ledger) {}
  func forgetLengths(_ ledger: inout Ledger) {}
  func deadline(_ clock: TimeLimit.Clock) -> Nanoseconds? { nil }
  func pass(_ deadline: Nanoseconds, _ clock: TimeLimit.Clock, _ ledger: inout Ledger) -> Bool {
    false
  }

  var facts: [OpenEvent] { [] }
  var words: [Symbol] { [] }

  func values(_ inspection: Inspection) -> [String] { [] }
  func closedInstance(_ part: Part, _ inspection: Inspection) -> UInt64? { nil }
}
