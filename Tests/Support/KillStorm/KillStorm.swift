import ChildPrograms
import Platform
import Traces

/// Kills recorders and apps between any two of their steps, and holds what was acknowledged against the logs.
///
/// `tools/kill-storm` says which words it takes.
@main
enum KillStorm {
  static func main() throws {
    // Who starts this may have blocked the timer's signal, which ends a wait that is in vain.
    var none = sigset_t()
    sigemptyset(&none)
    sigprocmask(SIG_SETMASK, &none, nil)
    let words = Array(CommandLine.arguments.dropFirst())
    let numbers = words.dropFirst().map { Int($0) ?? 0 }
    switch words.first {
    case "app": App.run(Array(words.dropFirst()))
    case "work" where numbers.count == 2:
      try work(numbers[0], seed: UInt64(numbers[1]))
    case "again" where numbers.count > 1:
      try again(seed: UInt64(numbers[0]), numbers.dropFirst().map { Cell.all[$0] })
    case "all" where numbers.count == 3:
      try all(numbers[0], seed: numbers[1], workers: max(1, numbers[2]))
    default:
      print("usage: kill-storm all KILLS SEED WORKERS | again SEED CELL…")
      exit(2)
    }
  }

  /// Lets some processes storm, and prints what they met.
  private static func all(_ kills: Int, seed: Int, workers: Int) throws {
    if let obstacle = Tracee.obstacle {
      print("SKIPPED: no process can be steered here: \(obstacle)")
      exit(2)
    }

    let start = platform_nanoseconds()
    var table = Table()
    let folder = try Folder()
    var running: [pid_t: String] = [:]
    for worker in 0..<workers {
      let output = "\(folder.path)/worker-\(worker)"
      let share = kills / workers + (worker < kills % workers ? 1 : 0)
      let process = try Child.start(
        [CommandLine.arguments[0], "work", "\(share)", "\(seed * 1000 + worker)"],
        output: output, errors: output + ".errors")
      running[process] = output
    }
    while !running.isEmpty {
      let (process, status) = Child.wait()
      guard let output = running.removeValue(forKey: process) else { continue }
      table.add(String(decoding: Folder.bytes(output), as: UTF8.self))
      if status != 0 {
        let errors = String(decoding: Folder.bytes(output + ".errors"), as: UTF8.self)
        table.complaints.append("a worker ends with status \(status): \(errors)")
      }
    }

    print(table.text + ", seconds: \((platform_nanoseconds() - start) / 1_000_000_000)")
    tell(table, isFull: kills >= 4 * Cell.all.count)
  }

  /// Says what is wrong, and ends the program.
  private static func tell(_ table: Table, isFull: Bool) -> Never {
    for complaint in table.complaints { print(complaint) }
    let unmet = table.unmet
    if !unmet.isEmpty {
      print("\(unmet.count) of \(Cell.all.count) states were met by no kill")
      if isFull { for cell in unmet { print("  \(cell)") } }
    }
    let isGood = table.complaints.isEmpty && (unmet.isEmpty || !isFull)
    print(isGood ? "== nothing is wrong" : "== something is wrong, see above")
    exit(isGood ? 0 : 1)
  }

  /// What a process does: histories until there were enough kills.
  private static func work(_ kills: Int, seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    var table = Table(seed: random.next())
    while table.sums.kills < kills {
      var history = try History(seed: random.next() >> 32)
      try history.run(&table)
    }
    print(table.lines, terminator: "")
  }

  /// Runs a history again, as far as threads let it be the same.
  private static func again(seed: UInt64, _ cells: [Cell]) throws {
    var table = Table()
    var history = try History(seed: seed, given: cells)
    Victim.isTelling = true
    try history.run(&table)
    if let path = history.keepFiles() { print("the log is \(path)/log.bin") }
    print(table.lines, terminator: "")
  }
}
