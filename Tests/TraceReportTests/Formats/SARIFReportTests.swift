import LifecycleModel
import Testing
import LifecycleRules
import TraceAnalysis

@testable import TraceReport
@testable import TraceResults

@Suite struct SARIFReportTests {
  private func run(_ results: AnalysisResults) throws -> JSON {
    try JSON(SARIFReport(results, toolVersion: "1.2.3").text)["runs"][0]
  }

  /// The rules of findings, and no others.
  @Test func everyRuleThatIsNamedDescribesItself() throws {
    let results = try FormatBench.sample().results
    let driver = try run(results)["tool"]["driver"]
    #expect(driver["name"].text == "tracectl" && driver["semanticVersion"].text == "1.2.3")
    let rules = RuleRegistry.all.map(\.description).filter { rule in
      results.rules.contains { $0.rule.id == rule.id && $0.violated > 0 }
    }
    #expect(driver["rules"].list.map(\.["id"].text) == rules.map(\.id) && rules.count > 3)
    for (rule, described) in zip(driver["rules"].list, rules) {
      #expect(rule["shortDescription"]["text"].text == described.summary)
      #expect(rule["fullDescription"]["text"].text == described.why)
      #expect(rule["help"]["text"].text == described.remedy)
      #expect(rule["properties"]["number"].number == described.number)
      // What code scanning asks for: a text and Markdown, at most 1024 characters, its own words.
      #expect(rule["help"]["markdown"].text?.isEmpty == false)
      #expect(described.why.count <= 1024 && described.summary.count <= 1024)
      let word = described.severity == .info ? "recommendation" : described.severity.rawValue
      #expect(rule["properties"]["problem.severity"].text == word)
      let tags = rule["properties"]["tags"].list.map(\.text)
      let family = described.number == nil ? [] : [described.id.prefix { $0 != "-" }]
      #expect(tags == ["app-lifecycle"] + family.map { String($0) })
      let level = described.severity == .info ? "note" : described.severity.rawValue
      #expect(rule["defaultConfiguration"]["level"].text == level)
    }
  }

  @Test func everyFindingIsAResultOfItsOwnRule() throws {
    let run = try run(FormatBench.sample().results)
    let results = run["results"].list
    #expect(
      results.compactMap(\.["ruleId"].text) == [
        "task-leak-at-suspend", "task-one-end", "task-end-in-expiration", "budget-assertion-total",
        "budget-did-enter-background", "work-timer-while-inactive",
      ])

