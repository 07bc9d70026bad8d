import LifecycleModel
import Testing
import Traces

@testable import TraceText

/// The words of an app are replaced, and what every app says stays.
@Suite struct ScrubberTests {
  private let trace = """
    0s - profile mode=scene os=18.2 hooks=scene-delegate,work bundle=com.example.Notes team=4711
    0s - process.start app pid=412 launch=user bundle=com.example.Notes
    1s main call sceneWillConnect scene:1 session=1 role=window options=none at=Notes/SceneDelegate.swift:42
    2s main return sceneWillConnect scene:1
    3s com.example.sync work network app "https://notes.example/v1/items/7?token=s3cret" 12
    4s main bgtask.launch com.example.Notes.refresh app kind=refresh
    5s main task.begin task:1 "upload-17" handler=true holder=saveTask
    6s main task.begin task:2 "upload-18" handler=true holder=saveTask
    7s main data.dirty app "restoration"
    8s main note "Dear diary, my name is Ann"
    9s - sample applicationState app "active"
    10s - gap ring-full 2 writer=com.example.sync from=2 to=3
    11s - kill app code=0x8badf00d namespace=FRONTBOARD reason="scene-update watchdog transgression: \
    application<com.example.Notes>:412 exhausted real (wall clock) time allowance of 10.00 seconds"
    """

  private func scrub(
    _ trace: Trace, _ policy: Scrubber.Policy = Scrubber.Policy(), salt: String = "salt"
  ) throws -> Trace {
    let vocabulary = Vocabulary()
    let scrubber = Scrubber(policy, KeyedHash(salt: salt))
    var translation = EventTranslation(from: trace.vocabulary, to: vocabulary, scrubber)
    return Trace(
      vocabulary: vocabulary, events: try trace.events.map { try translation.event($0) })
  }

  private func scrubbed(
    keep: [String] = [], drop: [String] = [], hash: [String] = [], salt: String = "salt"
  ) throws -> String {
    var policy = Scrubber.Policy()
    policy.keep = keep.compactMap { ScrubPattern($0) }
    policy.drop = drop.compactMap { ScrubPattern($0) }
    policy.hash = hash.compactMap { ScrubPattern($0) }
    return TraceNotation.print(
      try scrub(TraceNotation.parse(trace), policy, salt: salt))
  }

