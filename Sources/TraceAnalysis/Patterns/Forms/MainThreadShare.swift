import LifecycleModel

extension RulePattern {
  /// When the process is killed with this code, what runs last on the main thread is what took most of
  /// the time in which it was busy up to then.
  package static func mainThreadShares(atKill code: String) -> RulePattern {
    RulePattern(.mainThread(MainThreadForm(code: code)), per: .app, says: "")
  }
}

/// What the main thread did before a kill.
package struct MainThreadForm: PatternForm {
  /// The code of the kill.
  package let code: String

  package var roles: [FormRole] {
    [FormRole(MainThreadClause.Part.kill, "kill", .verbs(.kill), needs: .none, isImplied: true)]
  }

  package var words: String {
    "at a kill with \(code), the last work on main took most of the time"
  }

  package func transitions(asked: String) -> FormTransitions {
    [
      ("any", "a kill with \(code), if the last work took little of the time", "FOUND")
    ]
  }
}

/// The shares of the main thread's time, asked at a kill.
///
/// What it runs is watched for every analysis: the verdict on a death asks too.
struct MainThreadClause: FormClause {
  enum Part: UInt8 {
    case kill
  }

  static var isOfMainThread: Bool { true }

  let form: MainThreadForm
  let clause: Clause

  init(_ form: MainThreadForm, _ clause: Clause) { (self.form, self.clause) = (form, clause) }

  func take(_ part: Part, _ event: Event, _ ledger: inout Ledger) {
    let vocabulary = ledger.vocabulary
    guard vocabulary.attributes(event.attributes)[.code]?.lowercased() == form.code else { return }
    let window = ledger.present.mainThread
    let lastWritten = ledger.present.lastOnMain.ordinal
    let shares = window.shares(at: ledger.time(.awake, at: event), lastWritten: lastWritten)
    guard let running = window.running(lastWritten: lastWritten), let largest = shares.first else {
      return ledger.doubt(clause, .notSaid("what the main thread was doing"))
    }
    if window.facts.contains(where: { !ledger.present.state.isCertain($0) }) {
      return ledger.doubt(clause, .gap)
    }
    if MainThreadWindow.isSame(largest.fact, running) { return ledger.check(clause) }

    ledger.report(
      clause,
      .init(
        culprit: largest.fact, closing: event, elapsed: largest.time,
        message: "\(vocabulary.word(naming: running.event)) ran last, but most of the time went to "
          + MainThreadWindow.words(shares, vocabulary)))
  }
}
