import LifecycleModel

/// What would be legal instead of a finding that the automata say nothing about: one edit that is
/// obvious, or some words.
enum LegalAdvice {
  /// The findings, each with what would be legal where that is known.
  static func added(
    to findings: [Finding], _ rules: [RuleDescription], _ vocabulary: Vocabulary
  ) -> [Finding] {
    findings.map { finding in
      guard finding.nearest == nil, let culprit = finding.culprit,
        let rule = rules.first(where: { $0.id == finding.rule })
      else { return finding }
      var finding = finding
      let opener = finding.witnesses.first { $0.role == .opens }?.event
      if let edit = edit(rule, culprit, opener) {
        finding.nearest = NearestLegalTrace(edits: [edit])
      } else if let words = words(rule, finding, culprit, opener, vocabulary) {
        finding.nearest = NearestLegalTrace(advice: words.text, advised: words.calledFor)
      }
      return finding
    }
  }

  private static func edit(
    _ rule: RuleDescription, _ culprit: Event, _ opener: Event?
  ) -> NearestLegalTrace.Edit? {
    switch rule.number {
    // A session that is gone stays away, and one that is kept is not given up.
    case 31, 32: return .drop(bare(culprit))
    case 35: return opener.map { .move(bare(culprit), .before(bare($0))) }
    // Posted once too often, or where nobody came.
    case 39, 40: return .drop(bare(culprit))
    default: break
    }
    // What is ended twice.
    if culprit.verb == .taskEnd, opener?.verb == .taskEnd { return .drop(bare(culprit)) }
    return nil
  }

  private static func words(
    _ rule: RuleDescription, _ finding: Finding, _ culprit: Event, _ opener: Event?,
    _ vocabulary: Vocabulary
  ) -> (text: String, calledFor: Verb?)? {
    if rule.topic == .budget, let allowed = finding.allowed {
      let time = InstantText.print(allowed)
      switch culprit.verb {
      case .call: return ("return within \(time)", .return)
      case .deliver: return ("call the completion handler within \(time)", .complete)
      case .taskExpire: return ("return from the expiration handler within \(time)", .taskExpired)
      case .taskBegin: return ("end \(culprit.subject) within \(time)", .taskEnd)
      default:
        let family = SpanFamily.allCases.first { $0.opening == culprit.verb }
        return ("be done within \(time)", family?.closing)
      }
    }
    switch rule.number {
    case 22:
      return opener.map {
        ("take the snapshot after the return of \(place($0, vocabulary))", .return)
      }
    case 34:
      return opener.map { ("hand the URL over in the options of \(place($0, vocabulary))", nil) }
    case 42: return ("post it with its scene as the object", nil)
    case 43: return ("post it with the app as the object", nil)
    case 45: return ("call it on main", nil)
    default: break
    }
    if culprit.verb == .taskBegin, let allowed = finding.allowed {
      let time = InstantText.print(allowed)
      return ("end \(culprit.subject) before \(time) in the background are over", .taskEnd)
    }
    guard let opener else { return nil }
    switch (opener.verb, culprit.verb) {
    case (.acquire, .suspend):
      return ("release what \(place(opener, vocabulary)) acquired before it", .release)
    case (.taskBegin, .suspend):
      return ("end \(opener.subject) before \(place(culprit, vocabulary))", .taskEnd)
    case (.suspend, _): return ("after the resume, or before \(place(opener, vocabulary))", nil)
    default: break
    }
    guard rule.topic == .work, opener.verb == .call || opener.verb == .return else { return nil }
    let subject = finding.subject == .app ? "the app" : finding.subject.description
    return ("before \(place(opener, vocabulary)), or when \(subject) is active again", nil)
  }

  private static func place(_ event: Event, _ vocabulary: Vocabulary) -> String {
    "\(InertText.word(vocabulary.name(of: event.writer)))#\(event.sequence)"
  }

  private static func bare(_ event: Event) -> Event {
    var event = event
    event.label = .none
    event.attributes = .none
    return event
  }
}
