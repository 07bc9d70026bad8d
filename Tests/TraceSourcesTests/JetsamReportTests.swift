import Foundation
import Testing
import TraceSources

/// What was killed for memory, and what was not.
@Suite struct JetsamReportTests {
  private let notes = ReportText.entry("Notes", "frontmost", reason: "per-process-limit")
  private let daemon = ReportText.entry("exampled", "daemon", reason: "highwater", pid: 88)
  private let tunes = ReportText.entry("Tunes", "suspended", pid: 1300)

  @Test func theAppThatWasKilledIsTold() throws {
    #expect(
      try reported(ReportText.jetsam(daemon, notes, tunes)) == [
        "0s - profile platform=ios os=18.2 process=Notes pid=1450 clock=wall",
        "0s - note app \"Notes used 15.0 MB when it passed its limit, and 20.0 MB at its peak; "
          + "the report does not state the limit\"",
        "0s - note app \"killed: exampled (highwater), Notes (per-process-limit)\"",
        "0s - note app \"the largest process was Tunes, which says nothing of who was killed\"",
        "0s - kill app code=0x7 namespace=JETSAM reason=per-process-limit by=report "
          + "visibility=foreground memory=\"15.0 MB\"",
      ])
  }

  @Test func anAppThatIsListedWithoutAReasonWasNotKilled() throws {
    let told = try reported(ReportText.jetsam(notes, tunes), app: "Tunes")
    #expect(
      told.contains(
        "0s - note app \"Tunes is listed (suspended) and was not killed by this event\""))
    #expect(!told.contains { $0.contains("kill app") })
  }

  @Test func anAppThatIsNotListedHadGone() throws {
    let told = try reported(ReportText.jetsam(daemon), app: "Notes")
    #expect(
      told.contains("0s - note app \"Notes is not listed: it did not run, or was gone already\""))
    #expect(!told.contains { $0.contains("kill app") })
  }

  @Test func daemonsAreNoApps() throws {
    let told = try reported(ReportText.jetsam(daemon, tunes))
    #expect(!told.contains { $0.contains("kill app") })
    #expect(told.contains { $0.contains("pass --app") })
  }

  @Test func entriesThatWereCutOutAreRead() throws {
    for text in [notes, notes + ",", tunes + ",\n" + notes, "```\n\(notes),\n.\n.\n\(tunes)"] {
      let end = try ending(text, app: "com.example.Notes")
      #expect(end?.contains("kill app code=0x7 namespace=JETSAM") == true, "\(text)")
    }
  }

  @Test func aListThatEndsInTheMiddleIsReadSoFar() throws {
    let text = ReportText.jetsam(notes, tunes)
    let last = try #require(text.range(of: "Tunes\",", options: .backwards))
    let cut = String(text[..<last.lowerBound])
    #expect(try ending(cut, app: "Notes") != nil)
    #expect(try ending(cut, app: "Tunes") == nil)
  }

  @Test func aLongNameIsComparedAsFarAsItGoes() throws {
    let name = "AnAppWithANameThatIsQuiteLongIndeed"
    let entry = ReportText.entry(String(name.prefix(32)), "active", reason: "vm-pageshortage")
    #expect(try ending(ReportText.jetsam(entry), app: name)?.contains("code=0x4") == true)
  }
}