    #expect(
      results.compactMap(\.["level"].text) == ["error", "error", "error", "error"]
        + ["warning", "warning"])
    for result in results {
      let index = try #require(result["ruleIndex"].number)
      #expect(run["tool"]["driver"]["rules"][index]["id"].text == result["ruleId"].text)
    }

    // What stands under another finding says so.
    #expect(results.map { $0["relatedLocations"].list.count } == [0, 1, 1, 1, 0, 0])
    let related = results[1]["relatedLocations"][0]["message"]["text"].text
    #expect(related?.hasPrefix("has the same cause: task-leak-at-suspend: task:1") == true)
    #expect(results.compactMap(\.["occurrenceCount"].number) == [1, 1, 1, 1, 1, 3])
    #expect(results[4]["properties"]["elapsed"].number == 3_790_000_000)
    #expect(results[4]["properties"]["allowed"].number == 5_000_000_000)

    let place = results[4]["locations"][0]
    #expect(place["physicalLocation"]["artifactLocation"]["uri"].text == "logs/run.bin")
    #expect(place["physicalLocation"]["region"].isAbsent)
    #expect(
      place["logicalLocations"].list.map(\.["fullyQualifiedName"].text) == ["app", "main#13"])
  }

  @Test func theWitnessesAreFlowsOfTheirThreadsInTheOrderOfTime() throws {
    let result = try run(FormatBench.sample().results)["results"][0]
    let flows = result["codeFlows"][0]["threadFlows"].list
    #expect(flows.map(\.["id"].text) == ["main", "-"])
    let steps = flows.flatMap(\.["locations"].list)
      .filter { $0["properties"]["role"].text != "missing" }
    #expect(steps.map(\.["executionOrder"].number) == [0, 1])
    #expect(steps.map(\.["properties"]["role"].text) == ["culprit", "closes"])
    #expect(
      steps.map(\.["properties"]["instant"].number) == [12_600_000_000, 46_100_000_000])
    #expect(steps.map(\.["importance"].text) == ["essential", "important"])
    #expect(
      steps[1]["location"]["message"]["text"].text?.hasPrefix("closes: 46.1s ") == true)
    // An instant is no date.
    #expect(steps.allSatisfy { $0["executionTimeUtc"].isAbsent })
  }

  @Test func theFingerprintIsTheFindings() throws {
    let bench = try FormatBench.sample()
    let prints = try run(bench.results)["results"].list.map(\.["partialFingerprints"])
    let expected = bench.analysis.allFindings.map(\.fingerprint)
    #expect(prints.map(\.["causal/v1"].text) == expected)
    #expect(prints.map(\.["primaryLocationLineHash"].text) == expected)
  }

  @Test func baselineStatesHaveTheStandardsWords() throws {
    var bench = try FormatBench.sample()
    let without = try run(bench.results)["results"].list
    #expect(without.allSatisfy { $0["baselineState"].isAbsent && $0["suppressions"].isAbsent })
    bench.compare("task-leak-at-suspend", .known)
    bench.compare("budget-did-enter-background", .new)
    let states = try run(bench.results)["results"].list.map(\.["baselineState"].text)
    #expect(states == Array(repeating: "unchanged", count: 4) + ["new", nil])
  }

  @Test func whenOneIsSuppressedEachSaysWhetherItIs() throws {
    var bench = try FormatBench.sample()
    bench.accept("work-timer-while-inactive", "by design", at: "ci/a b.yml:12")
    let results = try run(bench.results)["results"].list
    #expect(results.map { $0["suppressions"].list.count } == [0, 0, 0, 0, 0, 1])
    #expect(results.allSatisfy { !$0["suppressions"].isAbsent })

    let suppression = results[5]["suppressions"][0]
    #expect(suppression["kind"].text == "external" && suppression["status"].text == "accepted")
    #expect(suppression["justification"].text == "by design")
    let place = suppression["location"]["physicalLocation"]
    #expect(place["artifactLocation"]["uri"].text == "ci/a%20b.yml")
    #expect(place["region"]["startLine"].number == 12)
  }

  @Test func whatIsNoResultIsANotification() throws {
    var results = try FormatBench.sample().results
    let clean = try run(results)["invocations"][0]
    #expect(clean["executionSuccessful"].value as? Bool == true)
    let notes = clean["toolExecutionNotifications"].list
    #expect(notes.allSatisfy { $0["level"].text == "note" })
    // Rules with the same reasons share a note.
    let texts = notes.compactMap(\.["message"]["text"].text)
    let doubtful = results.rules.filter(\.isDoubtful).map(\.rule.id)
    #expect(doubtful.count == 10 && texts.count < 10 && Set(texts).count == texts.count)
    for rule in doubtful {
      let words = texts.filter { $0.contains(" cannot tell: ") }
        .map { $0.prefix { $0 != ":" }.split(whereSeparator: { ", ".contains($0) }) }
      #expect(words.count { $0.contains(Substring(rule)) } == 1, "\(rule)")
    }
    #expect(texts.contains { $0.hasSuffix("cannot tell: the profile does not state sdk") })
    results.merge(AnalysisResults(unreadable: .init(log: "b.bin", error: "the file is empty")))

    let partial = try run(results)["invocations"][0]
    #expect(partial["executionSuccessful"].value as? Bool == false)
    let first = partial["toolExecutionNotifications"][0]
    #expect(first["level"].text == "error")
    #expect(first["message"]["text"].text == "cannot be read: the file is empty")
  }

  @Test func whatIsFixedIsANotification() throws {
    let results = try FormatBench.sample().results(fixed: FormatBench.fixed)
    let run = try run(results)
    #expect(run["results"].list.allSatisfy { $0["baselineState"].text == "unchanged" })
    let last = run["invocations"][0]["toolExecutionNotifications"].list.last
    #expect(last?["message"]["text"].text == "fixed: 2 × budget-resign: it took 3s")
    #expect(last?["associatedRule"]["id"].text == "budget-resign")
  }

  @Test(arguments: [
    ("log.bin", "log.bin"), ("a b/ü.bin", "a%20b/%C3%BC.bin"), ("/tmp/x", "file:///tmp/x"),
    ("c:d.bin", "c%3Ad.bin"), ("50%.bin", "50%25.bin"), ("a?b#c", "a%3Fb%23c"), ("-", "-"),
    ("a\n<b>", "a%0A%3Cb%3E"),
  ]) func aPathIsAURI(path: String, uri: String) throws {
    let results = try FormatBench(FormatBench.hole, log: path).results
    let place = try run(results)["results"][0]["locations"][0]["physicalLocation"]
    #expect(place["artifactLocation"]["uri"].text == uri)
    let description = place["artifactLocation"]["description"]["text"].text
    #expect(description == (path == "-" ? "standard input" : nil))
  }

  @Test func bracesAndBracketsOfALabelAreNeitherArgumentsNorLinks() throws {
    let results = try FormatBench(
      """
      0s - profile mode=app os=18.2 hooks=app-delegate,work
      1s main call applicationDidEnterBackground app
      2s main work timer app "{0} [x](1)"
      """
    ).results
    let texts = try run(results)["results"].list.compactMap(\.["message"]["text"].text)
    #expect(texts.contains { $0.contains(#"the timer "{{0}} \[x\](1)" of app"#) }, "\(texts)")
  }
}
