import LifecycleModel

/// What a rule concluded so far.
struct Tally {
  /// Whether the rule is in force under the profile that holds.
  var force = RuleNeeds.Force.notApplicable("no events")
  var checks = 0
  var violations = 0
  var wasInForce = false
  /// Why a part of the rule cannot tell under that profile.
  var doubtOfPart: Doubt?
  /// Why the rule had nothing to judge, where that is known.
  var idleReason: String?
  /// A launch that the rule is not about.
  var otherLaunch: LaunchReason?
  /// The reasons for not knowing, each with how often it came.
  var doubts: [Doubt: Int] {
    guard let latest else { return earlier }
    return earlier.merging([latest.doubt: latest.count], uniquingKeysWith: +)
  }
  private var earlier: [Doubt: Int] = [:]
  /// The reason that came last, which mostly comes again.
  private var latest: (doubt: Doubt, count: Int)?

  mutating func doubt(_ doubt: Doubt) {
    if latest?.doubt == doubt {
      latest?.count += 1
    } else {
      if let latest { earlier[latest.doubt, default: 0] += latest.count }
      latest = (doubt, 1)
    }
  }

  /// What a rule had counted at some place.
  struct Count {
    var (checks, violations, doubts) = (0, 0, 0)

    /// What the rule has made of the events since it had counted so much.
    func answer(since earlier: Count) -> RuleSurvey.Answer {
      if violations > earlier.violations { return .found }
      if doubts > earlier.doubts { return .cannotTell }
      return checks > earlier.checks ? .kept : .noted
    }
  }

  /// What the rule has counted so far.
  var count: Count {
    Count(checks: checks, violations: violations, doubts: doubts.values.reduce(0, &+))
  }

  /// The reasons for not knowing that came since.
  func doubts(since earlier: Tally) -> [Doubt] {
    doubts.filter { earlier.doubts[$0.key] ?? 0 < $0.value }.map(\.key)
      .ordered { $0.reason < $1.reason }
  }

  /// Reasons for not knowing, most frequent first.
  var orderedDoubts: [(doubt: Doubt, count: Int)] {
    doubts.map { (doubt: $0.key, count: $0.value) }
      .ordered { ($1.count, $0.doubt.reason) < ($0.count, $1.doubt.reason) }
  }

  func outcome(_ overview: Overview) -> Outcome {
    if violations > 0 { return .violated }
    if !wasInForce {
      switch force {
      case .inForce: break
      case .doubt(let doubt): return .cannotTell([doubt])
      case .notApplicable(let reason): return .notApplicable(reason)
      }
    }

    if !doubts.isEmpty { return .cannotTell(orderedDoubts.map(\.doubt)) }
    if checks > 0 { return .satisfied }
    if let doubtOfPart { return .cannotTell([doubtOfPart]) }
    if let idleReason { return .notApplicable(idleReason) }
    return .notApplicable(
      otherLaunch.map { "not for launches with launch=\($0.rawValue)" } ?? Outcome.nothingHappened)
  }
}
