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
    var notes: [(doubt: String, rules: [String])] = []
    for tally in rules where tally.isDoubtful {
      let doubt = tally.doubt(of: logs)
      if let index = notes.firstIndex(where: { $0.doubt == doubt }) {
        notes[index].rules.append(tally.rule.id)
      } else {
        notes.append((doubt, [tally.rule.id]))
      }
    }
    return notes.map { Note(text: "\($0.rules.joined(separator: ", ")) \($0.doubt)") }
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
