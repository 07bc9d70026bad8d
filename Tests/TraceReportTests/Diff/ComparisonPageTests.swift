import LifecycleModel
import LifecycleRules
import Testing
import TraceAnalysis
import TraceText

@testable import TraceReport

/// The page that compares runs.
@Suite struct ComparisonPageTests: ComparesLives {
  private static let orders = DocumentedOrders(RuleRegistry.all)

  /// A side of one run, with its episodes.
  private struct Run {
    var side = DiffSide()
    let trace: Trace
    let places: EpisodePlaces

    init(_ notation: String, name: String = "run.trace") throws {
      trace = try TraceNotation.parse(notation)
      var collector = EpisodeCollector(
        trace.vocabulary, orders, into: side.run.counts, places: EpisodePlaces())
      collector.observe(trace.events)
      collector.finish()
      places = try #require(collector.places)
      side.run.counts = collector.counts
      side.run.merge(collector.recording)

      let analysis = Analyzer.analyze(trace)
      side.add(
        AnalysisResults(analysis, of: name, trace.vocabulary), of: name, analysis)
    }

    func sketch(_ kind: String) -> EpisodeSketch? {
      guard let place = places.median(of: kind) else { return nil }
      var sketches = EpisodeSketches([place.extent], trace.vocabulary)
      _ = sketches.draw(trace.events)
      sketches.finish()
      return sketches.sketches[0]
    }

    func episode(_ kind: String) -> EpisodePair.Side? {
      sketch(kind).map { EpisodePair.Side($0, of: 8, log: "run.trace") }
    }
  }

  private func page(_ first: String, _ second: String) throws -> String {
    let (a, b) = (try Run(first), try Run(second))
    let comparison = RunComparison(a.side, b.side, Self.orders)
    let pairs = ComparisonPage.kinds(comparison).map {
      EpisodePair($0, a.episode($0), b.episode($0))
    }
    return ComparisonPage(comparison, a.side, b.side, pairs).html
  }

  /// The texts of the elements that begin so.
  private func parts(_ page: String, from start: String, to end: String) -> [String] {
    page.components(separatedBy: start).dropFirst().map {
      $0.components(separatedBy: end)[0]
    }
  }

  // MARK: What it tells

  @Test func everyRowHasANumberAndFlagsLeadToIt() throws {
    let page = try page(life(), life(timers: ["tick", "planted"], background: 100))
    let rows = parts(page, from: "<li id=\"row-", to: "</li>")
    #expect(rows.count == 2)
    #expect(rows.contains { $0.contains("<code>work timer app &quot;planted&quot;</code>") })
    #expect(
      rows.contains {
        $0.contains("<b class=\"change\">slower</b>") && $0.contains("10ms → 100ms")
      }, "\(rows)")

