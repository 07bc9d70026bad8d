import LifecycleModel
import Testing
import TraceSources

/// Several reports in one file, as they are pasted one below the other.
@Suite struct SeveralReportTests {
  /// Another incident of another process, some seconds later.
  private static func other(_ text: String) -> String {
    text.replacing("6E0A", with: "7F1B").replacing("412", with: "413")
      .replacing("17:30:54.7126", with: "17:31:20.5").replacing("17:30:31.9800", with: "17:31:00.5")
      .replacing("124200000000", with: "124900000000")
      .replacing("124745572800", with: "125380000000")
  }

  private static let crashed =
    ReportText.header.replacing("6E0A", with: "7F1B") + "\n"
    + other(
      ReportText.body(
        "\"termination\" : {\"namespace\":\"SIGNAL\",\"code\":11}", signal: "SIGSEGV"))

  private static let crashedText = other(ReportText.crash)
    .replacing("EXC_CRASH (SIGKILL)", with: "EXC_BAD_ACCESS (SIGSEGV)")
    .replacing("FRONTBOARD 2343432205", with: "SIGNAL 11 Segmentation fault: 11")

  @Test(arguments: [
    ReportText.ips + crashed, crashed + "\n" + ReportText.ips,
    "[\(ReportText.body()),\n\(crashed.split(separator: "\n", maxSplits: 1)[1])]",
    ReportText.crash + "\n\n" + crashedText,
  ])
  func eachIsAReportOfItsOwn(text: String) throws {
    let all = try reports(in: text).sorted { ($0.pid ?? 0) < ($1.pid ?? 0) }
    #expect(all.map(\.pid) == [412, 413])
    #expect(all.first?.summary.hasPrefix("it was killed with FRONTBOARD 0x8badf00d: ") == true)
    #expect(all.last?.summary.contains("0x8badf00d") == false)
    let told = try reported(text)
    #expect(told.filter { $0.contains(" process.start ") }.count == 2)
    #expect(told.filter { $0.contains(" kill app") }.count == 2)
  }

  /// The one that died first stands first, and the second one later by as much.
  @Test func theyStandInTheOrderOfTheirEnds() throws {
    let told = try reported(Self.crashed + "\n" + ReportText.ips)
    let starts = told.filter { $0.contains(" process.start ") }
    #expect(starts.map { $0.contains("pid=412") } == [true, false])
    #expect(starts[0].hasPrefix("0s - "))
    let ends = told.filter { $0.contains(" kill app") }
    #expect(ends[0].hasPrefix("22.7322s - ") && ends[1].hasPrefix("48.5196s - "), "\(ends)")
  }

  @Test func twoCopiesAreOneReport() throws {
    #expect(try reports(in: ReportText.ips + ReportText.ips).count == 1)
    #expect(try reports(in: ReportText.crash + "\n\n" + ReportText.crash).count == 1)
    #expect(try reported(ReportText.ips + ReportText.ips) == reported(ReportText.ips))
  }

  /// Copies have the number of one process.
  @Test func twoProcessesOfOneIncidentAreTwo() throws {
    let other = Self.crashed.replacing("7F1B", with: "6E0A")
    #expect(try reports(in: ReportText.ips + other).count == 2)
  }

  @Test func theAppChoosesAmongThem() throws {
    let mail = Self.crashedText.replacing("Notes [413]", with: "Mail [413]")
      .replacing("com.example.notes", with: "com.example.mail")
    let text = ReportText.crash + "\n\n" + mail
    #expect(try reports(in: text, app: "Mail").map(\.pid) == [413])
    #expect(try reports(in: text, app: "Notes").map(\.pid) == [412])
    #expect(throws: SourceError.self) { try reports(in: text, app: "Tunes") }
  }

  /// What tells an end goes before what was cut off, and an `.ips` before its translation.
  @Test func whatTellsAnEndTellsMore() throws {
    let whole = try reports(in: ReportText.ips)[0]
    let text = try reports(in: ReportText.crash)[0]
    let cut = try reports(in: ReportText.header + "\n{\"pid\" : 412, \"procRole\" : \"Fore")[0]
    #expect(whole.tellsMore(than: cut) && !cut.tellsMore(than: whole))
    #expect(text.tellsMore(than: cut) && !cut.tellsMore(than: text))
    #expect(whole.tellsMore(than: text) && !text.tellsMore(than: whole))
    #expect(!whole.tellsMore(than: whole))
  }
}
