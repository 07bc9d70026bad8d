import Foundation
import LifecycleModel
import Testing
import LifecycleRules
import TraceAnalysis
import TraceText
import Traces

@testable import TraceReport

/// Results of many logs: they merge to the same, whatever the order, and a file of them is theirs.
@Suite struct ResultsTests {
  /// What the violating examples of the rules show, as the logs of many machines: some have the same
  /// name, some are the same log.
  private let examples: [(log: String, analysis: Analysis, vocabulary: Vocabulary)]

  init() {
    let notations = RuleRegistry.all.flatMap { $0.description.examples }.filter(\.isViolating)
      .map { $0.notation.replacing(String(RuleExample.mark), with: "") }
    let program = RuleProgram(statistics: true)
    examples = notations.enumerated().compactMap { index, notation in
      guard index % 4 == 0, let trace = try? TraceNotation.parse(notation) else { return nil }
      var analyzer = program.analyzer(trace.vocabulary)
      analyzer.observe(trace.events)
      return ("log\(index % 3).bin", analyzer.finish(), trace.vocabulary)
    }
  }

  /// What a baseline of some of the findings knows.
  private func baseline(_ generator: inout SeededGenerator) -> Baseline {
    var known = AnalysisResults()
    for _ in 0..<20 {
      guard let one = examples.randomElement(using: &generator) else { continue }
      known.merge(AnalysisResults(one.analysis, of: one.log, one.vocabulary))
    }
    return known.baseline()
  }

  private func results(_ generator: inout SeededGenerator) -> AnalysisResults {
    var results = AnalysisResults()
    for _ in 0..<Int.random(in: 0...30, using: &generator) {
      guard let one = examples.randomElement(using: &generator) else { continue }
      results.merge(AnalysisResults(one.analysis, of: one.log, one.vocabulary))
    }

    if generator.oneIn(2) {
      results.merge(
        AnalysisResults(
          unreadable: .init(log: "log\(Int.random(in: 0...3, using: &generator))", error: "e")))
    }

    if !generator.oneIn(3) { results.compare(with: baseline(&generator)) }
    return results
  }

  private func merged(_ all: AnalysisResults...) -> AnalysisResults {
    all.dropFirst().reduce(into: all[0]) { $0.merge($1) }
  }

  // MARK: The laws

