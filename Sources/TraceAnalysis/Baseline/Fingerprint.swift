import LifecycleModel
import TraceText

/// What makes a finding the same in another log: the rule, and who did what to what kind of thing.
///
/// Times, places, sequences, the numbers of scenes, sessions, tasks and threads, and the numbers in
/// labels do not count, nor does what closed the window. The article `Baseline`, §1, says why.
enum Fingerprint {
  /// The attributes that say what happened, and not when or to which instance.
  private static let telling: Set<String> = Set(
    [AttributeKey.code, .namespace, .signal, .status, .kind, .holder, .by, .gpu, .role]
      .map(\.rawValue))

  /// 64 bits of FNV-1a as 16 hexadecimal digits.
  ///
  /// Cost: the words of the witnesses.
  static func of(_ finding: Finding, _ vocabulary: Vocabulary) -> String {
    var hash = CausalHash()
    hash.mix(finding.fingerprintRule ?? finding.rule)
    if !finding.identity.isEmpty {
      for word in finding.identity { hash.mix(word) }
      return hash.digits
    }

    // How it ended, and whether, depends on when the log does; what is missing follows from the rule
    // and the rest.
    for witness in finding.witnesses where witness.role != .closes {
      guard let event = witness.event else { continue }
      hash.mix(witness.role.rawValue)
      mix(event, vocabulary, into: &hash)
    }
    return hash.digits
  }

  /// The word of a kind of subject, which stands in baselines for ever.
  private static func word(_ kind: Subject.Kind) -> String {
    switch kind {
    case .none: "none"
    case .app: "app"
    case .scene: "scene"
    case .session: "session"
    case .task: "task"
    case .nil: "nil"
    }
  }

  private static func mix(_ event: Event, _ vocabulary: Vocabulary, into hash: inout CausalHash) {
    hash.mix(vocabulary.word(of: event.verb))
    hash.mix(CausalWord.text(event.name, vocabulary))
    hash.mix(CausalWord.text(vocabulary.text(event.label)))
    hash.mix(word(event.subjectKind))
    hash.mix(event.writer == .system ? "-" : event.writer == .main ? "main" : "other")
    if event.attributes.isNone { return }
    let attributes = vocabulary.attributes(event.attributes)
      .filter { telling.contains($0.key) }.ordered { $0.key < $1.key }

    for attribute in attributes {
      hash.mix(attribute.key)
      // The code of a kill is a number that is no instance.
      let isCode = attribute.key == AttributeKey.code.rawValue
      hash.mix(isCode ? attribute.value.lowercased() : CausalWord.text(attribute.value))
    }
  }
}

extension Fingerprint {
  /// All that a fingerprint is made of, without a look at words: findings of one shape have one
  /// fingerprint, as long as no words are forgotten.
  struct Shape: Hashable {
    /// What an event is, and what was said with it.
    private struct Act: Hashable {
      let verbKindWriter: UInt32
      let name: Symbol
      let label: Symbol
      let attributes: AttributesID

      init(_ event: Event) {
        verbKindWriter =
          UInt32(event.verb.code) << 24 | UInt32(event.subjectKind.rawValue) << 16
          | UInt32(min(event.writer.rawValue, 2))
        (name, label) = (event.name, event.label)
        // The line of an import tells nothing.
        attributes = event.attributes.line == nil ? event.attributes : .none
      }
    }

    private let clause: Int
    private var opener: Act?
    private var culprit: Act?
    private var isCulpritFirst = false

    /// The shape of a finding of a clause; `nil` when it is made of more.
    init?(_ finding: Finding, clause: Int) {
      if !finding.identity.isEmpty { return nil }
      self.clause = clause
      for witness in finding.witnesses where witness.role != .closes {
        guard let event = witness.event else { continue }
        switch witness.role {
        case .opens where opener == nil:
          opener = Act(event)
          isCulpritFirst = culprit != nil
        case .culprit where culprit == nil: culprit = Act(event)
        default: return nil
        }
      }
    }
  }
}

/// FNV-1a over words.
package struct CausalHash {
  package private(set) var value: UInt64 = 0xcbf2_9ce4_8422_2325

  package init() {}

  package mutating func mix(_ text: String) {
    for byte in text.utf8 { value = (value ^ UInt64(byte)) &* 0x100_0000_01b3 }
    // No word holds this byte: where one ends counts.
    value = (value ^ 0xff) &* 0x100_0000_01b3
  }

  /// Its value as 16 hexadecimal digits.
  package var digits: String {
    let digits = String(value, radix: 16)
    return String(repeating: "0", count: 16 - digits.count) + digits
  }
}
