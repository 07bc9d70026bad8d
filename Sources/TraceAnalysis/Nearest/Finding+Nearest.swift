import LifecycleModel

extension Finding {
  /// Whether the nearest legal trace says no more than what is missing: to add just that.
  package func isNearestMissing(_ vocabulary: Vocabulary) -> Bool {
    guard let nearest, !missing.isEmpty else { return false }
    if nearest.edits.isEmpty {
      return missing.contains { $0.kinds.contains { $0.verb == nearest.advised } }
    }

    // One edit for each, so that nothing else is to be changed.
    guard nearest.edits.count == missing.count else { return false }

    return nearest.edits.allSatisfy { edit in
      guard case .add(let event, _) = edit else { return false }
      let name = vocabulary.text(event.name)
      return missing.contains {
        $0.kinds.contains {
          $0.verb == event.verb && $0.name == name
            && ($0.subject.kind == .none || $0.subject == event.subject)
        }
      }
    }
  }
}
