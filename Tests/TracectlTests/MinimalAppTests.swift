import Foundation
import TestTime
import Testing

/// What an app gets that depends on the recorder alone: `samples/minimal-app`.
@Suite(.enabled(if: CommandRun.machineHas("swift"), "there is no swift on the PATH"))
struct MinimalAppTests {
  private static let sample = CommandRun.root.appendingPathComponent("samples/minimal-app")
  private let scratch = try? ScratchFolder()

  private func swift(_ arguments: String...) throws -> CommandRun {
    let build = try #require(scratch).path("build")
    return try CommandRun(
      program: ["swift"] + arguments.prefix(1)
        + ["--package-path", Self.sample.path, "--scratch-path", build, "--disable-sandbox"]
        + arguments.dropFirst())
  }

  private func names(in folder: String, ending: String = "") throws -> Set<String> {
    let path = try #require(scratch).path(folder)
    let names = (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []
    return Set(names.filter { $0.hasSuffix(ending) }.map { String($0.dropLast(ending.count)) })
  }

  /// The same without the minute that building takes.
  @Test func itResolvesNothing() throws {
    let resolved = try swift("package", "resolve")
    #expect(resolved.status == 0, "\(resolved.output)\(resolved.errors)")
    #expect(try names(in: "build/checkouts") == [])
    #expect(try names(in: "build/repositories") == [])
  }

  @Test(.tags(.nightly), .enabled(if: Nightly.isOn, "it builds a package; tools/test --nightly"))
  func itResolvesAndBuildsWhatItLinks() throws {
    let built = try swift("build")
    #expect(built.status == 0, "\(built.output)\(built.errors)")
    // What SwiftPM fetched, and what it compiled; the C modules leave no Swift module.
    #expect(try names(in: "build/checkouts") == [])
    #expect(try names(in: "build/repositories") == [])
    #expect(
      try names(in: "build/debug/Modules", ending: ".swiftmodule")
        == ["LifecycleModel", "Platform", "TraceLog", "TraceRecorder", "minimal_app"])

    let log = try #require(scratch).path("log.bin")
    let app = try #require(scratch).path("build/debug/minimal-app")
    #expect(try CommandRun(program: [app, log]).status == 0)
    let dumped = try CommandRun("dump", log)
    #expect(dumped.output.contains(" applicationDidFinishLaunching app "))
  }
}
