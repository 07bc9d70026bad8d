import Foundation
import Testing
import TraceUIKitAuto

@testable import TraceUIKit

/// The stand-in for UIKit is seen by the modules that are for UIKit, and by no other.
@Suite struct StubTests {
  private static let isUIKitSeen: Bool = {
    #if canImport(UIKit)
      true
    #else
      false
    #endif
  }()

  @Test func theTestsSeeNoUIKit() {
    #expect(!Self.isUIKitSeen)
  }

  /// Without the variable and the key an app that links the library is not traced.
  @MainActor @Test func theLibraryWaitsUntilItIsAsked() {
    startTracing()
    #expect(LifecycleTracing.current == nil)
  }

  /// What stands under tvOS, say, is skipped here, and would be wrong there only.
  @Test func theBranchesOfEachSystemCompile() throws {
    let check = Process()
    check.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    check.arguments = ["bash", "Tests/Support/AppleStubs/check", "uikit"]
    let output = Pipe()
    (check.standardOutput, check.standardError) = (output, output)
    try check.run()
    let said = String(
      decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    check.waitUntilExit()

    #expect(check.terminationStatus == 0, "\(said)")
    #expect(said.split(separator: "\n").filter { $0.hasSuffix("compiled") }.count == 4)
  }
}
