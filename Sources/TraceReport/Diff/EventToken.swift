import LifecycleModel
import TraceAnalysis
import TraceText

/// What makes events of two runs the same: verb, name, kind of subject, and the app's own word, each
/// without the numbers that tell instances apart.
///
/// These are the words by which fingerprints know events, too.
package struct EventToken: Hashable, Sendable {
  /// The verb, as the notation writes it.
  package let verb: String
  /// The callback, notification, category or identifier; empty where there is none.
  package let name: String
  /// The kind of subject; empty where nothing is known of it.
  package let subject: String
  /// The app's own word; empty where there is none.
  package let label: String
  /// The hook that records such events; `nil` where they come without one.
  package let hook: Hook?

  /// The token of an event.
  package init(_ event: Event, _ vocabulary: Vocabulary) {
    verb = vocabulary.word(of: event.verb)
    name = CausalWord.text(event.name, vocabulary)
    subject = event.subjectKind == .none ? "" : "\(event.subjectKind)"
    label = CausalWord.text(event.label, vocabulary)
    hook = EventPattern.Alternative(event.verb, event.name).hook
  }

  /// The token of what ends the things that `opener` begins.
  package init(_ verb: Verb, ending opener: EventToken) {
    self.verb = verb.word ?? ""
    (name, subject, label) = (opener.name, opener.subject, opener.label)
    hook = opener.hook
  }

  /// The token with words of one's own, for what is not read from a log.
  package init(
    _ verb: Verb, _ name: String = "", subject: String = "", label: String = "", hook: Hook? = nil
  ) {
    self.verb = verb.word ?? ""
    (self.name, self.subject, self.label, self.hook) = (name, subject, label, hook)
  }

  /// The words, as the notation has them: `work timer app "autosave"`.
  package var text: String {
    ([verb, name, subject].filter { !$0.isEmpty } + (label.isEmpty ? [] : ["\"\(label)\""]))
      .joined(separator: " ")
  }

  /// The family of what it ends; `nil` when it ends nothing.
  var endedFamily: SpanFamily? { Verb(word: verb).flatMap(SpanFamily.closed(by:)) }

  /// Which tokens stay when there are too many: a number that is the same in every run.
  var rank: UInt64 {
    var hash = CausalHash()
    for word in [verb, name, subject, label] { hash.mix(word) }
    return hash.value
  }

  /// Whether a flood of the app's own words could have made it.
  var isOfOwnWord: Bool { !label.isEmpty }
}

extension EventToken: Comparable {
  /// By all words, so that no two tokens are in an order of chance.
  package static func < (first: EventToken, second: EventToken) -> Bool {
    (first.verb, first.name, first.subject, first.label)
      < (second.verb, second.name, second.subject, second.label)
  }
}
