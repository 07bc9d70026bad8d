import LifecycleModel
import Testing
import TraceText

@testable import LifecycleRules
@testable import TraceAnalysis

/// What a fingerprint sees, and what it does not.
@Suite struct FingerprintTests {
  @Test(arguments: [
    ("notes.db", "notes.db"), ("upload-123", "upload-#"), ("upload-7", "upload-#"),
    ("/v1/items/40", "/v#/items/#"), ("12", "#"), ("a1b2", "a#b#"),
    ("550e8400-e29b-41d4-a716-446655440000.tmp", "#.tmp"), ("deadbeef1", "#"),
    ("facade", "facade"), ("job 9f3c11", "job #"), ("0xab", "#"), ("0x", "#x"), ("ÄÖ2", "ÄÖ#"),
    ("", ""), ("550e8400-e29b-41d4-a716-4466554400001", "#-e#b-#d#-a#-#"),
  ])
  func aWordLosesItsNumbers(word: String, expected: String) {
    #expect(CausalWord.text(word) == expected)
  }

  private func fingerprint(_ rule: String, _ notation: String) throws -> String? {
    Analyzer.analyze(try TraceNotation.parse(notation)).allFindings.first { $0.rule == rule }?
      .fingerprint
  }

  private func leak(
    label: String = "save", thread: String = "main", task: Int = 1, end: String = "40s",
    code: String = "0x8badf00d"
  ) throws -> String? {
    try fingerprint(
      "task-leak-at-suspend",
      """
      0s - profile mode=app os=18.2 launch=user background-modes=none hooks=app-delegate,tasks,system
      0s - process.start app launch=user
      1s \(thread) task.begin task:\(task) "\(label)" handler=true
      2s main call applicationDidEnterBackground app
      2.1s main return applicationDidEnterBackground app
      2.2s - state inactive->background app
      \(end) - kill app code=\(code)
      """)
  }

  /// What was seen before is looked up by its shape, as when an example comes twice in one log.
  @Test func aShapeHasOneFingerprint() throws {
    for rule in RuleRegistry.all {
      for example in rule.description.examples {
        var trace = try example.parse().trace
        let length = trace.events.last?.instant.since(.origin) ?? 0
        trace.events += trace.events.map { event in
          var event = event
          event.instant = event.instant.advanced(by: length.adding(.seconds(60)))
          return event
        }

        for finding in Analyzer.analyze(trace).findings {
          let fresh = Fingerprint.of(finding, trace.vocabulary)
          #expect(finding.fingerprint == fresh, "\(finding.rule): \(example.title)")
        }
      }
    }
  }

  @Test func numbersAndTimesDoNotCount() throws {
    let one = try leak()
    #expect(one != nil)
    #expect(try leak(task: 99, end: "47.5s") == one)
    // What closed the window does not count.
    #expect(try leak(code: "0x1") == one)
    #expect(try leak(label: "upload-1") == leak(label: "upload-2222"))
  }

  @Test func whoDidItCounts() throws {
    let one = try leak()
    #expect(try leak(label: "load") != one)
    #expect(try leak(thread: "worker") != one)
    #expect(try leak(thread: "worker") == leak(thread: "worker-2"))
  }

  @Test func theCodeOfAKillCounts() throws {
    func kill(_ code: String) throws -> String? {
      try fingerprint(
        "lost-events",
        """
        0s - profile hooks=work
        1s - gap ring-full 3 code=\(code)
        """)
    }

    #expect(try kill("0x1") != nil)
    #expect(try kill("0x1") != kill("0x2"))
    #expect(try kill("0xAB") == kill("0xab"))
  }
}
