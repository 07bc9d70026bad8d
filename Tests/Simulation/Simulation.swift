import Foundation
import LifecycleModel
import Platform
import TraceLog
import Traces

/// Runs histories of recordings on machines that fail, and holds what is left against what was recorded.
///
/// ```
/// simulation RUNS [SEED] [--verbose]      histories by chance, one of each seed from SEED on
/// simulation --readers RUNS [SEED]        histories of readers beside a recording that goes on
/// simulation --all FAULTS [--verbose]     all histories of up to so many faults over short recordings
/// simulation --damage RUNS [SEED]         small logs that are damaged, each in some ways by chance
/// simulation --damage-log LOG             one of them, in all ways
/// simulation --damage-log LOG NUMBER      in one way: the damaged log is left behind in this folder
/// simulation --write-mutants FOLDER       writes the mutants into a copy of the package
/// simulation --check-mutants              looks whether each has its place in the package
/// ```
@main
enum Simulation {
  /// Whether each step and fault is printed.
  private static let isTold = CommandLine.arguments.contains("--verbose")
  private static var numbers: [UInt64] {
    CommandLine.arguments.dropFirst().compactMap { UInt64($0) }
  }

  static func tell(_ text: @autoclosure () -> String) { if isTold { print("  " + text()) } }

  static func main() {
    tellDeaths()
    do {
      let arguments = Array(CommandLine.arguments.dropFirst())
      switch arguments.first {
      case "--all": try runAll(upTo: Int(numbers.first ?? 1))
      case "--write-mutants":
        let copy = arguments.dropFirst().first ?? "."
        print(try Mutants(root: copy).write(below: copy))
      case "--check-mutants": print(try Mutants(root: ".").check(below: "."))
      case "--seed-of-mutant":
        if let seed = try Mutants(root: ".").seed(Int(numbers.first ?? 1)) { print(seed) }
      case "--name-mutant": print(try Mutants(root: ".").name(Int(numbers.first ?? 1)))
      case "--damage": try damage(numbers.first ?? 1000, seed: numbers.dropFirst().first ?? 1)
      case "--damage-log": try damage(log: Int(numbers.first ?? 0), numbers.dropFirst().first)
      case "--readers": try runReaders(numbers.first ?? 1000, from: numbers.dropFirst().first ?? 1)
      default: try runByChance(numbers.first ?? 1000, from: numbers.dropFirst().first ?? 1)
      }
    } catch {
      print("\(error)")
      exit(1)
    }
  }

  /// Which history it is that is run, for ``tellDeaths()``.
  nonisolated(unsafe) private static let current: UnsafeMutablePointer<CChar> = {
    let text = UnsafeMutablePointer<CChar>.allocate(capacity: 256)
    text.initialize(repeating: 0, count: 256)
    return text
  }()

  /// Begins a history, which has a minute.
  private static func begin(_ name: String) {
    strncpy(current, "\(name): the process has died, or hangs\n", 255)
    alarm(60)
  }

  /// Says at which history the process was when it traps, or takes a minute.
  private static func tellDeaths() {
    for signal in [SIGILL, SIGTRAP, SIGSEGV, SIGBUS, SIGABRT, SIGALRM] {
      Foundation.signal(signal) { signal in
        write(STDOUT_FILENO, Simulation.current, strlen(Simulation.current))
        Foundation.signal(signal, SIG_DFL)
        raise(signal)
      }
    }
  }

  // MARK: By chance

  private static func runByChance(_ runs: UInt64, from first: UInt64) throws {
    var tally: [String: Int] = [:]
    for seed in first..<first + runs {
      begin("seed \(seed)")
      do {
        for (fault, count) in try run(seed).met { tally[fault, default: 0] += count }
      } catch { throw Violation("seed \(seed): \(error)") }
    }
    print("\(runs) histories, seeds \(first) to \(first + runs - 1): no violation")
    tell("\(tally.sorted { $0.key < $1.key })")
  }

  private static func run(_ seed: UInt64) throws -> SimulatedMachine {
    var random = SeededGenerator(seed: seed)
    var plan = FaultPlan(random: SeededGenerator(seed: random.next()))
    plan.oneIn = [0, 8, 20, 60].randomElement(using: &random) ?? 0
    plan.crashes = random.oneIn(2)
    let machine = make(plan, sector: random.oneIn(2) ? 512 : 4096, seed: random.next())
    // Some machines run so long that their clocks come near to where they wrap.
    machine.clock.set(to: random.oneIn(10) ? .max - 30_000_000 : 1000)

    let steps = Int.random(in: 3...25, using: &random)
    if seed % 3 == 0 {
      try RecorderHistory.random(machine, seed: random.next()).run(steps: steps)
    } else {
      try LogHistory.random(machine, seed: random.next()).run(steps: steps)
    }
    return machine
  }

