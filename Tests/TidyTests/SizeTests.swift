import Testing
import Tidy

/// How large files and functions are.
@Suite struct SizeTests {
  private static let longestFile = 600
  private static let longestFunction = 70

  @Test func noFileIsTooLong() throws {
    for file in try Tree.code where file.lines.count > Self.longestFile {
      Tree.complain(
        file, file.lines.count,
        "the file has \(file.lines.count) lines; split it by what it is about, at \(Self.longestFile)"
      )
    }
    #expect(try Tree.code.count > 500, "the tree is not read")
  }

  /// A reader of one's own fits on a few pages: that is what the second reader shows of the format.
  @Test func theSecondReaderIsShort() throws {
    let reader = try #require(try Tree.files.first { $0.path == "tools/read_log.py" })
    #expect(
      reader.lines.count <= 325,
      "\(reader.path) has \(reader.lines.count) lines; find what it can do without, at 325")
  }

  /// Nine in ten files are read at one sitting.
  @Test(arguments: [("Sources", 240), ("Tests", 260)])
  func mostFilesAreShort(folder: String, limit: Int) throws {
    let files = TreeMeasure(try Tree.whole.get(), folder).files
    #expect(
      files.ninetieth <= limit,
      "\(folder): one file in ten has more than \(files.ninetieth) lines; split the longest")
  }

  @Test func noFunctionIsLongerThanAScreen() throws {
    for file in try Tree.code {
      for function in file.functions where function.length > Self.longestFunction {
        Tree.complain(
          file, function.line,
          "this has \(function.length) lines; give its parts names, at \(Self.longestFunction)")
      }
    }
  }

  /// A share that only rises: whoever writes paragraphs raises it.
  @Test(arguments: [("Sources", 67), ("Tests", 69)])
  func longFunctionsGetParagraphs(folder: String, percent: Int) throws {
    let measure = TreeMeasure(try Tree.whole.get(), folder)
    let share = measure.withParagraphs * 100 / measure.long
    #expect(
      share >= percent,
      """
      \(folder): \(measure.withParagraphs) of \(measure.long) functions with more than \
      \(SourceFunction.longBody) lines have a blank line between two thoughts; \(percent) % had one
      """)

    #expect(
      share <= percent + 5,
      "\(folder): \(share) % have paragraphs; write that figure into this test")
  }

  @Test func functionsAreFoundAsTheFormatterLaysThemOut() {
    let file = SourceFile(
      path: "A.swift",
      text: """
        protocol A {
          func a() -> Int
          var b: Int { get }
        }
        struct B: A {
          var b: Int { 1 }
          var stored = [1, 2].map {
            $0 + 1
          }
          func a() -> Int {
            let text = \"\"\"
              func no() {
            }
            \"\"\"

            return text.count
          }
          init(
            _ first: Int
          ) where Int: Equatable
          {
            b = first
          }
        }
        """)
    let found = file.functions
    #expect(found.map(\.line) == [6, 10, 18])
    #expect(found.map(\.length) == [1, 8, 6])
    #expect(found.map(\.body.count) == [0, 6, 1])
    #expect(found.map(\.hasParagraphs) == [false, true, false])
  }

  @Test func examplesOfRulesAreCounted() {
    let text = """
      struct ARule: Rule {
        static let description: RuleDescription = .init(
          examples: \"\"\"
            clean: a
            0s - note
            \"\"\"
        )
      }
      """
    #expect(SourceFile(path: "Rules/ARule.swift", text: text).exampleLines == 4)
    #expect(SourceFile(path: "Other.swift", text: text).exampleLines == 0)
  }
}
