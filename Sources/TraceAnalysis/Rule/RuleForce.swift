import LifecycleModel

/// Whether a rule is in force under a profile, and each of its patterns.
struct RuleForce {
  /// Whether the rule is: with patterns, whether one of them is.
  let rule: RuleNeeds.Force
  /// Whether each of its patterns is.
  let patterns: [Bool]
  /// Why a pattern cannot tell while another one is in force; `nil` when none is in doubt.
  let doubt: Doubt?
}

extension RuleDescription {
  /// Whether the rule is in force under `profile`, which says that these hooks are recorded.
  func force(under profile: Profile, hooks: Set<Hook>?) -> RuleForce {
    let whole = needs.force(under: profile, hooks: hooks)
    guard whole == .inForce, !patterns.isEmpty else {
      return RuleForce(rule: whole, patterns: patterns.map { _ in false }, doubt: nil)
    }

    let forces = patterns.map { $0.needs?.force(under: profile, hooks: hooks) ?? .inForce }
    let doubt = forces.lazy.compactMap(\.doubt).first
    let inForce = forces.map { $0 == .inForce }
    let rule = inForce.contains(true) ? .inForce : doubt.map { .doubt($0) } ?? forces[0]
    return RuleForce(rule: rule, patterns: inForce, doubt: doubt)
  }

  /// Whether the rule is in force under `profile`.
  package func force(under profile: Profile) -> RuleNeeds.Force {
    force(under: profile, hooks: profile.hooks).rule
  }

  /// What the rule needs, with what its patterns need: each alternative suffices.
  package var alternativeNeeds: [RuleNeeds] {
    var all: [RuleNeeds] = []
    for part in patterns.compactMap(\.needs) where !all.contains(part) { all.append(part) }
    guard !all.isEmpty, patterns.allSatisfy({ $0.needs != nil }) else { return [needs] }
    return all.map {
      RuleNeeds(hooks: needs.hooks + $0.hooks, profile: needs.profile + $0.profile)
    }
  }

  /// The needs that `profile` comes nearest to.
  package func needs(under profile: Profile) -> RuleNeeds {
    let all = alternativeNeeds
    let forces = all.map { $0.force(under: profile) }
    let place =
      forces.firstIndex(of: .inForce) ?? forces.firstIndex { $0.doubt != nil } ?? 0
    return all[place]
  }
}

extension RuleNeeds.Force {
  fileprivate var doubt: Doubt? {
    if case .doubt(let doubt) = self { doubt } else { nil }
  }
}
