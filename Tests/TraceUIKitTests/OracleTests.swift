import AppLifecycle
import Foundation
import LifecycleModel
import TestTime
import Testing
import TraceLog

@testable import TraceUIKit

/// The adapter must say what the system did: the driver's own log of the same life is the oracle.
@MainActor
@Suite(.serialized)
struct OracleTests {
  private func lines(_ bench: LifeBench, _ trace: Trace) -> [LifeLines] {
    LifeLines.processes(trace, implemented: TracedApp(seed: bench.seed).implemented)
  }

  private func life(_ seed: UInt64) -> (LifecycleDriver) -> Void {
    { driver in
      var life = RandomLife(driver, seed: seed)
      life.run()
    }
  }

  @Test func theMemoryIsSampledAtEachChangeOfTheState() throws {
    var bench = LifeBench(.scene, seed: 1)
    bench.options.samplesMemory = true
    let events = try bench.recorded(life(1)).events
    let states = events.filter { $0.verb == .state && $0.subjectKind == .app }
    let samples = events.filter { $0.name == SampledValue.memory.symbol }
    #expect(states.count > 1 && samples.count == states.count)
    #expect(samples.allSatisfy { $0.value ?? 0 > 1_000_000 })
  }

  @Test(.tags(.nightly), arguments: [Profile.Mode.app, .scene])
  func theAdapterSaysWhatTheSystemDid(mode: Profile.Mode) throws {
    var events = 0
    for seed in Nightly.seeds(30, all: 500) {
      let bench = LifeBench(mode, seed: seed)
      let told = lines(bench, try bench.told(life(seed)))
      let recorded = lines(bench, try bench.recorded(life(seed)))

      try #require(recorded.count == told.count, "seed \(seed): processes")
      for (number, (own, system)) in zip(recorded, told).enumerated() {
        // UIKit asks for a new session's class alone: that of one which it kept is seen in the manifest.
        if mode == .scene && bench.namesClass && number > 0 { continue }
        events += own.facts.count + own.states.count
        let place = "\(mode), seed \(seed), process \(number)"
        try #require(own.facts == system.facts, "\(place): \(difference(own.facts, system.facts))")
        try #require(
          own.states == system.states, "\(place): \(difference(own.states, system.states))")
        guard TracedApp(seed: seed).hasAll else { continue }
        try #require(own.all == system.all, "\(place): \(difference(own.all, system.all))")
      }
    }
    #expect(events > 1000)
    print("\(mode): \(events) events of the adapter are the system's")
  }

  /// Where two lists part, with what was before.
  private func difference(_ own: [String], _ system: [String]) -> String {
    let place =
      zip(own, system).enumerated().first { $1.0 != $1.1 }?.offset
      ?? min(own.count, system.count)
    let before = system[max(0, place - 8)..<place].joined(separator: "\n  ")
    let rest = { (lines: [String]) in lines[place...].prefix(3).joined(separator: " | ") }
    return "after\n  \(before)\nthe adapter says: \(rest(own))\nthe system: \(rest(system))"
  }

  // MARK: Mutants

  /// An oracle that finds no mutant says nothing.
  @Test(arguments: AdapterMutant.all)
  func everyMutantIsFound(mutant: AdapterMutant) throws {
    for seed in UInt64(0)..<40 {
      for mode in [Profile.Mode.scene, .app] {
        var bench = LifeBench(mode, seed: seed)
        bench.alter = { process, _ in mutant.alter(&process) }
        let told = lines(bench, try bench.told(life(seed)))
        if lines(bench, try bench.recorded(life(seed))) != told { return }
      }
    }
    Issue.record("no life shows that the adapter \(mutant)")
  }
}