  private static func make(
    _ plan: FaultPlan, sector: Int, seed: UInt64
  ) -> SimulatedMachine {
    let machine = SimulatedMachine(plan, sector: sector, seed: seed)
    SystemCalls.machine = machine
    return machine
  }

  // MARK: Readers

  private static func runReaders(_ runs: UInt64, from first: UInt64) throws {
    for seed in first..<first + runs {
      begin("seed \(seed)")
      let plan = FaultPlan(random: SeededGenerator(seed: seed))
      let machine = make(plan, sector: 512, seed: seed)
      machine.clock.set(to: 1000)
      do { try ReadingHistory(machine, seed: seed).run() } catch {
        throw Violation("seed \(seed): \(error)")
      }
    }
    print("\(runs) histories of readers, seeds \(first) to \(first + runs - 1): no violation")
  }

  // MARK: All

  /// Runs two short recordings with each set of up to so many faults.
  private static func runAll(upTo most: Int) throws {
    for policy in [SyncPolicy.everyBlock, .none] {
      let log = try runAll(upTo: most) { machine in
        let limits = LogLimits(maxPartBytes: 300)
        try LogHistory(machine, seed: 1, sync: policy, limits: limits).runShort()
      }
      print("a log, sync \(policy): all \(log) histories of up to \(most) faults: no violation")
    }

    let most = min(most, 2)
    let app = try runAll(upTo: most) { machine in
      try RecorderHistory(machine, seed: 1, sync: .interval(40_000_000)).runShort()
    }
    print("an app: all \(app) histories of up to \(most) faults: no violation")
  }

  private static func runAll(
    upTo most: Int, _ body: (SimulatedMachine) throws -> Void
  ) throws -> Int {
    var count = 0
    func extend(_ planned: [Int: Fault], from first: Int, seed: UInt64) throws {
      var plan = FaultPlan(random: SeededGenerator(seed: 1))
      plan.planned = planned
      let machine = make(plan, sector: 512, seed: seed)
      machine.clock.set(to: 1000)
      begin("faults \(planned)")
      do { try body(machine) } catch { throw Violation("faults \(planned): \(error)") }
      count += 1

      guard planned.count < most else { return }
      for place in first..<max(first, machine.calls.count) {
        for fault in Fault.all(of: machine.calls[place]) {
          var planned = planned
          planned[place] = fault
          // With a fault more all goes the same way up to that fault.
          try extend(planned, from: place + 1, seed: planned.count == 1 ? UInt64(count) : seed)
        }
      }
    }
    try extend([:], from: 0, seed: 0)
    return count
  }

  // MARK: Damage

  /// Damages each log in some ways by chance.
  private static func damage(_ runs: UInt64, seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let count = Recipe.all.count
    for index in 0..<count {
      var log = try DamagedLog(index)
      // What changes nothing is no case.
      var left = Int(runs) / count + (index < Int(runs) % count ? 1 : 0)
      while left > 0 {
        let number = Int.random(in: log.injuries.indices, using: &random)
        if try attempt(number, of: &log, index) { left -= 1 }
      }
    }
    print("\(runs) damages of \(count) logs, seed \(seed): no violation")
  }

  /// Damages one log in all ways, or in one.
  private static func damage(log index: Int, _ number: UInt64?) throws {
    var log = try DamagedLog(index % Recipe.all.count)
    guard let number = number.map({ Int($0) % log.injuries.count }) else {
      var count = 0
      for number in log.injuries.indices where try attempt(number, of: &log, index) { count += 1 }
      return print("\(count) damages of \(log.recipe.name), \(log.recipe.holds): no violation")
    }

    let isTold = try log.leave(number, in: ".")
    print("\(log.recipe.name): \(log.injuries[number])\(isTold ? ", which is told" : "")")
    _ = try attempt(number, of: &log, index)
  }

  private static func attempt(_ number: Int, of log: inout DamagedLog, _ index: Int) throws -> Bool
  {
    begin("--damage-log \(index) \(number)")
    do { return try log.attempt(number) } catch {
      throw Violation("--damage-log \(index) \(number): \(error)")
    }
  }
}
