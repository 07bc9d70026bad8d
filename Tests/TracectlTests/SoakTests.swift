import Foundation
import Testing

/// What `tools/soak` concludes from what it has sampled.
@Suite struct SoakTests {
  private let scratch: ScratchFolder

  init() throws { scratch = try ScratchFolder() }

  /// Nine samples of a process and its disk; the last third has grown by so much.
  private func samples(memory: Double = 0, descriptors: Int = 0, disk: Double = 0) -> String {
    (0..<9).map { number in
      let grown = number < 6 ? 0 : 1
      return """
        {"tail, MiB": \(50 + Double(number % 3) + memory * Double(grown)), \
        "tail, descriptors": \(7 + descriptors * grown), \
        "disk, MB": \(8 + disk * Double(grown))}

        """
    }.joined()
  }

  /// Runs the judgement; `nil`, and said, when the machine cannot.
  private func judge(_ samples: String) throws -> CommandRun? {
    try scratch.file("samples.ndjson", samples)
    return try soak(["--judge", scratch.path("samples.ndjson")])
  }

  private func soak(_ arguments: [String]) throws -> CommandRun? {
    let script = CommandRun.root.appendingPathComponent("tools/soak").path
    let run = try CommandRun(program: ["python3", script] + arguments, in: scratch.url)
    guard run.status == 127 else { return run }
    print("skipped: python3 is not installed, so nothing is judged")
    return nil
  }

  @Test func whatStaysFlatPasses() throws {
    guard let run = try judge(samples(memory: 3)) else { return }
    #expect(run.status == 0, "\(run.errors)")
    #expect(run.output.contains("all is flat, 9 samples") && run.errors == "")
  }

  @Test(arguments: [
    ("tail, MiB", 12.0, 0, 0.0), ("tail, descriptors", 0.0, 2, 0.0), ("disk, MB", 0.0, 0, 5.0),
  ])
  func whatGrowsFails(quantity: String, memory: Double, descriptors: Int, disk: Double) throws {
    let grown = samples(memory: memory, descriptors: descriptors, disk: disk)
    guard let run = try judge(grown) else { return }
    #expect(run.status == 1 && run.output.contains("GREW"))
    #expect(run.errors.contains("\(quantity): the median rose from "))
    #expect(run.errors.split(separator: "\n").count == 1)
  }

  /// What a process takes at times is no growth.
  @Test(arguments: [(58, 0), (80, 1)])
  func whatWasTakenBeforeIsNoGrowth(last: Int, status: Int32) throws {
    let samples = [50, 64, 50, 50, 50, 50, last, last, last].map { "{\"tail, MiB\": \($0)}\n" }
    guard let run = try judge(samples.joined()) else { return }
    #expect(run.status == status, "\(run.output)")
  }

  @Test func fewSamplesAreNoPass() throws {
    guard let run = try judge("{\"disk, MB\": 8}\n") else { return }
    #expect(run.status == 1 && run.errors.contains("too few"))
  }

  @Test(arguments: [[], ["many"], ["0"], ["1", "2"], ["--judge", "missing.ndjson"]])
  func wrongUsageIsSaid(arguments: [String]) throws {
    guard let run = try soak(arguments) else { return }
    #expect(run.status == 2 && run.errors.contains("tools/soak MINUTES"))
  }
}
