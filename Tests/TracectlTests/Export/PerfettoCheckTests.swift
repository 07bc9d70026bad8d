import Foundation
import LifecycleModel
import TestTime
import Testing
import TraceText
import Traces

@testable import TraceReport
@testable import TraceResults

/// Traces held against Perfetto's own schema, and against what its trace processor asks.
@Suite struct PerfettoCheckTests {
  private let scratch: ScratchFolder

  init() throws { scratch = try ScratchFolder() }

  /// What is wrong with traces; `nil`, and said, when the machine cannot tell.
  private func complaints(_ files: [String]) throws -> String? {
    let check = CommandRun.root.appendingPathComponent("tools/check-perfetto").path
    let run = try CommandRun(program: ["python3", check] + files, in: scratch.url)
    if run.status == 42 || run.status == 127 {
      print("skipped: \(run.errors)")
      return nil
    }
    let lines = run.output.split(separator: "\n").filter { !$0.hasSuffix(": well") }
    #expect((run.status == 0) == lines.isEmpty, "status \(run.status)")
    return lines.joined(separator: "\n") + run.errors
  }

  @Test func everySampleIsWell() throws {
    var files: [String] = []
    try ExportBench.eachSample(in: scratch) { log, name in
      files.append("\(name).pftrace")
      let run = try CommandRun(
        ["export", log, "--app", "Notes", "-o", "\(name).pftrace"], in: scratch.url)
      #expect(run.status == 0, "\(name): \(run.errors)")
    }
    #expect(files.count >= 25)
    #expect(try complaints(files) ?? "" == "")
  }

  @Test(.tags(.nightly)) func anyTraceIsWell() throws {
    let files = try Nightly.seeds(20, all: 200).map { seed in
      var generator = ArbitraryTrace(seed: seed)
      let bytes = ExportBench.bytes(generator.trace(count: 300))
      try Data(bytes).write(to: URL(fileURLWithPath: scratch.path("\(seed).pftrace")))
      return "\(seed).pftrace"
    }
    #expect(try complaints(files) ?? "" == "")
  }

  /// A trace from which a packet is missing, or in which it stands elsewhere.
  @Test func whatIsWrongIsSeen() throws {
    let notation = """
      1s main call applicationDidBecomeActive app
      2s main return applicationDidBecomeActive app
      3s main work timer app "tick"
      """
    let trace = try ExportBench.perfetto(notation)
    let bytes = ExportBench.bytes(try TraceNotation.parse(notation))
    let packets = try #require(ProtobufReader(bytes)).all(1)
    func complaints(_ change: (inout [ProtobufReader.Value]) -> Void) throws -> String? {
      var changed = packets
      change(&changed)
      var bytes: [UInt8] = []
      for case .bytes(let packet) in changed {
        // The field 1, and a length of two bytes, be it ever so small.
        bytes += [0x0a, UInt8(packet.count & 0x7f) | 0x80, UInt8(packet.count >> 7)] + packet
      }
      try Data(bytes).write(to: URL(fileURLWithPath: scratch.path("broken.pftrace")))
      return try self.complaints(["broken.pftrace"])
    }

    guard try complaints({ _ in }) == "" else { return }
    let state = try #require(trace.track("App")?.packet)
    #expect(try complaints { $0.remove(at: state) }?.contains("is not declared before it") == true)
    let end = try #require(trace.events.first { $0.kind == .end }?.packet)
    #expect(try complaints { $0.swapAt(end, $0.count - 1) }?.contains("time goes back") == true)
    #expect(try complaints { $0.append($0[end]) }?.contains("without a beginning") == true)
    #expect(try complaints { $0.removeFirst() }?.contains("does not clear") == true)
  }
}
