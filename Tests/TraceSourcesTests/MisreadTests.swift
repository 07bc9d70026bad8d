import Testing
import TraceSources

/// What a report says and nobody understands is told, with its place.
@Suite struct MisreadTests {
  @Test(arguments: [
    ("\"procRole\" : \"Background\"", "\"procRole\" : \"Ambient\"", "procRole says Ambient"),
    ("\"type\":\"EXC_CRASH\"", "\"type\":\"EXC_NOVEL\"", "exception.type says EXC_NOVEL"),
    ("\"signal\":\"SIGKILL\"", "\"signal\":\"SIGNEW\"", "exception.signal says SIGNEW"),
    ("\"pid\" : 412", "\"pid\" : \"first\"", "pid says first"),
    ("2026-11-21 17:30:54.7126 +0100", "at noon", "captureTime says at noon"),
    ("2026-11-21 17:30:31.9800 +0100", "at dawn", "procLaunch says at dawn"),
    (
      "\"namespace\":\"FRONTBOARD\"", "\"namespace\":\"NOVELTY\"",
      "termination.namespace says NOVELTY"
    ),
    ("\"code\":2343432205", "\"code\":\"many\"", "termination.code says many"),
    (
      "ProcessVisibility: Background", "ProcessVisibility: Half",
      "termination.reasons.ProcessVisibility says Half"
    ),
  ])
  func aWordOfAnIPSIsToldWithItsPath(old: String, new: String, words: String) throws {
    let told = try reported(ReportText.ips.replacing(old, with: new))
    let notes = told.filter { $0.contains("is not understood") }
    #expect(notes.count == 1, "\(notes)")
    #expect(notes.allSatisfy { $0.hasSuffix("note app \"\(words), which is not understood\"") })
    // What is understood is told as before.
    #expect(told.contains { $0.contains("kill app code=0x8badf00d") })
  }

  @Test(arguments: [
    ("Role:                Background", "Role: Ambient", "Role in line 4 says Ambient"),
    ("EXC_CRASH (SIGKILL)", "EXC_NOVEL (SIGKILL)", "Exception Type in line 12 says EXC_NOVEL"),
    ("Launch Time:         2026", "Launch Time: soon 2026", "Launch Time in line 8 says soon 2026"),
    (
      "Termination Reason: FRONTBOARD 2343432205\u{20}", "Termination Reason: NOVELTY 2343432205",
      "Termination Reason in line 14 says NOVELTY"
    ),
    (
      "Termination Reason: FRONTBOARD 2343432205\u{20}", "Termination Reason: something else",
      "Termination Reason in line 14 says something else"
    ),
  ])
  func aLineOfTextIsToldWithItsNumber(old: String, new: String, words: String) throws {
    for (text, offset) in [(ReportText.crash, 0), (ReportText.header + "\n" + ReportText.crash, 1)]
    {
      let told = try reported(text.replacing(old, with: new))
      let notes = told.filter { $0.contains("is not understood") }
      let number = try #require(words.firstMatch(of: /line (\d+)/)?.1)
      let shifted = words.replacing("line \(number)", with: "line \((Int(number) ?? 0) + offset)")
      #expect(notes.count == 1 && notes[0].contains(shifted), "\(notes)")
    }
  }

  @Test func aReportOfANumberThatNobodyKnowsIsReadByItsKeys() throws {
    let text = ReportText.ips.replacing("309", with: "399")
    let told = try reported(text)
    #expect(told.contains { $0.contains("kill app code=0x8badf00d") })
    #expect(
      told.contains { $0.hasSuffix("note app \"bug_type says 399, which is not understood\"") })
    #expect(ReportForm.refused(Array(text.utf8)[...]) == nil)
    let empty = Array("{\"bug_type\":\"399\"}\n{\"a\":1}\n".utf8)
    #expect(
      ReportForm.refused(empty[...]) == "a report that tracectl does not read (bug type 399)")
  }

  @Test func aReasonOfJetsamThatIsNewIsTold() throws {
    let text = ReportText.jetsam(ReportText.entry("Notes", "active", reason: "novelty"))
    let told = try reported(text)
    #expect(
      told.contains(
        "0s - note app \"the reason of Notes says novelty, which is not understood\""))
    #expect(told.last?.contains("kill app namespace=JETSAM reason=novelty") == true)
  }

  @Test func aSignalThatDarwinDoesNotHaveIsTold() throws {
    let text = #"{"diagnosticMetaData":{"signal":99,"pid":4}}"#
    #expect(
      try reported(text).contains("0s - note app \"signal says 99, which is not understood\""))
  }

  @Test func aLongWordIsCut() throws {
    let text = ReportText.ips.replacing(
      "\"procRole\" : \"Background\"",
      with: "\"procRole\" : \"\(String(repeating: "x", count: 500))\"")
    let note = try #require(try reported(text).first { $0.contains("is not understood") })
    #expect(note.contains(String(repeating: "x", count: 64) + "…,"))
  }
}
