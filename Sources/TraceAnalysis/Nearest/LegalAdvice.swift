import LifecycleModel
import TraceText

/// What would be legal instead of a rule's finding that the order of callbacks says nothing about: one
/// edit that is obvious, or some words.
public enum LegalAdvice: Sendable {
  /// The same without the culprit.
  case dropCulprit
  /// The culprit before what opened the window.
  case moveBeforeOpener
  /// Words, in which `{opener}` is the place of what opened the window, and the verb of what they call
  /// for.
  case words(String, calledFor: Verb? = nil)

  private static let openerPlace = "{opener}"

  /// What would be legal instead of a finding; `nil` where that is not known.
  static func nearest(
    _ rule: RuleDescription, _ finding: Finding, _ vocabulary: Vocabulary
  ) -> NearestLegalTrace? {
    guard let culprit = finding.culprit else { return nil }
    let opener = finding.event(.opens)
    if let edit = edit(rule, culprit, opener) { return NearestLegalTrace(edits: [edit]) }
    return words(rule, finding, culprit, opener, vocabulary).map {
      NearestLegalTrace(advice: $0.text, advised: $0.calledFor)
    }
  }

  private static func edit(
    _ rule: RuleDescription, _ culprit: Event, _ opener: Event?
  ) -> NearestLegalTrace.Edit? {
    switch rule.advice {
    case .dropCulprit: return .drop(bare(culprit))
    case .moveBeforeOpener: return opener.map { .move(bare(culprit), .before(bare($0))) }
    case .words, nil: break
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
        return ("finish within \(time)", SpanFamily.opened(by: culprit.verb)?.closing)
      }
    }

    if case .words(let text, let verb) = rule.advice {
      guard text.contains(openerPlace) else { return (text, verb) }
      return opener.map {
        (text.replacing(openerPlace, with: EventReference($0, vocabulary).text), verb)
      }
    }

    if culprit.verb == .taskBegin, let allowed = finding.allowed {
      let time = InstantText.print(allowed)
      return ("end \(culprit.subject) within \(time) in the background", .taskEnd)
    }

    guard let opener else { return nil }
    switch (opener.verb, culprit.verb) {
    case (.acquire, .suspend):
      return (
        "before it, release the resource acquired by \(EventReference(opener, vocabulary).text)",
        .release
      )
    case (.taskBegin, .suspend):
      return ("end \(opener.subject) before \(EventReference(culprit, vocabulary).text)", .taskEnd)
    case (.suspend, _):
      return ("after the resume, or before \(EventReference(opener, vocabulary).text)", nil)
    default: break
    }

    guard rule.topic == .work, opener.verb == .call || opener.verb == .return else { return nil }
    let subject = finding.subject == .app ? "the app" : finding.subject.description
    return (
      "before \(EventReference(opener, vocabulary).text), or when \(subject) is active again", nil
    )
  }

  private static func bare(_ event: Event) -> Event {
    var event = event
    event.label = .none
    event.attributes = .none
    return event
  }
}
