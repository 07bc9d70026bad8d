import Testing
import TraceSources

/// The JetsamEvents of iOS 8 and before, which are tables.
@Suite struct JetsamTableTests {
  private let table = ReportText.jetsamTable()

  @Test func theAppThatWasKilledIsTold() throws {
    #expect(
      try reported(table) == [
        "0s - profile platform=ios os=8.0.2 process=Notes clock=wall",
        "0s - note app \"Notes used 88210 pages when it passed its limit, and 88410 pages at its peak; "
          + "the report states neither the limit nor the size of a page\"",
        "0s - note app \"killed: Notes (per-process-limit), exampled (highwater)\"",
        "0s - note app \"the largest process was Tunes, which says nothing of who was killed\"",
        "0s - kill app code=0x7 namespace=JETSAM reason=per-process-limit by=report "
          + "visibility=foreground",
      ])

    #expect(try reports(in: table)[0].incident == "4A3B")
  }

  @Test func anAppThatIsListedWithoutAWordWasNotKilled() throws {
    let told = try reported(table, app: "Tunes")
    #expect(
      told.contains(
        "0s - note app \"Tunes is listed (suspended) and was not killed by this event\""))
    #expect(!told.contains { $0.contains("kill app") })
  }

  /// Rows that were cut out of a table: pages are the first number without a point.
  @Test(arguments: [
    (
      "Notes <00000000000000000000000000000a11> 31.482 88210 12 88410 100 [jettisoned] (background)",
      1
    ),
    (
      "Notes <00000000000000000000000000000a11> 9320 9400 [vm-pageshortage] (frontmost) (resume)", 4
    ),
    ("Notes <00000000000000000000000000000a11> 9320 (jettisoned) (active)", 1),
  ])
  func rowsAreReadWithoutAHeading(row: String, code: Int) throws {
    let end = try ending("   \(row)\n", app: "com.example.notes")
    #expect(end?.contains("kill app code=0x\(code) namespace=JETSAM") == true, "\(end ?? "")")
  }

  @Test func aRowThatIsNotUnderstoodIsTold() throws {
    let told = try reported(table.replacing("88210", with: "many"))
    #expect(
      told.contains {
        $0.contains("note app \"line 11 says Notes <") && $0.contains("not understood")
      })

    #expect(!told.contains { $0.contains("kill app") })
    let short = "Largest process: Notes\n\nProcesses\n"
    #expect(
      try reported(short).contains(
        "0s - note app \"no entry of the list can be read: who was killed is not known\""))
    // A dash stands where a process has no such number.
    #expect(try ending(table.replacing("  12  ", with: "  -  ")) != nil)
  }

  @Test func aPageWhoseSizeIsSaidMakesMegabytes() throws {
    let told = try reported(table.replacing("Free pages:", with: "Page size: 4096\nFree pages:"))
    let used = "used 344.5 MB when it passed its limit, and 345.3 MB at its peak"
    #expect(told.contains { $0.contains(used) })
    #expect(told.last?.hasSuffix("memory=\"344.5 MB\"") == true)
  }

  /// What has angle brackets is no row of such a table.
  @Test(arguments: [
    "Nov 22 09:41:00 Notes[412] <Notice>: done", "[app<com.example.notes>:412] exited (12)",
    "default <00000000000000000000000000000a11> says 3 words", "a <b> c (d)",
  ])
  func otherTextIsNoTable(line: String) {
    #expect(ReportForm(Array(line.utf8)[...]) == nil)
  }
}
