import TraceAnalysis
import TraceText

/// What is no finding and is reported all the same, in the words that every form uses.
struct Note {
  /// The rule that it is about; `nil` for a log, and for several rules.
  var rule: String?
  /// The log that could not be read; `nil` for other notes.
  var log: String?
  /// The words.
  var text: String
}

extension AnalysisResults {
  /// The logs that could not be read.
  var unreadableNotes: [Note] {
    unreadable.map { Note(log: $0.path, text: "cannot be read: \($0.error)") }
  }

  /// The rules that cannot tell, those with the same reasons in one note.
  var doubtNotes: [Note] {
    rules.filter(\.isDoubtful).grouped { $0.doubt(of: logs) }.map { doubt, rules in
      Note(text: "\(rules.map(\.rule.id).joined(separator: ", ")) \(doubt)")
    }
  }

  /// The findings that are counted and not listed.
  var cutNotes: [Note] {
    groups.compactMap { group in
      let count = group.count - group.examples.count
      guard let rule = group.examples.first?.rule, count > 0 else { return nil }
      return Note(
        rule: rule,
        text:
          "\(count) more findings of \(rule) with the fingerprint \(group.fingerprint) are not listed"
      )
    }
  }

  /// The entries of the baseline that nothing matches any more.
  var fixedNotes: [Note] {
    fixed.map { Note(rule: $0.rule, text: "fixed: \($0.times)\($0.rule): \($0.message)") }
  }
}

extension AnalysisResults.RuleTally {
  /// Why it cannot tell: `cannot tell in 2 of 3 logs: the log does not record work`.
  func doubt(of logs: Int) -> String {
    let part = logs > 1 ? " in \(doubtful) of \(logs) logs" : ""
    return "cannot tell\(part): \(reasons.joined(separator: "; "))"
  }
}
