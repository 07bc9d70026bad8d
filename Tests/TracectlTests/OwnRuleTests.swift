import Foundation
import TestTime
import Testing

/// Rules that somebody writes in Swift, in a package of their own: `samples/own-rule`.
@Suite(.enabled(if: CommandRun.machineHas("swiftc"), "there is no swiftc on the PATH"))
struct OwnRuleTests {
  private static let sample = CommandRun.root.appendingPathComponent("samples/own-rule")

  /// As a file of another package, it sees what is public.
  @Test func itNeedsOnlyWhatIsPublic() throws {
    let folder = Self.sample.appendingPathComponent("Sources/own-rule").path
    let files = try FileManager.default.contentsOfDirectory(atPath: folder).sorted()
    #expect(files == ["NoUploadInBackgroundRule.swift", "SaveOftenRule.swift", "main.swift"])

    let checked = try CodeExampleTests.typecheck(files.map { "\(folder)/\($0)" })
    #expect(checked.status == 0, "\(checked.errors)")
  }

  @Test(.tags(.nightly), .enabled(if: Nightly.isOn, "it builds a package; tools/test --nightly"))
  func itsRulesAreApplied() throws {
    let build = try ScratchFolder()
    let run = try CommandRun(program: [
      "swift", "run", "--package-path", Self.sample.path, "--scratch-path", build.path("build"),
      "--disable-sandbox", "own-rule",
    ])
    #expect(run.status == 0, "\(run.errors)")
    #expect(
      run.output == """
        no-upload-in-background: ok
        save-often: ok
        error save-often: "plan" was edited; nothing was saved since 2s
        warning no-upload-in-background: a photo was uploaded in the background, since 7s

        """)
  }
}