    // What is new has a flag in B alone, what is slower in both.
    let figures = parts(page, from: "<figure class=\"episode\"", to: "</figure>")
    let flags = figures.map { parts($0, from: "<a href=\"#row-", to: "\"").sorted() }
    #expect(figures.count == 2 && flags.map(\.count).sorted() == [1, 2], "\(flags)")
    for (figure, row) in zip(figures, rows) {
      let number = try #require(row.first)
      #expect(figure.contains("<a href=\"#row-\(number)\""))
    }
  }

  @Test func aKindThatOneSideLacksIsSaid() throws {
    let hooks = "app-delegate,work,system"
    let asleep = ["990s - suspend app", "999s - resume app"]
    let page = try page(life(hooks: hooks), life(hooks: hooks, last: asleep))
    #expect(page.contains("<p class=\"soft\">A has no such episode.</p>"))
    #expect(page.contains("turn background→suspended"))
  }

  @Test func bothEndsStandInFront() throws {
    let end = "995s - kill app code=0x8badf00d namespace=SPRINGBOARD"
    let page = try page(life(last: ["995s - exit app status=0"]), life(last: [end]))
    let header = try #require(parts(page, from: "<header", to: "</header>").first)
    #expect(header.hasPrefix(" class=\"error\"><p class=\"kind\">Worse</p>"))
    #expect(header.contains("<h1>B died, A did not: killed by the watchdog"))
    #expect(header.contains("<dt>A ended</dt><dd>"))
    #expect(header.contains("<dt>B ended</dt><dd>killed by the watchdog (0x8badf00d)"))
  }

  /// A log that ends before the other app died says nothing of its own app's end.
  @Test func anEndThatIsNotInItsLogIsNotPraised() throws {
    let end = "995s - kill app code=0x8badf00d namespace=SPRINGBOARD"
    let page = try page(life(last: [end]), life())
    let header = try #require(parts(page, from: "<header", to: "</header>").first)
    #expect(header.hasPrefix(" class=\"unknown\"><p class=\"kind\">Nothing certain</p>"))
    #expect(
      header.contains("B's end is not in its log")
        || header.contains("B&#39;s end is not in its log"))
    #expect(header.contains("<dt>B ended</dt><dd>not in its log</dd>"))
  }

  /// An app that died in both is not praised for having no difference.
  @Test func theSameDeathIsNotGood() throws {
    let end = "995s - kill app code=0x8badf00d namespace=SPRINGBOARD"
    let page = try page(life(last: [end]), life(last: [end]))
    #expect(page.contains("<header class=\"unknown\">") && page.contains("both: killed by"))
    let calm = try self.page(life(), life())
    #expect(calm.contains("<header class=\"good\"><p class=\"kind\">The same</p>"))
    #expect(calm.contains("<p>Nothing differs in the episodes.</p>") && !calm.contains("<figure"))
  }

  // MARK: What it is made of

  @Test func nothingOfALogIsMarkup() throws {
    let hostile = "</code><script>x</script><img src=x onerror=y>\u{202e}\u{1b}[m\"'&"
    let page = try page(life(), life(timers: ["tick", hostile]))
    #expect(!page.contains("<script") && !page.contains("<img") && !page.contains("\u{202e}"))
    #expect(page.contains("&lt;script&gt;x&lt;/script&gt;"))
    #expect(InertText.isInert(page.replacing("\n", with: " ")))
  }

  @Test func itNeedsNoScriptAndNoStyleAttribute() throws {
    let page = try page(life(), life(timers: ["tick", "planted"], background: 100))
    let policy = try #require(
      page.firstMatch(of: #/Content-Security-Policy" content="([^"]*)"/#)?.output.1
    )
    .replacing("&#39;", with: "'")
    #expect(policy.hasPrefix("default-src 'none'; style-src 'sha256-"))
    #expect(!policy.contains("script-src") && !page.contains(" style=\""))
    #expect(policy.contains(PagePolicy.hash(PageSource.comparisonStyle)))
    #expect(page.utf8.count < 64 * 1024, "\(page.utf8.count)")
  }

  @Test func theSameRunsGiveTheSameBytes() throws {
    let (first, second) = (life(), life(timers: ["tick", "planted"], background: 100))
    #expect(try page(first, second) == page(first, second))
  }

  // MARK: Sketches

  /// Bars that reach out of the episode end with it, and what ended before is not in it.
  @Test func aSketchHasTheEpisodeAlone() throws {
    let kind = "turn active→inactive→background"
    let sketch = try #require(try Run(life()).sketch(kind))
    let bars = sketch.changes.compactMap { change -> String? in
      guard case .end(let bar, let end) = change else { return nil }
      let length = end.instant.since(max(bar.begin, sketch.extent.times.lowerBound))
      let word = LaneText(sketch.vocabulary).text(bar)
      return "\(sketch.lanes[bar.lane].title): \(word) \(TimeText.span(length))"
    }

    #expect(
      bars.sorted() == [
        // The app is inactive when the callback that says so is over.
        "App: active 1ms", "App: background 10ms", "App: inactive 1ms",
        "Main thread: applicationDidEnterBackground 10ms",
        "Main thread: applicationWillResignActive 1ms", "System: process 12ms",
      ])
    #expect(sketch.events == 4 && !sketch.isCut)
    let tokens = sketch.first.keys.map(\.text).sorted()
    #expect(
      tokens == [
        "call applicationDidEnterBackground app", "call applicationWillResignActive app",
        "return applicationDidEnterBackground app", "return applicationWillResignActive app",
      ])
  }
}
