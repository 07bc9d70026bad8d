import Foundation
import Testing

/// Examples in Swift compile: those of the documents, and those in comments of the sources.
///
/// A block that imports a module is a whole file. One that does not, such as two lines of a manifest,
/// is not checked.
@Suite(.enabled(if: CommandRun.machineHas("swiftc"), "there is no swiftc on the PATH"))
struct CodeExampleTests {
  /// A whole file of an example.
  struct Example: CustomTestStringConvertible, Sendable {
    /// The file that has it, and its line.
    let place: String
    let code: String

    var testDescription: String { place }

    var isComplete: Bool { code.contains(/(^|\n)import \w/) }
  }

  static let examples = (inDocuments + inSources).filter(\.isComplete)

  private static let inDocuments = MarkdownFile.all.flatMap { file in
    file.blocks.filter { $0.language == "swift" }
      .map { Example(place: "\(file.path):\($0.line)", code: $0.text) }
  }

  private static let inSources = MarkdownFile.paths(ending: ".swift")
    .filter { $0.hasPrefix("Sources/") }.flatMap(examples)

  /// The fenced examples in the documentation comments of a file.
  private static func examples(inFile path: String) -> [Example] {
    let file = CommandRun.root.appendingPathComponent(path)
    guard let text = try? String(contentsOf: file, encoding: .utf8) else { return [] }

    var examples: [Example] = []
    var open: (line: Int, code: [Substring])?
    for (index, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated()
    {
      guard let comment = line.firstMatch(of: /^ *\/\/\/ ?(.*)$/)?.1 else { continue }
      if comment == "```swift" {
        open = (index + 1, [])
      } else if comment == "```", let (line, code) = open {
        examples.append(Example(place: "\(path):\(line)", code: code.joined(separator: "\n")))
        open = nil
      } else {
        open?.code.append(comment)
      }
    }
    return examples
  }

  @Test func theTypesThatPeopleTouchHaveExamples() {
    let code = Self.examples.filter { $0.place.hasPrefix("Sources/") }.map(\.code)
    let types = [
      "Recorder.open", "previousRun", "TestRecording(", "LogReader(", "RotatingLog(", "Trace(log:",
      "TraceNotation.parse", "NDJSON.", "ConsoleSource(", "Analyzer(", "Analyzer.analyze(",
      "_ finding: Finding", "RuleDescription(", "RuleRegistry.all", "Baseline(",
      "ConfigurationFiles.", "AnalysisResults(", "ReportForm.", "LifecycleDriver {",
      "LifecycleLogHandler(",
    ]
    #expect(types.filter { type in !code.contains { $0.contains(type) } } == [])
  }

  @Test(arguments: examples) func itCompiles(example: Example) throws {
    let scratch = try ScratchFolder()
    let file = try scratch.file("main.swift", example.code + "\n")
    let compiled = try Self.typecheck([file.path])
    #expect(compiled.status == 0, "\(example.place):\n\(compiled.errors)")
  }

  /// Checks files as those of another package, against the modules that were built beside the tests.
  static func typecheck(_ files: [String]) throws -> CommandRun {
    let modules = products.appendingPathComponent("Modules").path
    return try CommandRun(
      program: ["swiftc", "-typecheck", "-swift-version", "6", "-I", modules]
        + moduleMaps.flatMap { ["-Xcc", "-fmodule-map-file=\($0)"] } + files)
  }

  // MARK: What was built beside the tests

  private static let products = CommandRun.command.deletingLastPathComponent()

  /// The C modules that ours import: those of the package, and those of packages that were fetched.
  private static let moduleMaps: [String] = {
    let folders = sequence(first: products) {
      $0.path == "/" ? nil : $0.deletingLastPathComponent()
    }
    let checkouts = folders.map { $0.appendingPathComponent("checkouts") }
      .first { FileManager.default.fileExists(atPath: $0.path) }
    var maps = [
      products.appendingPathComponent("CPage.build/module.modulemap").path,
      products.appendingPathComponent("CPlatform.build/module.modulemap").path,
      CommandRun.root.appendingPathComponent("Sources/CYAML/module.modulemap").path,
      CommandRun.root.appendingPathComponent("Sources/CZlib/module.modulemap").path,
    ]
    guard let checkouts else { return maps }
    let shims = "swift-numerics/Sources/_NumericsShims/include/module.modulemap"
    maps.append(checkouts.appendingPathComponent(shims).path)
    return maps
  }()
}
