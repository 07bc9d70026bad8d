import LifecycleModel
import Testing
import TraceSources
import TraceText

/// Which process of a log a report is about.
@Suite struct ReportJoinTests {
  private let boot = "F0FD9319-7A67-4BC6-842F-7B2DF97F7892"
  /// The launch of the report's process on the clock that stands still while the device sleeps.
  private let launch: Nanoseconds = 5_175_000_000_000
  /// The same by the wall clock.
  private let wall: Nanoseconds = 1_795_278_631_980_000_000

  private let log = """
    0s - profile hooks=scene-delegate,process
    0s - process.start app pid=412 bundle=com.example.notes
    12.73s main call sceneDidEnterBackground scene:1
    """

  private func report(_ changes: [(String, String)] = []) throws -> TerminationReport {
    var text = ReportText.ips.replacing(
      "\"pid\" : 412,", with: "\"pid\" : 412,\n  \"bootSessionUUID\" : \"\(boot)\",")
    for (old, new) in changes { text = text.replacing(old, with: new) }
    return try reports(in: text)[0]
  }

  /// `22.7322s after 3 events: boot, …`, or why a report belongs nowhere.
  private func join(
    _ notation: String, _ facts: ReportJoin.LogFacts, _ report: TerminationReport
  ) throws -> String {
    let trace = try TraceNotation.parse(notation)
    var join = ReportJoin([report])
    var places: [(place: ReportJoin.Place, count: Int)] = []
    for (index, event) in trace.events.enumerated() {
      let found = join.observe(event, trace.vocabulary, facts)
      places += found.map { ($0, index - $0.profilesBehind) }
    }
    places += join.finish(facts).map { ($0, trace.events.count - $0.profilesBehind) }

    guard let (place, count) = places.first else { return join.apart[0].reason }
    #expect(places.count == 1 && join.apart.isEmpty)
    return "\(place.instant.nanoseconds / 1000)us after \(count) events: \(place.means.rawValue)"
  }

  private func facts(
    log: String? = nil, boot: String? = nil, wall: Nanoseconds? = nil, monotonic: Nanoseconds? = nil
  ) -> ReportJoin.LogFacts {
    ReportJoin.LogFacts(
      logID: log, bootID: boot, originWall: wall, originMonotonic: monotonic)
  }

