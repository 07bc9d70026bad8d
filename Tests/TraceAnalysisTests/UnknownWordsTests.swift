import LifecycleModel
import Testing
import LifecycleRules
import TraceAnalysis
import TraceText

/// What is not known is told once, with its place and the word that was probably meant.
@Suite struct UnknownWordsTests {
  private func words(_ notation: String) throws -> [UnknownWord] {
    let trace = try TraceNotation.parse(notation)
    var words = UnknownWords(trace.vocabulary)
    for event in trace.events { words.observe(event) { nil } }
    return words.list
  }

  private func told(_ notation: String) throws -> [String] { try words(notation).map(\.text) }

  @Test func whoTheAppIsIsKnown() throws {
    #expect(
      try told(
        """
        0s - profile app=com.example.notes version=4.2.1 build=812 device=iPhone16,2 \
        install=9f2b833506aa6973
        """) == [])
    #expect(
      try told("0s - profile verson=4.2.1")
        == ["unknown key verson in profile; did you mean version? (-#1)"])
  }

  @Test(arguments: [
    ("1s main cal applicationDidFinishLaunching app", "unknown verb cal; did you mean call?"),
    (
      "1s main call applicationDidFinishLaunchin app",
      "unknown callback applicationDidFinishLaunchin; did you mean applicationDidFinishLaunching?"
    ),
    ("1s main work timr app", "unknown category of work timr; did you mean timer?"),
    ("1s main acquire lok app", "unknown resource lok; did you mean lock?"),
    (
      "1s main notify UIScene.didActivate scene:1",
      "unknown notification UIScene.didActivate; did you mean UIScene.didActivateNotification?"
    ),
    (
      "1s main state inactive->actve app",
      "unknown transition inactive->actve; did you mean inactive->active?"
    ),
    ("1s - profile hooks=app-delegate,sytem", "unknown hook sytem; did you mean system?"),
    ("1s - profile mode=scenes", "unknown mode scenes; did you mean scene?"),
    ("1s - profile debugger=yes", "unknown value of debugger yes"),
    ("1s - profile hoks=work", "unknown key hoks in profile; did you mean hooks?"),
    (
      "1s - profile background-modes=audio,loction",
      "unknown background mode loction; did you mean location?"
    ),
    ("1s - process.start app launch=usr", "unknown reason of a launch usr; did you mean user?"),
    ("1s - kill app code=0x12345678 namespace=SPRINGBOARD", "unknown code 0x12345678"),
    ("1s - kill app reason=whim", "unknown reason whim"),
    (
      "1s main call sceneDidBecomeActive",
      "call sceneDidBecomeActive has no subject; expected scene:N"
    ),
    (
      "1s main call applicationWillTerminate",
      "call applicationWillTerminate has no subject; expected app"
    ),
    ("1s main task.end", "task.end has no subject; expected task:N"),
    (
      "1s main work timer app lable=x",
      "the unknown key lable is kept as an attribute; did you mean label?"
    ),
  ])
  func aSlipIsTold(line: String, text: String) throws {
    let told = try told(line)
    #expect(told.count == 1, "\(told)")
    let writer = line.split(separator: " ")[1]
    #expect(told.first == "\(text) (\(writer)#1)")
  }

  /// Every word of the document is known, and an app's own words are its own.
  @Test(arguments: [
    "0s - profile mode=scene platform=ios os=18.2 launch=unknown background-modes=none debugger=true hooks=app-delegate,system clock=wall",
    "0s - process.start app pid=412 launch=prewarm bundle=com.example.notes",
    "0s main bgtask.launch com.example.refresh app kind=refresh",
    "0s main notify UIApplication.willTerminateNotification",
    "0s main work timer \"autosave\" upload=3",
    "0s - kill app code=0x8badf00d namespace=SPRINGBOARD",
    "0s - kill app code=0x9 namespace=SIGNAL",
    "0s - kill app reason=per-process-limit",
    "0s - gap ring-full 3",
    "0s main note \"cal\"",
    "0s main state background->inactive app",
    "0s main task.begin task:7 \"sync\" handler=true",
  ])
  func whatIsKnownIsNotTold(line: String) throws {
    #expect(try told(line) == [])
  }

  @Test func eachIsToldOnceWithItsFirstPlaces() throws {
    let lines = (1...7).map { "\($0)s main cal app\n" }.joined()
    let words = try words(lines + "8s db cal app\n")
    #expect(words.map(\.count) == [8])
    #expect(words[0].places == ["main#1", "main#2", "main#3"])
    #expect(words[0].text.hasSuffix("(main#1, main#2, main#3 and 5 more)"))
  }

  @Test func linesComeBeforeNumbers() throws {
    let trace = try TraceNotation.parse("1s main cal\n2s main cal\n")
    var words = UnknownWords(trace.vocabulary)
    for event in trace.events { words.observe(event) { Int(event.sequence) + 10 } }
    #expect(words.list.map(\.text) == ["unknown verb cal; did you mean call? (lines 11, 12)"])
  }

  @Test func whatALogSaysIsInertAndBounded() throws {
    let trace = try TraceNotation.parse("")
    var words = UnknownWords(trace.vocabulary)
    for number in 0..<500 {
      let event = Event(
        sequence: 1, instant: .origin, writer: .main, verb: .work,
        name: trace.vocabulary.symbol("\u{1b}[31m\(number)"), subject: .app)
      words.observe(event) { nil }
    }
    #expect(words.list.count == UnknownWords.limit && words.leftOut == 400)
    #expect(words.list.allSatisfy { !$0.text.contains("\u{1b}") })
  }
}
