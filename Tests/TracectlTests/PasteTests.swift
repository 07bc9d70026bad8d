import Foundation
import Testing

/// What strangers paste, and the answer to it: the files of `Tests/Inputs/pastes`.
@Suite struct PasteTests {
  private static let folder = CommandRun.root.appending(path: "Tests/Inputs/pastes")
  private let scratch: ScratchFolder

  init() throws { scratch = try ScratchFolder() }

  @Test func eachIsAnsweredAsItsVerdictSays() throws {
    let names = try FileManager.default.contentsOfDirectory(atPath: Self.folder.path)
      .filter { $0 != "verdicts.txt" && $0 != "README.md" }.sorted()
    #expect(names.count >= 37)
    let answers = try names.map { name in
      let run = try CommandRun("analyze", "--config", "none", name, in: Self.folder)
      let isRefused = name.hasPrefix("refused-")
      #expect(isRefused ? run.status == 3 : run.status < 2, "\(name): \(run.errors)")
      let words = run.errors.split(separator: "\n").map { "! " + $0 }
      let answer = run.output.split(separator: "\n").map(String.init)
      return ([name] + words + answer).joined(separator: "\n  ")
    }
    try Snapshot.expect(
      answers.joined(separator: "\n\n") + "\n", at: Self.folder.appending(path: "verdicts.txt"))
  }

  /// What PowerShell makes of a console that is redirected to a file.
  @Test func aConsoleInUTF16IsRead() throws {
    let name = "console-html-escaped.log"
    let text = try String(contentsOf: Self.folder.appending(path: name), encoding: .utf8)
      .replacing("\n", with: "\r\n")
    let bytes = try #require(("\u{feff}" + text).data(using: .utf16LittleEndian))
    try bytes.write(to: scratch.url.appending(path: name))
    let wide = try CommandRun("analyze", "-v", "--config", "none", name, in: scratch.url)
    let plain = try CommandRun("analyze", "-v", "--config", "none", name, in: Self.folder)
    #expect(wide.status == plain.status && wide.output == plain.output, "\(wide.errors)")
  }

  @Test func aTextWithoutEvidenceIsRefusedWithWhatWouldHelp() throws {
    try scratch.file("prose.md", "Since the update the app is gone.\nWhat can I do?\n")
    let run = try CommandRun("analyze", "-v", "prose.md", in: scratch.url)
    #expect(run.status == 3)
    #expect(
      run.errors.contains("text of 2 lines, beginning with \"Since the update the app is gone.\""))
    #expect(run.errors.contains("paste the crash report itself"))
    #expect(!run.errors.contains("column"))
  }

  @Test func anArchiveIsRefusedWithTheCommandThatUnpacksIt() throws {
    try Data([0x50, 0x4b, 3, 4, 0, 0, 0, 0]).write(to: scratch.url.appending(path: "crash.zip"))
    let run = try CommandRun("analyze", "-v", "crash.zip", in: scratch.url)
    #expect(run.status == 3 && run.errors.contains("unzip crash.zip -d unpacked"))
  }
}
