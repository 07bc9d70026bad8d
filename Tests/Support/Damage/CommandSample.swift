import ChildPrograms
import Platform
import Traces

/// Gives damaged logs to the command itself, and looks at its exit status.
struct CommandSample {
  /// So many damaged logs of each log are given to all commands, when all cases are tried.
  private static let most = 12
  /// The statuses that each command may end with, as `tracectl --help` says them.
  private static let commands: [(words: [String], statuses: Set<Int32>)] = [
    (["verify", "log.bin"], [0, 1, 3]), (["analyze", "log.bin"], [0, 1, 3]),
    (["analyze", "--strict", "log.bin"], [0, 1, 3, 4]), (["dump", "log.bin"], [0, 3]),
    (["copy", "log.bin", "-o", "copy.bin"], [0, 3]),
    (["report", "log.bin", "-o", "report.html"], [0, 3]),
  ]

  private let choice: Choice
  private var statuses: [Int32: Int] = [:]
  private var runs = 0
  /// What is wrong, a line each.
  private(set) var complaints: [String] = []

  init(_ choice: Choice) { self.choice = choice }

  /// The sample, run.
  func run() throws -> CommandSample {
    var sample = self
    var random = SeededGenerator(seed: choice.seed)
    let count = max(1, CommandSample.most / choice.share)
    // A small sample takes some of the logs.
    let step = choice.share > 100 ? 8 : 1

    for index in stride(from: 0, to: Recipe.all.count, by: step) {
      var worker = try Worker(index)
      for _ in 0..<count {
        let number = Int.random(in: worker.injuries.indices, using: &random)
        guard try worker.lay(number) else { continue }
        try sample.ask(worker, number, index)
      }
    }
    return sample
  }

  private mutating func ask(_ worker: Worker, _ number: Int, _ index: Int) throws {
    let folder = worker.folder
    var verdict: Int32?

    for (words, allowed) in CommandSample.commands {
      unlink(folder.path("copy.bin"))
      let paths = words.map { $0.contains(".") ? folder.path($0) : $0 }
      let process = try Child.start(
        [CommandSample.tracectl] + paths, output: folder.path("output"),
        errors: folder.path("errors"))
      let status = Child.wait(process).status
      runs += 1
      statuses[status, default: 0] += 1
      if words == ["verify", "log.bin"] { verdict = status }
      let context = "tracectl \(words.joined(separator: " ")), damage case \(index) \(number)"
      if !allowed.contains(status) { complaints.append("\(context): status \(status)") }
      if words.count == 2, words[0] == "analyze", verdict == 1 {
        try checkTold(folder, context, worker.demand(worker.injuries[number]))
      }
    }
  }

  /// `analyze` says something of a log that `verify` does not call whole.
  private mutating func checkTold(
    _ folder: Folder, _ context: String, _ demand: Examination.Demand
  ) throws {
    let output = folder.text("output") + folder.text("errors")
    let words = ["damaged", "missing", "lost", "torn", "middle of a block", "ring", "removed"]
    guard demand == .all, !words.contains(where: output.contains) else { return }
    complaints.append("\(context): analyze does not tell the damage: \(output.prefix(200))")
  }

  /// The command that was built beside this program.
  private static var tracectl: String {
    let own = CommandLine.arguments[0]
    return (own.lastIndex(of: "/").map { String(own[...$0]) } ?? "") + "tracectl"
  }

  /// What was run, in a line.
  var summary: String {
    let ends = statuses.sorted { $0.key < $1.key }.map { "\($0.value) with \($0.key)" }
    return "\(runs) runs of the command ended \(ends.joined(separator: ", "))"
  }
}
