import AnalysisTestSupport
import LifecycleModel
import LifecycleRules
import TraceAnalysis
import TraceText
import Traces

/// Prints how much of what is wrong the rules find, and how much of what is right.
@MainActor
enum RuleQuality {
  /// Which sessions are to be clean, how many mutants are to break a rule, and the behaviour whose
  /// missed mutants are printed: `all`, or a name from the list of what was missed; `loss` prints
  /// where false violations come from, and a rule's name where its false findings do.
  struct Size {
    /// The seeds of the clean sessions: `10000` is the first ten thousand, `2146-2201` some of them.
    var sessions: Range<UInt64> = 0..<10_000
    var mutants = 20_000
    var shown: String?

    init(_ arguments: some Sequence<String>) {
      let words = Array(arguments)
      let seeds = (words.first ?? "").split(separator: "-").compactMap { UInt64($0) }
      if let last = seeds.last {
        sessions = seeds.count == 1 ? 0..<last : min(seeds[0], last)..<(last + 1)
      }
      mutants = words.dropFirst().first.flatMap(Int.init) ?? mutants
      shown = words.dropFirst(2).first
    }

    func shows(_ name: String) -> Bool { shown == name || shown == "all" }
  }

  static func run(_ size: Size) throws {
    if size.mutants > 0 {
      try mutantQuality(size)
      try notation()
    }
    if !size.sessions.isEmpty { try clean(size) }
  }

  // MARK: Mutants

  /// What became of the mutants of one kind.
  fileprivate struct Tally {
    var all = 0
    var found = 0
    var expected = 0
  }

  private static func mutantQuality(_ size: Size) throws {
    var byRule: [String: Tally] = [:]
    var byFamily: [String: Tally] = [:]
    var total = Tally()
    var missed: [String: Int] = [:]
    var unexpected: [String: Int] = [:]
    var equivalent: [String: (all: Int, found: Int)] = [:]
    var falseRules: [String: Int] = [:]
    var loss = LossTally()
    var seed: UInt64 = 1_000_000

    while total.all < size.mutants {
      var session = try RandomSession(seed: seed)
      session.run()
      let trace = try session.trace()
      let clean = CleanTrace(trace)
      var generator = SeededGenerator(seed: seed)
      for way in MutationOperator.all {
        guard let mutant = clean.mutant(way, &generator) else { continue }
        let analysis = analyze(mutant.trace)
        let rules = Set(analysis.allFindings.map(\.rule))
        switch mutant.label {
        case .equivalent(let reason):
          let name = "\(way.family) \(way.name): \(reason)"
          // What a mark of loss itself is found for is right.
          let found = rules.subtracting(["lost-events"])
          equivalent[name, default: (0, 0)].all += 1
          if !found.isEmpty { equivalent[name, default: (0, 0)].found += 1 }
          if !found.isEmpty && size.shows(way.name) { show(clean, mutant, analysis, seed) }
          for rule in found {
            falseRules["\(rule), after \(way.family) \(way.name)", default: 0] += 1
          }
        case .violation(let expected):
          let isFound = !rules.isEmpty
          let isExpected = !rules.isDisjoint(with: expected)
          total.add(isFound, isExpected)
          byFamily[way.family, default: Tally()].add(isFound, isExpected)
          for rule in expected { byRule[rule, default: Tally()].add(isFound, isExpected) }
          if !isExpected && size.shows(way.name) { show(clean, mutant, analysis, seed) }
          if !isFound { missed["\(way.family) \(way.name)", default: 0] += 1 }
          if isFound && !isExpected {
            let name = "\(way.family) \(way.name): \(rules.sorted().joined(separator: ", "))"
            unexpected[name, default: 0] += 1
          }
          loss.add(mutant.trace, analysis, &generator, isShown: size.shows("loss"))
        }
      }
      seed += 1
    }

    print("mutants of \(seed - 1_000_000) sessions, \(MutationOperator.all.count) operators")
    print("  not equivalent: \(total.all)")
    print("  found: \(percent(total.found, total.all))")
    print("  found by the expected rule: \(percent(total.expected, total.all))")
    table("by kind of change", byFamily)
    table("by rule", byRule)
    list("found by nobody", missed)
    list("found by another rule alone", unexpected)
    print("\nequivalent mutants, and with findings")
    for (name, count) in equivalent.sorted(by: { $0.key < $1.key }) {
      print("  \(count.all)  \(count.found)  \(name)")
    }

    list("findings on equivalent mutants", falseRules)
    loss.report()
  }

  static func analyze(_ trace: Trace) -> Analysis {
    Analyzer.analyze(trace)
  }

  /// Prints where a mutant differs, and what the rules that should have found it say.
  private static func show(
    _ clean: CleanTrace, _ mutant: Mutant, _ analysis: Analysis, _ seed: UInt64
  ) {
    print("\n\(mutant.behaviour), seed \(seed), \(mutant.label)")
    print("  found: \(analysis.allFindings.map(\.message))")
    if case .violation(let expected) = mutant.label {
      for outcome in analysis.outcomes where expected.contains(outcome.rule.id) {
        print("  \(outcome.rule.id): \(outcome.outcome), \(outcome.checks) checks")
      }
    }

    let printer = TraceNotation.Printer(vocabulary: mutant.trace.vocabulary)
    let lines = mutant.trace.events.map { printer.line($0) }
    let before = clean.events.map { printer.line($0) }
    let place = zip(lines, before).enumerated().first { $0.element.0 != $0.element.1 }?.offset
    show(mutant.trace, around: place ?? lines.count)
  }

