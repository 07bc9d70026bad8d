import LifecycleModel
import Testing

@testable import TraceSources

struct DeactivationMaskTests {
  /// The meanings of changes written as `+11 0>2048`, each in one line.
  private func meanings(_ changes: String...) -> [String] {
    var mask = DeactivationMask()
    return changes.compactMap { text -> DeactivationChange? in
      let parts = text.dropFirst().split { " >".contains($0) }
      guard let reason = UInt8(parts[0]), let before = UInt64(parts[1]),
        let after = UInt64(parts[2])
      else { return nil }
      return DeactivationChange(
        reason: reason, isAdded: text.hasPrefix("+"), before: before, after: after)
    }.map { change in
      let meaning = mask.follow(change)
      let flags = [
        (meaning.isLaunch, "launch"), (meaning.isLate, "late"), (meaning.isHole, "hole"),
      ]
      if meaning.isLaunch { mask.state = .inactive }
      return (flags.filter(\.0).map(\.1) + meaning.transitions.map(\.text))
        .joined(separator: " ")
    }
  }

  @Test func aBounceNeverReachesTheBackground() {
    #expect(
      meanings("+0 0>1", "+12 1>4097", "-12 4097>1", "-0 1>0")
        == ["late active->inactive", "", "", "inactive->active"])
  }

  @Test func theBackgroundIsEnteredAndLeft() {
    #expect(
      meanings("+0 0>1", "+11 1>2049", "-0 2049>2048", "-11 2048>0")
        == [
          "late active->inactive", "inactive->background", "",
          "background->inactive inactive->active",
        ])
  }

  @Test func reasonElevenDuringALaunchIsNoBackgroundEntry() {
    #expect(
      meanings("+10 0>1024", "+11 1024>3072", "-10 3072>2048", "+5 2048>2080", "-11 2080>32")
        == ["launch", "", "", "", ""])
  }

  @Test func afterTheLaunchReasonElevenIsABackgroundEntry() {
    #expect(
      meanings("+10 0>1024", "+11 1024>3072", "-11 3072>1024", "+11 1024>3072")
        == ["launch", "", "", "inactive->background"])
  }

  @Test func aMaskThatDoesNotContinueTheOneBeforeIsAHole() {
    #expect(
      meanings("-0 1>0", "-12 36864>32768", "-15 32768>0")
        == ["late inactive->active", "hole active->inactive", "inactive->active"])
  }

  @Test func aChangeOfAnotherBitIsAHole() {
    #expect(
      meanings("-0 1>0", "+3 0>4", "-3 4>0")
        == ["late inactive->active", "hole active->inactive", "hole inactive->active"])
  }

  @Test func aCaptureThatBeginsInALaunchGoesOnInIt() {
    #expect(
      meanings("+11 1024>3072", "-11 3072>1024", "-10 1024>0")
        == ["late", "", "inactive->active"])
  }

  @Test func theLargestMaskIsNoTrap() {
    #expect(meanings("+63 0>9223372036854775808", "-63 9223372036854775808>0").count == 2)
  }
}
