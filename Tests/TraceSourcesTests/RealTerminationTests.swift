import Foundation
import Testing

@testable import TraceSources

/// Acceptance by termination texts of real systems, which lie beside the package and not in it.
@Suite(
  .enabled(
    if: FileManager.default.fileExists(atPath: Captures.terminations.path),
    "SKIPPED: the termination texts are not there: ../shared/data/termination"))
struct RealTerminationTests {
  /// The texts of the rows whose first column contains `cause`.
  private func texts(_ cause: String) throws -> [String] {
    let rows = try String(contentsOf: Captures.terminations, encoding: .utf8).split(separator: "\n")
    let columns: [[Substring]] = rows.map { $0.split(separator: "\t") }
    return columns.filter { $0.count > 1 && $0[0].contains(cause) }.map { String($0[1]) }
  }

  @Test func everyTextOfTheWatchdogHasItsCodeAndAReason() throws {
    let texts = try texts("scene-") + texts("process-")
    #expect(texts.count == 7)
    for text in texts {
      let end = TerminationText.report(ArraySlice(text.utf8))
      guard case .killed(let namespace?, 0x8bad_f00d) = end?.kind else {
        Issue.record("not read: \(text)")
        continue
      }
      #expect(["SPRINGBOARD", "FRONTBOARD"].contains(namespace))
      let isShort = text.hasPrefix("Termination Reason: Namespace")
      #expect(isShort || end?.reason?.isEmpty == false, "\(text)")
    }
  }

  @Test func everyTextOfAHeldLockHasItsCode() throws {
    let texts = try texts("holding a lock")
    #expect(texts.count == 3)
    for text in texts {
      #expect(
        TerminationText.report(ArraySlice(text.utf8))?.kind
          == .killed(namespace: "RUNNINGBOARD", code: 0xdead_10cc), "\(text)")
    }
  }

  @Test func everyTripleOfLaunchdIsRead() throws {
    let texts = try texts("launchd triple")
    #expect(texts.count == 5)
    for text in texts {
      let message = "termination reported by launchd \(text.drop { $0 != "(" })"
      let reading = MessageRules.all.read(ArraySlice(message.utf8), by: .system)
      guard case .ended(let end)? = reading?.fact else {
        Issue.record("not read: \(text)")
        continue
      }
      #expect(end.kind != .gone, "\(text)")
    }
  }
}
