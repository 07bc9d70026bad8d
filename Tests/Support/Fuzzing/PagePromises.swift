import LifecycleModel
import LifecycleRules
import TraceAnalysis
import TraceReport
import TraceText

/// What must hold for the page of any trace: no text of it is markup, or anything that a browser or an
/// editor acts on.
enum PagePromises {
  /// Reads notation, makes the page of what can be read, and takes it apart.
  static func check(_ bytes: [UInt8]) throws {
    let (trace, _) = try TextPromises.read(bytes, .notation, chunk: 1 << 20)
    guard let html = page(trace) else { return }
    try checkCharacters(html)

    var scanner = MarkupScanner(html)
    try scanner.scan()
    try hold(scanner.styles == 1 && scanner.scripts == 2, "there are further scripts or styles")
  }

  /// The page of a trace; `nil` when it has nothing to show.
  private static func page(_ trace: Trace) -> String? {
    var analyzer = RuleProgram.catalogue.analyzer(trace.vocabulary)
    analyzer.observe(trace.events)
    let analysis = analyzer.finish()
    let results = AnalysisResults(analysis, of: "log.trace", trace.vocabulary)
    var instants = StoryInstants()
    instants.observe(trace.events)
    guard analysis.eventCount > 0, let axis = instants.axis(.story, analysis, in: nil) else {
      return nil
    }

    let part = PagePart(on: axis, in: nil, stretches: nil)
    var drawing = PageDrawing(results, analysis, part, trace.vocabulary)
    drawing.draw(trace.events)
    return drawing.finish((moment: "a", part: "b", findings: "c"))
  }

  /// No control character but ends of lines, and none that turns the direction of text.
  private static func checkCharacters(_ html: String) throws {
    for line in html.utf8.split(separator: UInt8(ascii: "\n")) {
      let isPlain = line.allSatisfy { (0x20..<0x7f).contains($0) }
      try hold(isPlain || isHarmless(String(Substring(line))), "hidden characters are in the page")
    }
  }

  private static func isHarmless(_ line: String) -> Bool {
    line.unicodeScalars.allSatisfy {
      $0.properties.generalCategory != .control && !$0.properties.isBidiControl
    }
  }
}
