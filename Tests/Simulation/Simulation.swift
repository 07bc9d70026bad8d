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
      case "--readers": try runReaders(numbers.first ?? 1000, from: numbers.dropFirst().first ?? 1)
      default: try runByChance(numbers.first ?? 1000, from: numbers.dropFirst().first ?? 1)
      }
    } catch {
      print("\(error)")
      exit(1)
    }
  }

  // MARK: By chance

  private static func runByChance(_ runs: UInt64, from first: UInt64) throws {
    var tally: [String: Int] = [:]
    for seed in first..<first + runs {
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
}
