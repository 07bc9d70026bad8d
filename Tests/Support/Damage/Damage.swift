import LifecycleModel
import Platform
import TraceLog

/// Damages small logs in every way, and holds what is read of them against what was written.
///
/// `tools/damage` says which words it takes. Cases are tried in processes of their own: when one dies,
/// the case that it was at is known.
@main
enum Damage {
  static func main() throws {
    let words = CommandLine.arguments.dropFirst()
    let numbers = words.dropFirst().map { Int($0) ?? 0 }

    switch (words.first, numbers.count) {
    case ("all", 3): try all(Choice(numbers[0], numbers[1]), workers: numbers[2])
    case ("work", 5):
      let choice = Choice(numbers[3], numbers[4])
      try work(numbers[0], from: numbers[1], to: numbers[2], choice)
    case ("case", 2): try one(numbers[0], numbers[1])
    default:
      print("usage: damage all ONE-IN SEED WORKERS | case LOG NUMBER")
      exit(2)
    }
  }

  /// Tries all, or a sample, and prints a table.
  private static func all(_ choice: Choice, workers: Int) throws {
    var tallies: [Tally] = []
    for index in Recipe.all.indices { tallies.append(try Tally(index)) }
    var foreman = try Foreman(tallies, choice)
    try foreman.run(workers: max(1, workers))
    let commands = try CommandSample(choice).run()

    print(Tally.table(foreman.tallies))
    print(commands.summary)
    for complaint in foreman.complaints + commands.complaints { print(complaint) }
    if !foreman.complaints.isEmpty || !commands.complaints.isEmpty { exit(1) }
  }

  /// What a process does: some cases of a log.
  private static func work(_ log: Int, from: Int, to: Int, _ choice: Choice) throws {
    var worker = try Worker(log)
    var findings = Worker.Findings()
    for number in from..<to where choice.has(number) {
      // A process that hangs is ended by a signal; one that dies is known by the last number.
      Foreman.note(number)
      alarm(60)
      try worker.attempt(number, &findings)
    }
    Foreman.tell(findings)
  }

  /// Tries one case, says what is wrong, and leaves the damaged log behind.
  private static func one(_ log: Int, _ number: Int) throws {
    var worker = try Worker(log)
    var findings = Worker.Findings()
    print("\(worker.recipe.name): \(worker.injuries[number])")
    _ = try worker.lay(number)

    for name in SmallLog.names {
      guard let bytes = worker.folder.bytes(name) else { continue }
      try Folder.write("damaged-\(name)", bytes)
      print("damaged-\(name): \(bytes.count) bytes")
    }
    try worker.attempt(number, &findings)
    for complaint in findings.complaints { print(complaint.text) }
  }
}

/// Which cases are tried: one in so many, by a seed.
struct Choice {
  let share: Int
  let seed: UInt64

  init(_ share: Int, _ seed: Int) {
    (self.share, self.seed) = (max(1, share), UInt64(truncatingIfNeeded: seed))
  }

  func has(_ number: Int) -> Bool { Worker.isChosen(number, share, seed: seed) }
}