  /// Prints what stands around a place of a trace.
  static func show(_ trace: Trace, around place: Int) {
    let printer = TraceNotation.Printer(vocabulary: trace.vocabulary)
    for index in max(0, place - 40)..<min(trace.events.count, place + 20) {
      print("  \(index == place ? ">" : " ") \(printer.line(trace.events[index]))")
    }
  }

  // MARK: Notation

  private static func notation() throws {
    var violating = Tally()
    var kept = (all: 0, found: 0)
    for item in try NotationMutants.all() {
      var stream = TraceStream(item.mutant.trace)
      let isFound = try !Analyzer.analyze(&stream, rules: [item.rule]).findings.isEmpty
      if case .violation = item.mutant.label {
        violating.add(isFound, isFound)
      } else {
        kept.all += 1
        if isFound { kept.found += 1 }
      }
    }

    print("\nmutants of the clean examples, judged by the second evaluator")
    let share = percent(violating.found, violating.all)
    print("  violating: \(violating.all), found by their rule: \(share)")
    print("  equivalent: \(kept.all), with findings: \(kept.found)")
  }

  // MARK: Clean sessions

  private static func clean(_ size: Size) throws {
    var events: UInt64 = 0
    var found: [String: Int] = [:]
    var foundInParts: [String: Int] = [:]
    var shares: [(name: String, hooks: Set<Hook>, doubts: Int, applicable: Int)] = [
      ("all hooks", Set(Hook.allCases), 0, 0),
      ("delegates alone", [.appDelegate, .sceneDelegate], 0, 0),
    ]

    for seed in size.sessions {
      var session = try RandomSession(seed: seed)
      session.run(actions: 150)
      let trace = try session.trace()
      let analysis = analyze(trace)
      events += analysis.eventCount
      for finding in analysis.allFindings {
        found["\(finding.rule), seed \(seed)", default: 0] += 1
        if size.shows(finding.rule) {
          print("\n\(finding.message), seed \(seed)")
          show(trace, around: Int(finding.ordinal) - 1)
        }
      }
      var generator = SeededGenerator(seed: seed)
      let part = PartialRecording.some(of: trace, &generator)
      for finding in analyze(part).allFindings where finding.rule != "lost-events" {
        foundInParts["\(finding.rule), seed \(seed)", default: 0] += 1
        if size.shows(finding.rule) {
          print("\n\(finding.message), seed \(seed)")
          show(part, around: Int(finding.ordinal) - 1)
        }
      }
      if seed >= 100 { continue }
      for index in shares.indices {
        let outcomes = analyze(PartialRecording.keeping(shares[index].hooks, of: trace)).outcomes
        for outcome in outcomes {
          switch outcome.outcome {
          case .notApplicable: continue
          case .cannotTell: shares[index].doubts += 1
          case .violated, .satisfied: break
          }
          shares[index].applicable += 1
        }
      }
    }

    print("\nclean: \(size.sessions.count) sessions, \(events) events")
    print("  findings: \(found.values.reduce(0, +))")
    list("false findings", found)
    print("\nthe same with some of the hooks and up to three gaps")
    print("  findings but lost events: \(foundInParts.values.reduce(0, +))")
    list("false findings", foundInParts)
    print("\ncannot tell, of the rules that apply, in the first hundred sessions")
    for share in shares {
      print("  \(share.name): \(percent(share.doubts, share.applicable))")
    }
  }

  // MARK: Printing

  static func percent(_ part: Int, _ all: Int) -> String {
    guard all > 0 else { return "none" }
    // Downwards: all but one are not all.
    let hundredths = (Double(part) / Double(all) * 10_000).rounded(.down) / 100
    return "\(part) of \(all), \(hundredths) %"
  }

  private static func table(_ title: String, _ tallies: [String: Tally]) {
    print("\n\(title): all, found, by the expected rule")
    for (name, tally) in tallies.sorted(by: { $0.key < $1.key }) {
      let padding = String(repeating: " ", count: max(1, 44 - name.count))
      print("  \(name)\(padding)\(tally.all)  \(tally.found)  \(tally.expected)")
    }
  }

  static func list(_ title: String, _ counts: [String: Int]) {
    print("\n\(title)\(counts.isEmpty ? ": none" : "")")
    for (name, count) in counts.sorted(by: { ($1.value, $0.key) < ($0.value, $1.key) }) {
      print("  \(count)  \(name)")
    }
  }
}

extension RuleQuality.Tally {
  fileprivate mutating func add(_ isFound: Bool, _ isExpected: Bool) {
    all += 1
    if isFound { found += 1 }
    if isExpected { expected += 1 }
  }
}
