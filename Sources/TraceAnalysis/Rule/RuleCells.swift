import LifecycleModel

/// The code of the rules, each with what it remembers in a place of its own.
///
/// An existential asks at each call whether a copy shares what it holds; here a copy is the same cells, and
/// what holds them calls ``separate()`` after it was copied, before the next call.
struct RuleCells {
  private let cells: [RuleCell]
  /// The same cells, for calls that count no references.
  private let unmanaged: Slab<Unmanaged<RuleCell>>

  init(_ logics: [any RuleLogic]) {
    cells = logics.map { RuleCells.cell($0) }
    unmanaged = Slab(cells.map(Unmanaged.passUnretained))
  }

  private static func cell<Logic: RuleLogic>(_ logic: Logic) -> RuleCell { PlacedLogic(logic) }

  var indices: Range<Int> { unmanaged.indices }

  /// The rules themselves, as they are now.
  var logics: [any RuleLogic] { cells.map(\.logic) }

  /// Takes places of its own, where a copy has the same.
  mutating func separate() { self = RuleCells(logics) }

  /// Calls a rule in its place.
  @inline(__always)
  func with<Result>(_ index: Int, _ call: (RuleCell) -> Result) -> Result {
    unmanaged[index]._withUnsafeGuaranteedRef(call)
  }
}

/// A rule in its place; the same calls as ``RuleLogic``.
///
/// Every cell is a `PlacedLogic`, which answers each call. A class is called through its table, without an
/// existential to copy.
class RuleCell {
  func observe(_ event: Event, _ moment: Moment, _ findings: inout RuleFindings) {}
  func judge(_ culprit: Event, since opener: OpenEvent, _ moment: Moment) -> Judgement {
    .notJudged
  }
  func wake(_ now: Nanoseconds, _ moment: Moment, _ findings: inout RuleFindings) {}
  func conclude(_ death: DeathVerdict, _ moment: Moment, _ findings: inout RuleFindings) {}
  func end(_ reason: Doubt, _ moment: Moment, _ findings: inout RuleFindings) {}
  func forgetProcess() {}
  /// The rule as it is now.
  // Not reached: `cell(_:)` makes nothing but the class below.
  var logic: any RuleLogic { fatalError("a cell without a rule") }
}

private final class PlacedLogic<Logic: RuleLogic>: RuleCell {
  // A stored variable would be asked at each call whether it is in use.
  private let place: UnsafeMutablePointer<Logic>

  init(_ logic: Logic) {
    place = .allocate(capacity: 1)
    place.initialize(to: logic)
  }

  deinit {
    place.deinitialize(count: 1)
    place.deallocate()
  }

  override var logic: any RuleLogic { place.pointee }

  override func observe(_ event: Event, _ moment: Moment, _ findings: inout RuleFindings) {
    place.pointee.observe(event, moment, &findings)
  }

  override func judge(
    _ culprit: Event, since opener: OpenEvent, _ moment: Moment
  ) -> Judgement {
    place.pointee.judge(culprit, since: opener, moment)
  }

  override func wake(_ now: Nanoseconds, _ moment: Moment, _ findings: inout RuleFindings) {
    place.pointee.wake(now, moment, &findings)
  }

  override func conclude(
    _ death: DeathVerdict, _ moment: Moment, _ findings: inout RuleFindings
  ) {
    place.pointee.conclude(death, moment, &findings)
  }

  override func end(_ reason: Doubt, _ moment: Moment, _ findings: inout RuleFindings) {
    place.pointee.end(reason, moment, &findings)
  }

  override func forgetProcess() { place.pointee.forgetProcess() }
}
