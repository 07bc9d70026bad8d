import Foundation
import Testing

/// No command believes a misspelt log in silence.
@Suite struct UnknownWordsCommandTests {
  private let scratch: ScratchFolder

  init() throws {
    scratch = try ScratchFolder()
    try scratch.file(
      "slip.trace",
      """
      0s - profile mode=app hooks=app-delegate,sytem

      1s main cal applicationDidFinishLaunching app
      2s main call applicationDidFinishLaunching app
      3s main return applicationDidFinishLaunching app

      """)
  }

  private func run(_ arguments: String...) throws -> CommandRun {
    try CommandRun(arguments, in: scratch.url)
  }

  private let hook = "unknown hook sytem; did you mean system? (line 1)"
  private let verb = "unknown verb cal; did you mean call? (line 3)"

  @Test func everyFormOfReportTellsThem() throws {
    let text = try run("analyze", "-v", "slip.trace", "--fail-on", "never")
    #expect(text.status == 0)
    #expect(text.output.contains("Unknown words\n  \(hook)\n  \(verb)\n"), "\(text.output)")
    let json = try run("analyze", "slip.trace", "--format", "json").output
    #expect(json.contains("\"unknownWords\"") && json.contains(verb))

    let github = try run("analyze", "slip.trace", "--format", "github").output
    #expect(
      github.contains("::notice file=slip.trace,line=3,title=tracectl%3A unknown word::\(verb)"),
      "\(github)")
    #expect(try run("analyze", "slip.trace", "--format", "markdown").output.contains("- `\(verb)`"))
    let dump = try run("dump", "slip.trace")
    #expect(dump.status == 0 && dump.errors == "tracectl: \(hook)\ntracectl: \(verb)\n")
    #expect(dump.output.contains("cal           applicationDidFinishLaunching app"))
  }

  @Test func underStrictTheyFail() throws {
    try scratch.file(
      "good.trace",
      """
      0s - profile mode=app hooks=app-delegate,system
      0s - process.start app
      1s main call applicationDidFinishLaunching app
      1.1s main return applicationDidFinishLaunching app

      """)
    #expect(try run("analyze", "-v", "good.trace", "--strict").status == 0)
    #expect(try run("analyze", "-v", "slip.trace", "--strict").status == 4)
    #expect(try run("analyze", "-v", "slip.trace", "good.trace", "--strict").status == 4)
    #expect(try run("analyze", "-v", "slip.trace").status == 0)
  }

  @Test func manyLogsTellThemToo() throws {
    try scratch.file("other.trace", "0s - profile hooks=work\n1s main work timr app\n")
    let run = try run("analyze", "-v", "slip.trace", "other.trace")
    #expect(
      run.output.contains(
        """
        Unknown words
          other.trace: unknown category of work timr; did you mean timer? (line 2)
          slip.trace: \(hook)
          slip.trace: \(verb)

        """), "\(run.output)")
  }

  /// A binary log has no lines; its events have numbers.
  @Test func aBinaryLogTellsThemByNumber() throws {
    let recorded = try self.run(
      "record", "-q", "--source", "trace", "-o", "slip.bin", "slip.trace")
    #expect(recorded.errors.contains("unknown verb cal; did you mean call? (main#1)\n"))
    let run = try run("dump", "slip.bin")
    #expect(
      run.errors.contains("tracectl: unknown verb cal; did you mean call? (main#1)\n"),
      "\(run.errors)")
  }

  @Test func aSlipInAMemberOfNDJSONIsTold() throws {
    try scratch.file(
      "a.ndjson", "{\"t\":0,\"writer\":\"main\",\"verb\":\"note\",\"lable\":\"x\"}\n")
    let run = try run("dump", "a.ndjson")
    #expect(
      run.errors
        == "tracectl: the unknown key lable is kept as an attribute; did you mean label? (line 1)\n",
      "\(run.errors)")
  }
}