  @Test func nothingOfTheAppIsLeft() throws {
    let text = try scrubbed()
    let secrets = [
      "example", "Notes", "notes", "4711", "Delegate", "items", "s3cret", "refresh app", "upload",
      "saveTask", "diary", "Ann", "sync", "team",
    ]
    for secret in secrets { #expect(!text.contains(secret), "\(secret) is left:\n\(text)") }
  }

  /// A word of the vocabulary is the app's own where an app chose it, and so is the reason of an
  /// exception, whatever words it consists of.
  @Test func wordsThatAnAppChoseAreReplaced() throws {
    let trace = try TraceNotation.parse(
      """
      1s main work timer app "active"
      2s main note "SPRINGBOARD"
      3s main work.begin save app "camera"
      4s - kill app namespace=SIGNAL reason="call 4111 1111"
      5s - kill app namespace=RUNNINGBOARD reason="task 5551234567 of 10.0.0.1 at 0xdeadbeef took 20.00 seconds"
      6s - exit app exception=CartError reason="no time for user 17: memory limit"
      """)
    let text = TraceNotation.print(try scrub(trace))
    let secrets = [
      "\"active\"", "SPRINGBOARD", "camera", "4111", "call", "5551234567", "10.0.0.1", "deadbeef",
      "CartError", "no time", "user 17", "limit",
    ]
    for secret in secrets { #expect(!text.contains(secret), "\(secret) is left:\n\(text)") }
    #expect(text.contains("reason=\"task x-") && text.contains("took 20.00 seconds\""), "\(text)")
  }

  /// A pattern replaces the whole value, where else its public words would stay.
  @Test func aHashedListIsHashedWhole() throws {
    #expect(try scrubbed().contains("hooks=scene-delegate,work"))
    #expect(try !scrubbed(hash: ["hooks"]).contains("scene-delegate"))
    #expect(try !scrubbed(hash: ["reason"]).contains("exhausted"))
  }

  @Test func patternsThatMeanNothingAreKnown() throws {
    var policy = Scrubber.Policy()
    policy.drop = ["label=upload*", "lable=save"].compactMap { ScrubPattern($0) }
    policy.hash = ["label", "piid"].compactMap { ScrubPattern($0) }
    let scrubber = Scrubber(policy, KeyedHash(salt: "salt"))
    let source = try TraceNotation.parse(trace)
    var translation = EventTranslation(from: source.vocabulary, to: Vocabulary(), scrubber)
    for event in source.events { _ = try translation.event(event) }
    #expect(scrubber.used == ["label=upload*", "label"])
  }

  @Test func whatEveryAppSaysStays() throws {
    let text = try scrubbed()
    let stays = [
      "mode=scene os=18.2 hooks=scene-delegate,work", "pid=412 launch=user",
      "call          sceneWillConnect scene:1 session=1 role=window options=none",
      "network app", "kind=refresh", "handler=true", "data.dirty    app \"restoration\"",
      "applicationState app \"active\"", "gap           ring-full 2 writer=",
      "code=0x8badf00d namespace=FRONTBOARD", "from=2 to=3",
      "exhausted real (wall clock) time allowance of 10.00 seconds\"",
      "reason=\"scene-update watchdog transgression: x-",
    ]
    for words in stays { #expect(text.contains(words), "\(words) is missing:\n\(text)") }
  }

  /// The words of a thread in its events and in the gap about it are one word; numbers alone make
  /// words alike.
  @Test func theSameWordHasTheSameReplacement() throws {
    let told = try scrub(TraceNotation.parse(trace))
    let words = told.vocabulary
    let gap = try #require(Gap(told.events[11], in: words))
    #expect(gap.writer == words.name(of: told.events[4].writer))
    let labels = [6, 7].map { words.text(told.events[$0].label) }
    #expect(labels[0] != labels[1] && CausalWord.text(labels[0]) == CausalWord.text(labels[1]))
    #expect(CausalWord.text(labels[0]) != CausalWord.text(words.text(told.events[4].label)))
    let bundles = [0, 1].map { words.attributes(told.events[$0].attributes)[.bundle] }
    #expect(bundles[0] == bundles[1] && bundles[0]?.hasPrefix("x-") == true)
    #expect(try scrubbed() == scrubbed() && scrubbed() != scrubbed(salt: "another"))
  }

  // MARK: Releases

  private func profile(_ words: String) throws -> [String: String] {
    let told = try scrub(TraceNotation.parse("0s - profile \(words)\n1s main note \(words)"))
    let lists = told.events.map { told.vocabulary.attributes($0.attributes) }
    #expect(lists[0] == lists[1])
    return Dictionary(uniqueKeysWithValues: lists[0].map { ($0.key, $0.value) })
  }

  @Test func releasesAndModelsStayAndTheInstallationDoesNot() throws {
    let release = ["version": "4.2.1-beta", "build": "812", "device": "iPhone16,2"]
    let words = release.map { "\($0)=\"\($1)\"" }.joined(separator: " ")
    let told = try profile("\(words) install=1234567890123456")
    #expect(told.filter { $0.key != "install" } == release)
    let install = try #require(told["install"])
    #expect(install.hasPrefix("x-") && !install.contains("123456"))
    #expect(try profile("install=1234567890123456")["install"] == install)
    #expect(try profile("install=9234567890123456")["install"] != install)
  }

  /// The keys may stand in events that somebody else made.
  @Test(arguments: [
    ("device", "Ann's iPhone"), ("device", "iPhone"), ("device", "Ann,7"), ("device", "a1,b2"),
    ("version", "for Ann 2"), ("version", "Ann"), ("build", "build of Ann 1"),
    ("build", "ann@example.com-1"), ("app", "Notes"), ("app", "com.example.notes"),
  ])
  func whatIsNoReleaseIsReplaced(key: String, value: String) throws {
    let told = try profile("\(key)=\"\(value)\"")
    #expect(told[key]?.hasPrefix("x-") == true, "\(told)")
  }

  @Test(arguments: [
    ("device", "RealityDevice14,1"), ("device", "x86_64"), ("version", "v5"), ("build", "1A23b"),
    ("build", "2026.11.21+3"),
  ])
  func whatLooksLikeAReleaseStays(key: String, value: String) throws {
    #expect(try profile("\(key)=\"\(value)\"")[key] == value)
  }

  @Test(arguments: 0..<40) func scrubbingTwiceIsScrubbingOnce(seed: UInt64) throws {
    print("seed \(seed)")
    var maker = ArbitraryTrace(seed: seed)
    let once = try scrub(maker.trace(count: 100))
    #expect(try scrub(once, salt: "another") == once, "seed \(seed)")
    let real = try scrub(TraceNotation.parse(trace))
    #expect(try scrub(real, salt: "another") == real)
  }

  // MARK: Patterns

  @Test func patternsNamePlacesAndWords() throws {
    let kept = try scrubbed(keep: ["label=upload-*", "holder", "name=com.example.*"])
    #expect(kept.contains("\"upload-17\"") && kept.contains("holder=saveTask"))
    #expect(kept.contains("com.example.Notes.refresh") && !kept.contains("diary"))
    let dropped = try scrubbed(keep: ["label"], drop: ["at", "label=*diary*"])
    #expect(!dropped.contains("at=") && dropped.contains("https://notes.example"))
    #expect(!dropped.contains("diary"))
    let hashed = try scrubbed(keep: ["*"], hash: ["pid", "label=*token*"])
    #expect(hashed.contains("pid=x-") && hashed.contains("diary") && !hashed.contains("s3cret"))
    #expect(hashed.contains("team=4711"))
  }

  @Test(arguments: [
    ("label", "anything", true), ("label=", "", true), ("label=", "a", false),
    ("label=a*c", "abc", true), ("label=a*c", "ac", true), ("label=a*c", "acb", false),
    ("label=*a*b*", "xaxxbx", true), ("label=?b", "ab", true), ("label=?b", "b", false),
    ("name=a", "a", false), ("*=a", "a", true), ("label=**", "x", true),
  ])
  func aPatternIsAGlob(pattern: String, word: String, fits: Bool) throws {
    #expect(try #require(ScrubPattern(pattern)).means(word, at: "label") == fits)
    #expect(ScrubPattern("") == nil && ScrubPattern("=a") == nil)
  }

  /// The vectors of the paper on SipHash.
  @Test func theHashIsSipHash() {
    let hash = KeyedHash(key: (0x0706_0504_0302_0100, 0x0f0e_0d0c_0b0a_0908))
    #expect(hash.of(Array(0..<15)) == 0xa129_ca61_49be_45e5)
    #expect(hash.of([]) == 0x726f_db47_dd0e_0e31)
    #expect(hash.of(Array(0..<8)) == 0x93f5_f579_9a93_2462)
    #expect(KeyedHash().of([1]) != KeyedHash().of([1]))
  }
}