  @Test func bootAndTicksAreExact() throws {
    let plain = boot.lowercased().replacing("-", with: "")
    #expect(
      try join(log, facts(boot: plain, wall: wall, monotonic: launch), report())
        == "22732200us after 3 events: boot, process number and time since the boot")
    #expect(
      try join(log, facts(boot: "00ff", wall: wall, monotonic: launch), report())
        == "the device was started again between log and report: the boots differ")
  }

  @Test func ticksServeWithoutTheBoot() throws {
    #expect(
      try join(log, facts(wall: wall, monotonic: launch), report())
        == "22732200us after 3 events: process number, bundle and time since the boot")
    // Ticks since another boot are none: then the wall clock says when.
    #expect(
      try join(log, facts(wall: wall, monotonic: 1_000_000_000), report())
        == "22732600us after 3 events: process number, bundle and wall clock")
  }

  @Test func theWallClockServesForText() throws {
    let text = try reports(in: ReportText.crash)[0]
    #expect(
      try join(log, facts(wall: wall, monotonic: launch), text)
        == "22732600us after 3 events: process number, bundle and wall clock")
  }

  @Test func theAgeServesWithoutACommonClock() throws {
    #expect(
      try join(log, facts(), report())
        == "22732200us after 3 events: process number and the process's age")

    let payload = try reports(
      in: """
        {"diagnosticMetaData":{"terminationReason":"Namespace SIGNAL, Code 0xb","pid":412,
        "bundleIdentifier":"com.example.notes"}}
        """)[0]
    #expect(
      try join(log, facts(wall: wall), payload)
        == "12730000us after 3 events: process number and bundle; the time is not known")
  }

  @Test func theLogsIDIsSurest() throws {
    let named = try report([
      (
        "\"pid\" : 412,",
        "\"pid\" : 412,\n\"environment\" : {\"states\":[{\"metadata\":{\"log\":\"0A0B\"}}]},"
      )
    ])

    #expect(
      try join(log, facts(log: "0a0b", wall: wall, monotonic: launch), named)
        == "22732200us after 3 events: the log's id, which the report has")
    #expect(
      try join(log, facts(log: "0c0d", wall: wall), named) == "it names another log, 0A0B")
  }

  @Test(arguments: [
    (("\"pid\" : 412", "\"pid\" : 413"), "its process is 413, the log's is 412"),
    (
      (
        "\"CFBundleIdentifier\":\"com.example.notes\"",
        "\"CFBundleIdentifier\":\"com.example.tunes\""
      ),
      "it is about com.example.tunes, the log about com.example.notes"
    ),
    (
      ("\"procExitAbsTime\" : 124745572800", "\"procExitAbsTime\" : 124320000000"),
      "the log goes on for 7.73s after that death"
    ),
    (
      ("\"termination\" : {\"namespace\":\"FRONTBOARD\"", "\"x\" : {\"y\":\"Z\""),
      "22732200us after 3 events: process number, bundle and time since the boot"
    ),
    (("EXC_CRASH", "EXC_RESOURCE"), "it reports no death"),
  ])
  func whatDoesNotFitIsSaid(change: (String, String), reason: String) throws {
    var changes = [change]
    // Of a limit that was passed the report has no termination.
    if change.0 == "EXC_CRASH" { changes.append(("\"termination\"", "\"other\"")) }
    let said = try join(log, facts(wall: wall, monotonic: launch), report(changes))
    #expect(said == reason)
  }

  @Test func theProcessIsFoundAmongSeveral() throws {
    let several = """
      0s - process.start app pid=411 bundle=com.example.notes
      2s - exit app status=0
      3s - process.start app pid=412 bundle=com.example.notes
      15.73s main call sceneDidEnterBackground scene:1
      40s - process.start app pid=413 bundle=com.example.notes
      41s main call sceneWillConnect scene:1
      """
    #expect(
      try join(several, facts(monotonic: launch - .seconds(3)), report())
        == "25732200us after 4 events: process number, bundle and time since the boot")
  }

  /// The profile of the next process may stand before its start: the end goes before both.
  @Test func aProfileOfTheNextProcessStandsBehindTheEnd() throws {
    let two = """
      0s - process.start app pid=412 bundle=com.example.notes
      1s main call sceneWillConnect scene:1
      30s - profile mode=scene
      30s - process.start app pid=413 bundle=com.example.notes
      """
    #expect(
      try join(two, facts(monotonic: launch), report())
        == "22732200us after 2 events: process number, bundle and time since the boot")
  }

  /// Without number and time the log's id alone says no more than that it was the last one.
  @Test func aReportThatNamesTheLogAloneIsAboutItsLastProcess() throws {
    let named = try report([
      (
        "\"pid\" : 412,",
        "\"environment\" : {\"states\":[{\"metadata\":{\"log\":\"0A0B\"}}]},"
      ), ("\"procLaunch\"", "\"a\""), ("\"captureTime\"", "\"b\""),
      ("\"procExitAbsTime\"", "\"c\""),
    ])
    let two = log + "\n30s - process.start app pid=413 bundle=com.example.notes"

    #expect(
      try join(two, facts(log: "0a0b"), named)
        == "30000000us after 4 events: the log's id, which the report has")
  }

  @Test func aNumberThatIsUsedAgainIsNotMeant() throws {
    let again = """
      0s - process.start app pid=412 bundle=com.example.notes
      1s main call sceneWillConnect scene:1
      9s - process.start app pid=412 bundle=com.example.notes
      10s main call sceneWillConnect scene:1
      """
    #expect(
      try join(again, facts(monotonic: launch), report())
        == "22732200us after 4 events: process number, bundle and time since the boot")
  }

  // MARK: What contradicts

  /// Neither numbers nor times make a report of another system one of this process.
  @Test(arguments: [
    (
      "\"platform\":2", "\"platform\":1",
      "it is about an app for macOS, the log about one for ios"
    ),
    ("iPhone OS 18.2", "iPhone OS 12.4", "its system is 12.4, the log's is 18.1"),
    ("iPhone OS 18.2", "Watch OS 11.2", "it is about an app on watchos, the log about one on ios"),
  ])
  func anotherSystemIsAnotherProcess(old: String, new: String, reason: String) throws {
    let own = log.replacing("profile ", with: "profile platform=ios os=18.1 ")
    #expect(try join(own, facts(), report([(old, new)])) == reason)
    #expect(try join(own, facts(), report()).hasPrefix("22732200us after 3 events"))
    // The log may say no platform, and the version of its system.
    let mac = [("\"platform\":2", "\"platform\":1"), ("iPhone OS 18.2", "macOS 15.1")]
    let plain = log.replacing("profile ", with: "profile os=18.1 ")
    #expect(
      try join(plain, facts(), report(mac)) == "its system is 15.1, the log's is 18.1")
  }

  /// Without a clock both processes with the number fit: the end stands with the first, and is in doubt.
  @Test func aSecondProcessThatFitsIsTold() throws {
    let trace = try TraceNotation.parse(
      """
      0s - process.start app pid=412 bundle=com.example.notes
      1s main call sceneWillConnect scene:1
      60s - process.start app pid=413 bundle=com.example.notes
      61s main call sceneWillConnect scene:1
      100s - process.start app pid=412 bundle=com.example.notes
      101s main call sceneWillConnect scene:1
      """)
    var join = ReportJoin([try report()])
    var places: [ReportJoin.Place] = []
    for event in trace.events { places += join.observe(event, trace.vocabulary, facts()) }
    places += join.finish(facts())
    #expect(places.map(\.isSecond) == [false, true])
    #expect(places.allSatisfy { $0.means == .age && $0.means.doubt != nil })
    #expect(places.map { $0.instant.nanoseconds / 1_000_000 } == [22_732, 122_732])
  }

  @Test func endsThatOneProcessCannotHaveBothContradict() throws {
    let watchdog = try report()
    func killed(_ namespace: String, _ code: Int) throws -> TerminationReport {
      let end = "\"termination\" : {\"namespace\":\"\(namespace)\",\"code\":\(code)}"
      return try reports(in: ReportText.header + "\n" + ReportText.body(end))[0]
    }

    #expect(watchdog.contradicts(try killed("SIGNAL", 11)))
    #expect(try killed("SIGNAL", 11).contradicts(watchdog))
    // SIGKILL carries out what the watchdog decides, which had another name.
    #expect(!watchdog.contradicts(try killed("SIGNAL", 9)))
    #expect(!watchdog.contradicts(try killed("SPRINGBOARD", 2_343_432_205)))
    #expect(!watchdog.contradicts(watchdog))
  }
}
