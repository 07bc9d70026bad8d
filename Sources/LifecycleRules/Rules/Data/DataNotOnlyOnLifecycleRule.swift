import LifecycleModel
import TraceAnalysis

/// Data is not saved by lifecycle callbacks alone.
struct DataNotOnlyOnLifecycleRule: Rule {
  static let description: RuleDescription = .init(
    id: "data-not-only-on-lifecycle",
    number: 87,
    topic: .data,
    summary: "repeatedly saved data is also saved by a user action",
    severity: .warning,
    sources: [.s0, .s1, .s2],
    why: """
      Three documentation pages say not to rely on transitions to save critical data. A crash or a \
      kill in the foreground loses all changes since the last transition.
      """,
    remedy: "Save when the user finishes something: a sheet is dismissed, an edit is committed.",
    limits: """
      Checked at the end of the process or the log, for data that was changed and saved at least \
      three times; shorter sessions prove nothing. A save belongs to a transition if the app was \
      not active, or if it ran inside a callback that leaves the foreground. Saving the state to \
      restore ("restoration") there is correct. After a gap the rule cannot tell.
      """,
    needs: RuleNeeds(hooks: [[.data], .states]),
    given: "0s - profile mode=app hooks=app-delegate,data",
    examples: """
      clean: one save comes from the user
      1s main call applicationDidBecomeActive app
      2s..2.5s main data.dirty app "draft"
      3s..4.1s main data.dirty app "draft"
      4s..4.2s main call applicationWillResignActive app
      5s..6s main data.dirty app "draft"
      7s..8s main data.dirty app "draft"

      clean: a short session proves nothing
      1s main call applicationDidBecomeActive app
      3s..4.1s main data.dirty app "draft"
      4s..4.2s main call applicationWillResignActive app

      cannot tell: a save by the user may be in the gap
      1s main return applicationWillResignActive app
      2s..2.1s main data.dirty app "draft"
      3s..3.1s main data.dirty app "draft"
      4s - gap ring-full 9
      5s main return applicationWillResignActive app
      6s..6.1s main data.dirty app "draft"

      violating: only ever on the way out
      1s main call applicationDidBecomeActive app
      2s..3.1s main data.dirty app "draft"
      3s..3.2s main call applicationWillResignActive app
      11s main call applicationDidBecomeActive app
      12s..13.1s main data.dirty app "draft"
      13s..13.2s main call applicationWillResignActive app
      21s main call applicationDidBecomeActive app
      22s main data.dirty app "draft"
      23s..23.2s main call applicationWillResignActive app
      23.5s main data.save app "draft" ◀
      """
  )

  static let interests: [EventPattern] = [.verbs(.dataSave), .workEnd(.save)]

  private struct Datum {
    var first: OpenEvent
    var last: OpenEvent
    var saves = 0
    var isSavedByUser = false
    var isUnclear = false
  }

  private var data = Remembered<Datum>(256, beyond: .cannotTell)

  mutating func observe(_ event: Event, _ moment: Moment, _ findings: inout RuleFindings) {
    // A save of what was not dirty is no cycle.
    guard moment.state.open.span(closedBy: event, .data) != nil, !moment.isRestoration(event) else {
      return
    }

    let opener = moment.fact(event)
    let known = data.firstIndex {
      $0.first.event.label == event.label && $0.first.event.subject == event.subject
    }
    var datum = known.map { data[$0] } ?? Datum(first: opener, last: opener)
    datum.saves += 1
    datum.last = opener

    switch moment.isByTransition {
    case true?: break
    case false?: datum.isSavedByUser = true
    case nil: datum.isUnclear = true
    }
    if let known { data[known] = datum } else { data.append(datum, &findings) }
  }

  mutating func end(_ reason: Doubt, _ moment: Moment, _ findings: inout RuleFindings) {
    for datum in data {
      if datum.isSavedByUser {
        findings.foundClean()
      } else if datum.saves >= Allowances.Background.saves {
        if datum.isUnclear {
          findings.cannotTell(.stateNotKnown)
        } else {
          // A save that a user caused may be missing anywhere in the process.
          findings.report(
            datum.last, since: datum.first, restingOn: [moment.state.processStart],
            says: "{label} was saved \(datum.saves) times, always as the app left the foreground"
          )
        }
      } else if !datum.isUnclear {
        let word = moment.vocabulary.word(naming: datum.last.event)
        let times = datum.saves == 1 ? "once" : "\(datum.saves) times"
        findings.didNotJudge(
          "\(datum.last.event.isLabelled ? "the item \(word)" : "an item") was saved \(times) in a "
            + "process, as the app left; the rule needs \(Allowances.Background.saves) saves")
      }
    }
  }
}

extension Moment {
  /// Whether what happens now is part of leaving the foreground; `nil` when that is not known.
  var isByTransition: Bool? {
    guard let app = state.appState else { return nil }
    if app != .active { return true }
    return !departuresRunning.isEmpty
  }
}
