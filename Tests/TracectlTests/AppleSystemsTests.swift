import Foundation
import Testing

/// What is there for Apple's systems, as far as Linux can try it.
@Suite struct AppleSystemsTests {
  private static let stubs = "Tests/Support/AppleStubs/check"
  private static let hooks = "Tests/ObjectiveCHooks/run"

  @Test(.enabled(if: CommandRun.machineHas("clang"), "there is no clang on the PATH"))
  func theCFilesCompileForSevenTargets() throws {
    let run = try CommandRun(program: ["bash", Self.stubs, "c"])
    #expect(run.status == 0, "\(run.errors)")
    #expect(run.output.split(separator: "\n").count == 7)
  }

  /// A type that differs between the C libraries is found where only Linux is at hand.
  @Test(.enabled(if: CommandRun.machineHas("swiftc"), "there is no swiftc on the PATH"))
  func theSwiftFilesCompileWithDarwinsNames() throws {
    let run = try CommandRun(program: ["bash", Self.stubs, "swift"])
    #expect(run.status == 0, "\(run.output)\(run.errors)")
    #expect(run.output.split(separator: "\n").count == 10)
  }

  private static let hasRuntime =
    (try? CommandRun(program: ["bash", hooks, "--check"]).status) == 0

  @Test(.enabled(if: hasRuntime, "there is no GNUstep; tools/test --with-tools installs it"))
  func theHooksHoldAgainstAnObjectiveCRuntime() throws {
    let run = try CommandRun(program: ["bash", Self.hooks])
    #expect(run.status == 0, "\(run.output)\(run.errors)")
    #expect(run.output.hasSuffix("79 checks, 0 failures\n"))
  }

  /// Code that UIKit's stand-in leaks into would be compiled as if it were on a device.
  @Test func noOtherModuleAsksForUIKit() throws {
    let sources = CommandRun.root.appendingPathComponent("Sources")
    let files = try #require(FileManager.default.enumerator(atPath: sources.path))
    for case let file as String in files where file.hasSuffix(".swift") {
      guard !file.hasPrefix("TraceUIKit") else { continue }
      let text = try String(contentsOf: sources.appendingPathComponent(file), encoding: .utf8)
      #expect(!text.contains("canImport(UIKit)"), "\(file)")
    }
  }

  @Test func theHooksAddNoMethodAndChangeNoClass() throws {
    let folder = CommandRun.root.appendingPathComponent("Sources/CTraceHooks")
    let text = try ["calls.m", "classes.c", "hooks.c"].map {
      try String(contentsOf: folder.appendingPathComponent($0), encoding: .utf8)
    }.joined()
    for call in ["class_addMethod", "class_replaceMethod", "object_setClass", "method_exchange"] {
      #expect(!text.contains(call))
    }
    #expect(text.contains("method_setImplementation("))
  }
}
