import Testing
import Traces

@testable import LifecycleModel

/// What a profile says, and what it leaves open.
@Suite struct ProfileTests {
  @Test func whatIsNotSaidIsNotKnown() {
    let profile = Profile()
    #expect(profile.mode == nil && profile.multiScene == nil && profile.platform == nil)
    #expect(profile.os == nil && profile.osMajor == nil && profile.sdk == nil)
    #expect(profile.app == nil && profile.version == nil && profile.build == nil)
    #expect(profile.device == nil && profile.install == nil)
    #expect(profile.launch == nil && profile.backgroundModes == nil && profile.hooks == nil)
    #expect(profile.implements == nil && profile.marks == nil && profile.clock == nil)
    #expect(!profile.debugger && !profile.simulator && !profile.port && profile.partial == [])
    #expect(Hook.allCases.allSatisfy { !profile.recordsAll(of: $0) })
  }

  @Test(arguments: 0..<10) func hooksAreThoseThatWereSaid(seed: UInt64) {
    print("seed \(seed)")
    var random = SeededGenerator(seed: seed)
    for mode in Profile.Mode.allCases {
      let hooks = Hook.allCases.filter { _ in random.oneIn(2) }.shuffled(using: &random)
      let partial = hooks.filter { _ in random.oneIn(3) }
      let words = partial.map(\.rawValue).joined(separator: ",")
      let profile = Profile(mode: mode, hooks: hooks, Attribute(.partial, words))
      #expect(profile.mode == mode)
      // The system's own words tell of processes, too.
      let implied: Set<Hook> = hooks.contains(.system) ? [.process] : []
      #expect(profile.hooks == Set(hooks).union(implied))
      #expect(profile.partial == Set(partial))
      for hook in Hook.allCases {
        let isRecorded = hooks.contains(hook) || implied.contains(hook)
        #expect(profile.records(hook) == isRecorded)
        #expect(profile.recordsAll(of: hook) == (isRecorded && !partial.contains(hook)))
      }
    }
    #expect(!Hook.independent.contains(.process))
  }

  @Test func wordsThatAreNotKnownAreNoAnswer() {
    let profile = Profile([
      Attribute(.mode, "windows"), Attribute(.clock, "sundial"), Attribute(.multiScene, "yes"),
      Attribute(.debugger, "1"), Attribute(.hooks, "tasks,telepathy,,work"), Attribute(.os, "beta"),
      Attribute(.launch, "unknown"), Attribute(.implements, "applicationWillTerminate,frobnicate"),
    ])
    #expect(profile.mode == nil && profile.clock == nil && profile.multiScene == nil)
    #expect(!profile.debugger && profile.hooks == [.tasks, .work])
    #expect(profile.os == "beta" && profile.osMajor == nil && profile.launch == nil)
    #expect(profile.implements == [.applicationWillTerminate])
  }

  @Test func theReleaseAndTheDeviceAreSaid() {
    let release: [Attribute] = [
      Attribute(.version, "4.2.1"), Attribute(.build, "812"), Attribute(.device, "iPhone16,2"),
      Attribute(.install, "9f2b833506aa6973"),
    ]
    let profile = Profile([Attribute(.app, "com.example.notes")] + release)
    #expect(profile.app == "com.example.notes" && profile.version == "4.2.1")
    #expect(profile.build == "812" && profile.device == "iPhone16,2")
    #expect(profile.install == "9f2b833506aa6973")

    // Logs that are older than the key.
    #expect(Profile([Attribute(.bundle, "com.example.old")]).app == "com.example.old")
    #expect(Profile(profile.attributes + [Attribute(.bundle, "old")]).app == "com.example.notes")
  }

  @Test func noneIsAnAnswer() {
    let profile = Profile([
      Attribute(.backgroundModes, "none"), Attribute(.implements, "none"),
      Attribute(.marks, "none"),
    ])
    #expect(profile.backgroundModes == [] && profile.implements == [] && profile.marks == [])

    let other = Profile([
      Attribute(.backgroundModes, "audio,location"), Attribute(.marks, "alert,sensitive"),
      Attribute(.os, "18.2"), Attribute(.launch, "push"), Attribute(.clock, "wall"),
      Attribute(.debugger, "true"), Attribute(.port, "true"),
    ])

    #expect(other.backgroundModes == ["audio", "location"] && other.marks == [.alert, .sensitive])
    #expect(other.osMajor == 18 && other.launch == "push" && other.clock == .wall)
    #expect(other.debugger && other.port && !other.simulator)
  }

  /// What a trace says is not overruled by what a person knows.
  @Test(arguments: 0..<10) func answersFillHoles(seed: UInt64) {
    print("seed \(seed)")
    var random = SeededGenerator(seed: seed)
    func some(_ value: String) -> Profile {
      Profile(
        AttributeKey.allCases.filter { _ in random.oneIn(3) }.map { Attribute($0, value) })
    }

    let (said, answers) = (some("said"), some("answered"))
    let both = said.completed(by: answers)
    for key in AttributeKey.allCases {
      #expect(both.attributes[key] == said.attributes[key] ?? answers.attributes[key], "\(key)")
    }

    #expect(both.completed(by: answers) == both && said.completed(by: Profile()) == said)
    #expect(Profile().completed(by: said).attributes == said.attributes)
  }
}