  @Test(arguments: 0..<12) func mergingIsAssociativeAndCommutative(seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed)
    let (a, b, c) = (
      results(&generator), results(&generator), results(&generator)
    )
    let all = merged(a, b, c)
    #expect(all.logs == a.logs + b.logs + c.logs)
    #expect(merged(a, merged(b, c)) == all, "seed \(seed)")
    #expect(merged(c, b, a) == all && merged(b, a, c) == all, "seed \(seed)")
    #expect(merged(all, AnalysisResults()) == all && merged(AnalysisResults(), all) == all)
    let bytes = try JSONReport.text(all)
    #expect(try JSONReport.text(merged(c, merged(a, b))) == bytes)
    #expect(ResultsReport(merged(b, c, a)).text == ResultsReport(all).text)
  }

  /// A baseline can be applied by each shard, by some, or at last.
  @Test(arguments: 0..<8) func aBaselineMayComeAtAnyTime(seed: UInt64) {
    var generator = SeededGenerator(seed: 100 + seed)
    let known = baseline(&generator)
    let parts = (0..<4).map { _ in
      examples.randomElement(using: &generator).map {
        AnalysisResults($0.analysis, of: $0.log, $0.vocabulary)
      } ?? AnalysisResults()
    }

    var late = parts.reduce(into: AnalysisResults()) { $0.merge($1) }
    late.compare(with: known)
    var early = AnalysisResults()
    for var part in parts {
      part.compare(with: known)
      early.merge(part)
    }

    var once = parts[0]
    once.compare(with: known)
    for part in parts.dropFirst() { once.merge(part) }
    #expect(early == late && once == late, "seed \(seed)")
    #expect(late.comparison != nil && late.findings.allSatisfy { $0.baselineState != nil })
  }

  @Test(arguments: [0, 1, 2, 3, 7, 64, 100]) func aPileIsTheSumOfItsParts(count: Int) {
    var generator = SeededGenerator(seed: 5)
    var pile = ResultsPile()
    var sum = AnalysisResults()
    for _ in 0..<count {
      guard let one = examples.randomElement(using: &generator) else { continue }
      let results = AnalysisResults(one.analysis, of: one.log, one.vocabulary)
      pile.add(results)
      sum.merge(results)
    }
    #expect(pile.total == sum && sum.logs == count)
  }

  @Test func countsAddUp() throws {
    let one = examples[0]
    let single = AnalysisResults(one.analysis, of: "a.bin", one.vocabulary)
    var many = AnalysisResults()
    for index in 0..<50 {
      many.merge(AnalysisResults(one.analysis, of: "log\(index)", one.vocabulary))
    }

    #expect(many.logs == 50 && many.events == 50 * single.events)
    #expect(many.groups.map(\.count) == single.groups.map { 50 * $0.count })
    #expect(many.groups.allSatisfy { $0.logs == 50 && $0.examples.count == 20 })
    #expect(many.groups[0].examples[0].log == "log0")
    let known = single.baseline()
    many.compare(with: known)
    #expect(many.comparison?.known == known.entries.map(\.count).reduce(0, +))
    #expect(many.comparison?.new == 49 * known.entries.map(\.count).reduce(0, +))
  }

  /// One log's results say what its analysis says.
  @Test func oneLogIsJudgedAlikeByBoth() {
    var generator = SeededGenerator(seed: 9)
    for one in examples {
      let known = baseline(&generator)
      var analysis = one.analysis
      analysis.compare(with: known)
      let results = AnalysisResults(one.analysis, of: "x", one.vocabulary, known)
      #expect(results.comparison == analysis.comparison)
      #expect(results.worst == analysis.worst)
      let told = analysis.findings.map {
        ReportedFinding($0, of: "x", one.vocabulary, profile: analysis.profile)
      }
      // How a process ended stands with its verdict in the analysis, and with the finding here.
      var findings = results.findings
      for index in findings.indices { findings[index].ending = nil }
      #expect(findings == told.sorted { ($0.ordinal, $0.rule) < ($1.ordinal, $1.rule) })
    }
  }

  @Test func writingAgainKeepsWordsAndPruningKeepsTheRest() {
    let (first, second) = (examples[0], examples[8])
    let one = AnalysisResults(first.analysis, of: "x", first.vocabulary)
    var both = one
    both.merge(AnalysisResults(second.analysis, of: "y", second.vocabulary))
    var old = one.baseline().entries
    old[0].message = "as it was"

    let written = both.baseline(updating: Baseline(old))
    #expect(written.entries.contains { $0.message == "as it was" })
    #expect(Set(written.entries.map(\.fingerprint)) == Set(both.causes.map(\.fingerprint)))

    // Only what the rules of this log judged is taken out.
    let pruned = one.pruned(written)
    let judged = Set(one.rules.filter { $0.violated + $0.satisfied + $0.idle > 0 }.map(\.rule.id))
    #expect(
      Set(pruned.entries.map(\.fingerprint))
        == Set(
          written.entries.filter { entry in
            !judged.contains(entry.rule)
              || one.causes.contains { $0.fingerprint == entry.fingerprint }
          }.map(\.fingerprint)))
    #expect(both.pruned(written) == written)
  }

  // MARK: The file

  @Test(arguments: 0..<6) func aFileIsReadBack(seed: UInt64) throws {
    var generator = SeededGenerator(seed: 40 + seed)
    let results = results(&generator)
    let bytes = try JSONReport.text(results)
    let read = try JSONReport.read(bytes)
    #expect(read == results)
    #expect(try JSONReport.text(read) == bytes)
    #expect(ResultsReport(read).text == ResultsReport(results).text)
  }

  /// Also what is known of one log alone.
  @Test func oneLogIsReadBackWithAllThatIsKnownOfIt() throws {
    for one in examples {
      let results = AnalysisResults(one.analysis, of: "x", one.vocabulary)
      let bytes = try JSONReport.text(results)
      let read = try JSONReport.read(bytes)
      #expect(read == results && read.log != nil)
      #expect(try JSONReport.text(read) == bytes)
    }
  }

  private func failure(_ text: String) -> String {
    do {
      _ = try JSONReport.read(Array(text.utf8))
      return ""
    } catch {
      return error.description
    }
  }

  @Test func whatIsNoneIsTold() throws {
    for text in ["", "{}"] {
      #expect(
        failure(text).contains(
          "the file is truncated or damaged, or is not a results file; write it again"))
    }

    #expect(failure("{\"schema\":\"x\",\"version\":2}").contains("this is not a results file"))
    #expect(
      failure("{\"schema\":\"tracectl-analysis\",\"version\":4}").contains(
        "version 4 is newer than 3, the newest that this tracectl reads; update tracectl"))
    #expect(
      failure("{\"schema\":\"tracectl-analysis\",\"version\":2}").contains(
        "version 2 is older than 3 and lacks data that the merge needs; write it again"))
    #expect(
      failure("{\"schema\":\"tracectl-results\",\"version\":3}").contains(
        "an older tracectl wrote the file, and it lacks data that the merge needs; write it again"))
    #expect(
      failure("{\"schema\":\"tracectl-analysis\",\"version\":3}").contains(
        "the checksum at its end is missing; write it again"))

    let sealed = ResultsSeal.sealed(
      Array("{\"schema\":\"tracectl-analysis\",\"version\":3\n}\n".utf8))
    #expect(
      failure(String(decoding: sealed, as: UTF8.self)).contains(
        "damaged: logs is missing"))
  }

  @Test(arguments: [
    ("\"logs\" : 1,", "\"logs\" : -1,", "a count is not a number"),
    ("\"satisfied\" : 0", "\"satisfied\" : -9223372036854775808", "a count is not a number"),
    ("\"checks\" : 0", "\"checks\" : -1", "a count is not a number"),
    ("\"events\" : ", "\"events\" : 9999999999999999", "the event count is not valid"),
    ("\"count\" : 1,", "\"count\" : 0,", "contradict their counts"),
    ("\"log\" : \"x\"", "\"log\" : \"\\u001b[2J\"", "hidden characters"),
    ("\"severity\" : \"error\"", "\"severity\" : \"fatal\"", "damaged at causes.0.severity"),
    ("\"logs\" : 1,", "\"logs\" : \"1\",", "damaged: unexpected value at logs"),
    ("\"line\" : ", "\"sourceLine\" : 0, \"line\" : ", "contradict"),
    (
      "\"count\" : 1,\n      \"fingerprint\" : \"", "\"count\" : 1,\n      \"fingerprint\" : \"0",
      "no count"
    ),
  ])
  func whatContradictsItselfIsTold(old: String, new: String, words: String) throws {
    let one = try #require(
      examples.first { $0.analysis.findings.contains { $0.severity == .error } })
    let results = AnalysisResults(one.analysis, of: "x", one.vocabulary)
    let text = String(decoding: try JSONReport.text(results), as: UTF8.self)
    #expect(failure(text) == "")

    let changed = text.replacing(old, with: new)
    #expect(changed != text)
    #expect(failure(changed).contains("changed after it was written: its checksum does not match"))

    // Also when the checksum was made to fit.
    let end = try #require(changed.range(of: ",\n  \"check\""))
    let sealed = ResultsSeal.sealed(Array((changed[..<end.lowerBound] + "\n}\n").utf8))
    let told = failure(String(decoding: sealed, as: UTF8.self))
    #expect(told.contains(words), "\(told)")
  }

  /// The CRC-32 of `123456789` is in every book.
  @Test func theSealIsTheOneOfTheArticle() {
    let sealed = ResultsSeal.sealed(Array("123456789\n}\n".utf8))
    #expect(
      String(decoding: sealed, as: UTF8.self)
        == "123456789,\n  \"check\" : {\"bytes\" : 9, \"crc32\" : \"cbf43926\"}\n}\n")
    #expect(ResultsSeal.fits(sealed) && !ResultsSeal.fits(sealed + [0x0a]))
    #expect(!ResultsSeal.fits([]) && !ResultsSeal.fits(Array(sealed.dropLast())))
    let labels = Array("1,\n  \"check\" : {\"bytes\" : 9, \"crc32\" : \"cbf43926\"}\n}\n".utf8)
    #expect(ResultsSeal.fits(ResultsSeal.sealed(labels)))
  }

  /// A file that was cut or changed is told, wherever that is.
  @Test func everyDamageIsTold() throws {
    let one = examples[0]
    let bytes = try JSONReport.text(AnalysisResults(one.analysis, of: "x", one.vocabulary))
    var generator = SeededGenerator(seed: 1)
    for _ in 0..<150 {
      var damaged = bytes
      let place = Int.random(in: 0..<bytes.count, using: &generator)
      if generator.oneIn(3) {
        damaged.removeLast(bytes.count - place)
      } else {
        damaged[place] ^= UInt8.random(in: 1...255, using: &generator)
      }
      let error = #expect(throws: JSONReport.Failure.self) { try JSONReport.read(damaged) }
      #expect(error?.description.contains("; write it again") ?? false, "\(place)")
    }
  }

  /// What a program wrote that knows the checksum, and nothing else of the file, is read or told; what
  /// is read can be merged and reported.
  @Test func whatIsSealedAndWrongIsReadOrTold() throws {
    let one = examples[0]
    let bytes = try JSONReport.text(AnalysisResults(one.analysis, of: "x", one.vocabulary))
    let text = String(decoding: bytes, as: UTF8.self)
    let end = try #require(text.range(of: ",\n  \"check\""))
    let content = Array((text[..<end.lowerBound] + "\n}\n").utf8)
    var generator = SeededGenerator(seed: 2)
    var told = 0

    for _ in 0..<150 {
      var damaged = content
      damaged[Int.random(in: 0..<content.count - 3, using: &generator)] =
        UInt8.random(in: 0...255, using: &generator)
      do {
        var read = try JSONReport.read(ResultsSeal.sealed(damaged))
        read.merge(read)
        _ = ResultsReport(read).text
      } catch {
        told += 1
        #expect(error.description.contains(";"))
      }
    }
    #expect(told > 30)
  }
}
