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
    hash.mix(finding.formerRule ?? finding.rule)
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

  private static func mix(_ event: Event, _ vocabulary: Vocabulary, into hash: inout CausalHash) {
    hash.mix(vocabulary.word(of: event.verb))
    hash.mix(CausalWord.text(event.name, vocabulary))
    hash.mix(CausalWord.text(vocabulary.text(event.label)))
    hash.mix("\(event.subjectKind)")
    hash.mix(event.writer == .system ? "-" : event.writer == .main ? "main" : "other")
    if event.attributes.isNone { return }
    let attributes = vocabulary.attributes(event.attributes)
      .filter { telling.contains($0.key) }.sorted { $0.key < $1.key }

    for attribute in attributes {
      hash.mix(attribute.key)
      // The code of a kill is a number that is no instance.
      let isCode = attribute.key == AttributeKey.code.rawValue
      hash.mix(isCode ? attribute.value.lowercased() : CausalWord.text(attribute.value))
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
