import LifecycleModel
import LifecycleRules
import Testing
import TraceAnalysis
import TraceText

@testable import TraceReport

/// What is told as a difference between runs, and what is not.
@Suite struct RunDifferenceTests {
  private let usual = RunOfEpisodes()

  private func lines(_ first: RunOfEpisodes, _ second: RunOfEpisodes) throws -> [String] {
    try RunOfEpisodes.differences(first, second).differences.map(\.line)
  }

  @Test func aRunDoesNotDifferFromItself() throws {
    let difference = try RunOfEpisodes.differences(usual, usual)
    #expect(difference.differences.isEmpty)
    #expect(difference.kinds == .init(same: 5, all: 5))
    #expect(difference.tokens.same == difference.tokens.all && difference.tokens.all > 5)
    #expect(difference.silent.first.isEmpty && difference.silent.second.isEmpty)
  }

  // MARK: One change

  @Test func aNewLabelIsNewAndCertain() throws {
    var changed = usual
    changed.timers = ["tick-8", "planted"]
    let difference = try RunOfEpisodes.differences(usual, changed)
    #expect(
      difference.differences.map(\.line) == [
        "new stay active: work timer app \"planted\" 0/12 12/12"
      ])
    #expect(difference.differences.map(\.isCertain) == [true])
  }

  @Test func whatIsDroppedIsGone() throws {
    var changed = usual
    changed.postsBackground = false
    #expect(
      try lines(usual, changed) == [
        "gone turn active→inactive→background: "
          + "notify UIApplication.didEnterBackgroundNotification app 12/12 0/12"
      ])
  }

  /// The return of a call that is gone is no difference of its own.
  @Test func aSlowerCallIsSlower() throws {
    var changed = usual
    changed.background = { 100 + $0 % 5 }
    #expect(
      try lines(usual, changed) == [
        "slower turn active→inactive→background: call applicationDidEnterBackground app "
          + "21ms 101ms 80ms"
      ])
  }

  /// A tenth more, and half a millisecond more, is not worth a line, however certain.
  @Test func whatIsALittleSlowerIsNotTold() throws {
    var slow = usual
    slow.background = { 1000 + $0 % 5 }
    var slower = usual
    slower.background = { 1100 + $0 % 5 }
    #expect(try lines(slow, slower) == [])
  }

  @Test func whatComesTwiceIsMore() throws {
    var changed = usual
    changed.timers = ["tick-1", "tick-2"]
    #expect(
      try lines(usual, changed) == ["more stay active: work timer app \"tick-#\" 1.0/12 2.0/12"])
  }

  @Test func anOrderThatADocumentFixesIsTold() throws {
    var changed = usual
    changed.postsBehind = false
    let found = try RunOfEpisodes.differences(usual, changed).differences
    #expect(
      found.map(\.line) == [
        "order turn active→inactive→background: call applicationWillResignActive 12/12 0/12"
      ])
    #expect(found[0].order?.rule == "notification-after-call")
  }

  /// Law 8: no document says whether the delegate or the notification comes first.
  @Test func anOrderThatNoDocumentFixesIsNot() throws {
    var changed = usual
    changed.postsBackgroundFirst = true
    #expect(try lines(usual, changed) == [])
  }

  // MARK: What chance may explain

  @Test func oneEpisodeIsNoProof() throws {
    var (few, changed) = (usual, usual)
    (few.cycles, changed.cycles) = (1, 1)
    changed.timers.append("planted")
    let found = try RunOfEpisodes.differences(few, changed).differences
    #expect(found.count == 1 && !found[0].isCertain)
  }

  /// With three families of comparisons six episodes of each are enough, where all have changed.
  @Test func sixEpisodesAreProofOfAllOrNothing() throws {
    var (six, changed) = (usual, usual)
    (six.cycles, changed.cycles) = (6, 6)
    changed.timers.append("planted")
    let found = try RunOfEpisodes.differences(six, changed).differences
    #expect(found.first?.isCertain == true)
  }

  // MARK: The other way round

  @Test func theOtherWayRoundIsTheMirrorImage() throws {
    var changed = usual
    changed.timers = ["planted"]
    changed.background = { 90 + 7 * ($0 % 3) }
    changed.postsBehind = false
    changed.cycles = 9
    changed.last = ["950s - suspend app"]
    let there = try RunOfEpisodes.differences(usual, changed)
    let back = try RunOfEpisodes.differences(changed, usual)
    #expect(there.differences.count >= 5)
    #expect(there.kinds == back.kinds && there.tokens == back.tokens)

    for (one, other) in zip(there.differences, back.differences) {
      #expect(one.kind == other.kind && one.token == other.token, "\(one.line), \(other.line)")
      #expect(one.p == other.p && one.adjusted == other.adjusted)
      #expect(Self.mirrored[one.change] == other.change)
    }
  }

  private static let mirrored: [Difference.Change: Difference.Change] = [
    .new: .gone, .gone: .new, .more: .fewer, .fewer: .more, .slower: .faster, .faster: .slower,
    .order: .order,
  ]

  // MARK: What is not recorded

  /// The silence of a hook that nobody recorded is no change of the app.
  @Test func whatIsNotRecordedIsNotGone() throws {
    var changed = usual
    changed.hooks = "app-delegate,app-notifications,tasks,resources,data,system"
    changed.timers = []
    let difference = try RunOfEpisodes.differences(usual, changed)
    #expect(difference.differences.isEmpty)
    #expect(difference.silent.second.map(\.text) == ["work timer app \"tick-#\""])
    #expect(difference.silent.first.isEmpty)
  }

  @Test func whatIsRecordedInPartMayHaveHappened() throws {
    var changed = usual
    changed.hooks += " partial=app-notifications"
    changed.postsBackground = false
    let difference = try RunOfEpisodes.differences(usual, changed)
    #expect(difference.differences.isEmpty)

    #expect(difference.silent.second.count == 1)
    // The other way round it is there, and was not before.
    #expect(
      try RunOfEpisodes.differences(changed, usual).differences.isEmpty)
    var silent = usual
    silent.postsBackground = false
    var partly = usual
    partly.hooks += " partial=app-notifications"
    #expect(try RunOfEpisodes.differences(silent, partly).differences.map(\.change) == [.new])
  }

  /// A turn that nobody would have seen is no difference.
  @Test func kindsAreComparedWhereAllStatesAreRecorded() throws {
    var asleep = usual
    asleep.last = ["1150s - suspend app", "1160s - resume app"]
    let found = try RunOfEpisodes.differences(usual, asleep)
    #expect(
      found.differences.filter { $0.token == nil }.map(\.kind).sorted() == [
        "stay suspended", "turn background→suspended", "turn suspended→background",
      ])

    var partly = usual
    partly.hooks += " partial=system"
    let untold = try RunOfEpisodes.differences(partly, asleep)
    #expect(untold.differences.allSatisfy { $0.token != nil } && untold.untoldKinds == 3)
    // The one that does not record all states has them: so much is certain.
    asleep.hooks += " partial=system"
    #expect(try RunOfEpisodes.differences(usual, asleep).untoldKinds == 0)
  }

  /// Without the hooks that the other run lacks, episodes are cut as there.
  @Test func eventsOfOtherHooksDoNotCount() throws {
    let common: Set<Hook> = [.appDelegate, .work]
    let side = try RunOfEpisodes.side([usual.notation], among: common)
    var poor = usual
    poor.hooks = "app-delegate,work"
    poor.postsBackground = false
    let other = try RunOfEpisodes.side(
      [
        poor.notation.split(separator: "\n").filter { !$0.contains(" notify ") }
          .joined(separator: "\n")
      ])
    let difference = RunDifference(side, other, RunOfEpisodes.orders)

    #expect(difference.differences.isEmpty && difference.silent.first.isEmpty)
    #expect(difference.silent.second.isEmpty)
  }

  /// Only orders of two known events are compared: what else a rule asks for is not known here.
  @Test func theOrdersAreThoseOfRules() {
    let found = Set(RunOfEpisodes.orders.orders.map(\.rule))
    #expect(found.contains("notification-after-call"))
    #expect(found.contains("launch-order"))
    #expect(!found.contains("scene-connection"), "the call or the notification may be first")
  }
}
