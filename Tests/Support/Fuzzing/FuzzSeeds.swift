import AppLifecycle
import Foundation
import LifecycleModel
import LifecycleRules
import Scenarios
import TraceAnalysis
import TraceReport
import TraceText
import Traces

/// What a fuzzer begins with: the samples of the tree, and what our own writers write.
@MainActor package struct FuzzSeeds {
  private let samples: [URL]

  /// Takes the folders of the samples.
  package init(samples: [URL]) { self.samples = samples }

  /// Inputs for a target, of some kilobytes each; the same ones at each call.
  package func inputs(for target: FuzzTarget) throws -> [[UInt8]] {
    switch target {
    case .log: try logs()
    case .notation, .reports, .page, .perfetto:
      try files(["trace"]) + traces().map { utf8($0, .notation) }
    case .ndjson: traces().map { utf8($0, .ndjson) }
    case .console: try files(["log"]) + ConsoleText.everyForm.map { Array($0.utf8) }
    case .crashReport: try files(["ips", "crash"])
    case .metricKit: try files(["json"])
    case .yaml: try files(["yml"])
    case .ring: try [1, 7, 30].map(RingSeeds.ring)
    case .baseline: try results().map { Array($0.baseline().text.utf8) }
    }
  }

  /// Words that readers know, as libFuzzer's dictionaries have them.
  package var dictionary: String {
    let words =
      Verb.known.compactMap(\.word) + Callback.allCases.map(\.rawValue)
      + LifecycleNotification.allCases.map(\.rawValue) + AttributeKey.allCases.map(\.rawValue)
      + WorkCategory.allCases.map(\.rawValue) + Hook.allCases.map(\.rawValue)
      + ["app", "scene:1", "task:1", "</script>", "<!--", "\\\\u202e", "\\\\u001b"]
    return words.map { "\"\($0)\"\n" }.joined()
  }

  // MARK: Where they come from

  private func files(_ endings: Set<String>) throws -> [[UInt8]] {
    let all = samples.flatMap { folder in
      let files = FileManager.default.enumerator(at: folder, includingPropertiesForKeys: nil)
      return (files?.compactMap { $0 as? URL } ?? []).filter { endings.contains($0.pathExtension) }
    }
    return try all.sorted { $0.path < $1.path }.map { Array(try Data(contentsOf: $0)) }
      .filter { $0.count < 1 << 16 }
  }

  private func traces() -> [Trace] {
    (1...8).map { seed in
      var traces = ArbitraryTrace(seed: UInt64(seed))
      return traces.trace(count: seed * 4)
    }
  }

  private enum Form { case notation, ndjson }

  private func utf8(_ trace: Trace, _ form: Form) -> [UInt8] {
    Array((form == .notation ? TraceNotation.print(trace) : NDJSON.print(trace)).utf8)
  }

  private func logs() throws -> [[UInt8]] {
    let random = try (1...8).map { seed in
      var traces = RandomTrace(seed: UInt64(seed))
      return try traces.trace(12 * seed, labels: seed % 4 == 0 ? 20 : 0, isWild: seed % 2 == 0)
    }

    let lives = try files(["yml"]).compactMap { text -> [UInt8]? in
      guard let scenario = try? Scenario(yaml: String(decoding: text, as: UTF8.self)) else {
        return nil
      }
      return try scenario.run(to: .memory).bytes
    }
    return try random.map { try RingSeeds.log($0) } + lives
  }

  private func results() throws -> [AnalysisResults] {
    try files(["trace"]).map { text in
      let trace = try TraceNotation.parse(String(decoding: text, as: UTF8.self))
      return AnalysisResults(Analyzer.analyze(trace), of: "log.trace", trace.vocabulary)
    }
  }
}
