import LifecycleModel
import TestTime
import Testing
import LifecycleRules
import TraceAnalysis
import TraceText
import Traces

@Suite struct NearestLegalTraceTests {
  // MARK: Against brute force

  /// The rules whose findings have a nearest legal trace.
  static let rules: Set<String> = [
    "resign-before-background", "active-alternates", "foreground-before-active",
    "foreground-from-background", "order-foreground-implies-active", "notification-after-call",
    "order-nothing-after-terminate", "scene-connection", "order-background-once",
  ]

  private typealias Letter = LegalReference.Letter

  private static let appNames = [
    ("applicationDidBecomeActive", "UIApplication.didBecomeActiveNotification"),
    ("applicationWillResignActive", "UIApplication.willResignActiveNotification"),
    ("applicationDidEnterBackground", "UIApplication.didEnterBackgroundNotification"),
    ("applicationWillEnterForeground", "UIApplication.willEnterForegroundNotification"),
    ("applicationWillTerminate", "UIApplication.willTerminateNotification"),
  ]
  private static let sceneNames = [
    ("sceneWillConnect", "UIScene.willConnectNotification"),
    ("sceneWillEnterForeground", "UIScene.willEnterForegroundNotification"),
    ("sceneDidBecomeActive", "UIScene.didActivateNotification"),
    ("sceneWillResignActive", "UIScene.willDeactivateNotification"),
    ("sceneDidEnterBackground", "UIScene.didEnterBackgroundNotification"),
    ("sceneDidDisconnect", "UIScene.didDisconnectNotification"),
  ]

  private static let hooks =
    "app-delegate,scene-delegate,app-notifications,scene-notifications,system"

  /// Processes, each of which does nothing but one of `words`, 100 s each.
  private static func trace(_ words: [[Letter]], isScene: Bool) throws -> Trace {
    var lines = [
      "0s - profile mode=\(isScene ? "scene" : "app") os=18.2 launch=user hooks=\(hooks)"
    ]
    for (number, word) in words.enumerated() {
      let start = 100 * number
      lines.append("\(start)s - process.start app launch=user")
      if isScene {
        lines.append("\(start)s main notify UIApplication.didBecomeActiveNotification app")
      }
      let subject = isScene ? "scene:\(number + 1)" : "app"
      for (index, letter) in word.enumerated() {
        let instant = "\(start + index + 1)s"
        let (call, notification) = (isScene ? sceneNames : appNames)[letter.name]
        let role = call == "sceneWillConnect" ? " role=window" : ""
        if letter.isCall {
          lines.append("\(instant) main call \(call) \(subject)\(role)")
          lines.append("\(instant) main return \(call) \(subject)")
        } else {
          lines.append("\(instant) main notify \(notification) \(subject)")
        }
      }
    }
    return try TraceNotation.parse(lines.joined(separator: "\n"))
  }

  /// Judges order and all else, but not that the windows' processes end without a word.
  private static func analyze(_ trace: Trace) -> Analysis {
    let silent = [
      "death", "launch-slow", "notification-promised",
    ]
    let rules = RuleRegistry.all.filter { !silent.contains($0.description.id) }
    return Analyzer.analyze(trace, rules: rules)
  }

  /// A life that is damaged a little, or letters at random.
  private static func window(
    _ reference: LegalReference, _ generator: inout SeededGenerator
  ) -> [Letter] {
    let length = Int.random(in: 2...10, using: &generator)
    var word: [Letter] = []
    let isRandom = Int.random(in: 0..<8, using: &generator) == 0
    while word.count < (isRandom ? length / 2 + 1 : length) {
      // After a scene's end nothing is legal.
      let next = reference.letters.filter {
        isRandom || reference.isLegal(word + [$0], reference.sentences)
      }
      guard let letter = next.randomElement(using: &generator) else { break }
      word.append(letter)
    }

    for _ in 0..<Int.random(in: 1...2, using: &generator) where !isRandom {
      let place = Int.random(in: word.indices, using: &generator)
      switch Int.random(in: 0..<4, using: &generator) {
      case 0: if word.count > 2 { word.remove(at: place) }
      case 1: if word.count < 10 { word.insert(word[place], at: place) }
      case 2: word.swapAt(place, Int.random(in: word.indices, using: &generator))
      default: word[place] = reference.letters.randomElement(using: &generator) ?? word[place]
      }
    }
    return word
  }

  /// 25 windows each; `NEAREST_SEEDS` in the environment says how many seeds.
  private static let seeds = Nightly.seeds(40, all: 400, variable: "NEAREST_SEEDS")

  @Test(.tags(.nightly), arguments: seeds) func isTheBruteForceOptimum(seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed)
    let isScene = seed % 2 == 1
    let reference = isScene ? LegalReference.scene : .app
    let words = (0..<25).map { _ in Self.window(reference, &generator) }
    let trace = try Self.trace(words, isScene: isScene)
    let analysis = Self.analyze(trace)
    #expect(analysis.findingsLeftOut.isEmpty)
    var repaired = trace
    for (number, word) in words.enumerated() {
      let letters = word.map { ($0.isCall ? "" : "N") + reference.names[$0.name] }
      let context: Comment = "seed \(seed), window \(number): \(letters)"
      let findings = analysis.allFindings.filter {
        ($0.culprit?.instant.nanoseconds ?? 0) / 100_000_000_000 == number
      }
      #expect(findings.allSatisfy { Self.rules.contains($0.rule) }, context)
      // That the foreground is followed by the activation is known of some scenes only.
      let isImplied = findings.contains { $0.rule == "order-foreground-implies-active" }
      let isExcused = !isImplied && reference.sentences.last?.isBroken(word) ?? false
      let sentences = isExcused ? Array(reference.sentences.dropLast()) : reference.sentences
      #expect(reference.isLegal(word, sentences) == findings.isEmpty, context)
      guard let first = findings.first else { continue }
      let nearest = try #require(first.nearest, context)
      #expect(findings.allSatisfy { $0.nearest == nearest }, context)
      #expect(!nearest.edits.isEmpty, context)
      let isOptimum = !reference.canRepair(word, in: nearest.edits.count - 1, sentences)
      #expect(isOptimum, context)
      repaired.events = nearest.applied(to: repaired.events)
    }
    repaired.orderAndNumber()
    let rest = Self.analyze(repaired).allFindings
    #expect(
      rest.isEmpty,
      "seed \(seed): \(rest.map { "\($0.rule) at \($0.culprit?.instant.nanoseconds ?? 0)" })")
  }

  // MARK: In words

  /// The nearest legal trace of the first finding of `rule`, as the report tells it.
  private func edits(_ rule: String, _ notation: String) throws -> [NearestLegalTrace.Edit] {
    let trace = try TraceNotation.parse(notation)
    let finding = try #require(Self.analyze(trace).findings.first { $0.rule == rule })
    return try #require(finding.nearest).edits
  }

  private func event(_ edit: NearestLegalTrace.Edit) -> (String, UInt64, Event) {
    switch edit {
    case .move(let event, .before(let other)): ("move before", other.sequence, event)
    case .move(let event, .after(let other)): ("move after", other.sequence, event)
    case .add(let event, .before(let other)): ("add before", other.sequence, event)
    case .add(let event, .after(let other)): ("add after", other.sequence, event)
    case .drop(let event): ("drop", 0, event)
    }
  }

  @Test func aMissingResignIsAdded() throws {
    let edits = try edits(
      "resign-before-background",
      """
      0s - profile mode=scene hooks=scene-delegate,scene-notifications
      1s main call sceneDidBecomeActive scene:1
      3s main call sceneDidEnterBackground scene:1
      """)

    #expect(edits.count == 1)
    let (what, place, added) = event(edits[0])
    #expect(what == "add before" && place == 2 && added.subject == .scene(1))
    #expect(added.verb == .call && added.name == Callback.sceneWillResignActive.symbol)
  }

  @Test func aResignThatComesTooLateIsMoved() throws {
    let edits = try edits(
      "resign-before-background",
      """
      0s - profile mode=app hooks=app-delegate,app-notifications
      1s main call applicationDidBecomeActive app
      1s main return applicationDidBecomeActive app
      3s main call applicationDidEnterBackground app
      3s main return applicationDidEnterBackground app
      4s main call applicationWillResignActive app
      4s main return applicationWillResignActive app
      """)

    #expect(edits.count == 1)
    let (what, place, moved) = event(edits[0])
    // To put the resign before the background and the background after the resign is the same.
    let isEither =
      what == "move before" && place == 3 && moved.sequence == 5
      || what == "move after" && place == 5 && moved.sequence == 3
    #expect(isEither)
  }

  @Test func aSecondLaunchIsDropped() throws {
    let edits = try edits(
      "launch-order",
      """
      0s - profile hooks=app-delegate,system
      0s - process.start app pid=1
      1s main call applicationDidFinishLaunching app
      1.1s main return applicationDidFinishLaunching app
      9s main call applicationDidFinishLaunching app
      9.1s main return applicationDidFinishLaunching app
      """)

    #expect(edits.count == 1)
    let (what, _, dropped) = event(edits[0])
    #expect(what == "drop" && dropped.sequence == 3)
  }

  @Test func whatComesDuringTheLaunchIsMovedBehindIt() throws {
    let edits = try edits(
      "launch-order",
      """
      0s - profile mode=scene hooks=app-delegate,scene-delegate,system
      0s - process.start app
      1s main call applicationDidFinishLaunching app
      1.1s main call sceneWillConnect scene:1
      1.2s main return sceneWillConnect scene:1
      1.3s main return applicationDidFinishLaunching app
      """)

    #expect(edits.count == 1)
    let (what, place, moved) = event(edits[0])
    let isEither =
      what == "move after" && place == 4 && moved.sequence == 2
      || what == "move before" && place == 2 && moved.sequence == 4
    #expect(isEither)
  }

  @Test func whatCameWhileSuspendedIsMovedBehindTheResume() throws {
    let edits = try edits(
      "order-nothing-while-suspended",
      """
      0s - profile mode=app hooks=app-delegate,system
      1s - suspend app
      2s main call applicationWillEnterForeground app
      2s main return applicationWillEnterForeground app
      3s - resume app
      """)

    #expect(edits.count == 1)
    let (what, place, moved) = event(edits[0])
    #expect(what == "move after" && place == 3 && moved.sequence == 1)
  }

  @Test func whatNoRuleFoundIsNotRepaired() throws {
    // The delegate need not implement the foreground: nothing is found of that.
    let edits = try edits(
      "active-alternates",
      """
      0s - profile mode=scene hooks=scene-delegate
      1s main call sceneWillResignActive scene:1
      2s main call sceneDidEnterBackground scene:1
      4s main call sceneDidBecomeActive scene:1
      5s main call sceneDidBecomeActive scene:1
      """)
    #expect(edits.count == 1)
    #expect(edits.allSatisfy { event($0).2.name != Callback.sceneWillEnterForeground.symbol })
  }

  @Test func aLongLifeIsSearchedAroundTheFinding() throws {
    var lines = ["0s - profile mode=app hooks=app-delegate,app-notifications,system"]
    lines.append("0s - process.start app")
    for cycle in 0..<200 {
      let names = [
        "DidBecomeActive", "WillResignActive", "DidEnterBackground", "WillEnterForeground",
      ]
      for (index, name) in names.enumerated() where cycle != 150 || index != 1 {
        lines.append("\(cycle * 10 + index + 1)s main call application\(name) app")
        lines.append("\(cycle * 10 + index + 1)s main return application\(name) app")
      }
    }

    let edits = try edits("resign-before-background", lines.joined(separator: "\n"))
    #expect(edits.count == 1)
    let (what, place, added) = event(edits[0])
    #expect(what == "add before", "\(place) \(added)")
    #expect(added.name == Callback.applicationWillResignActive.symbol)
    // 150 whole cycles of eight events, then the activation with its return.
    #expect(place == 150 * 8 + 3)
  }

  @Test func theLastOfManyScenesIsStillFollowed() throws {
    var lines = ["0s - profile mode=scene hooks=scene-delegate,scene-notifications,system"]
    lines.append("0s - process.start app")
    for scene in 1...200 {
      let names = ["WillConnect", "WillEnterForeground", "DidBecomeActive", "WillResignActive"]
      let last = scene == 200 ? ["DidBecomeActive", "DidEnterBackground"] : ["DidDisconnect"]
      for (index, name) in (names + last).enumerated() {
        lines.append("\(scene * 10 + index)s main call scene\(name) scene:\(scene)")
        lines.append("\(scene * 10 + index)s main return scene\(name) scene:\(scene)")
      }
    }

    let edits = try edits("resign-before-background", lines.joined(separator: "\n"))
    #expect(edits.count == 1)
    let (what, _, added) = event(edits[0])
    #expect(what == "add before" && added.subject == .scene(200))
    #expect(added.name == Callback.sceneWillResignActive.symbol)
  }

  @Test func everyViolatingExampleOfAnOrderIsRepaired() throws {
    let topics: Set<RuleDescription.Topic> = [.appOrder, .sceneOrder]
    for rule in RuleRegistry.all where topics.contains(rule.description.topic) {
      for example in rule.description.examples where example.isViolating {
        let trace = try TraceNotation.parse(example.notation.replacing(" ◀", with: ""))
        for finding in Analyzer.analyze(trace, rules: [rule]).findings {
          guard let nearest = finding.nearest else {
            Issue.record("\(finding.rule): \(example.title)")
            continue
          }
          if nearest.edits.isEmpty { continue }
          var repaired = Trace(
            vocabulary: trace.vocabulary, events: nearest.applied(to: trace.events))
          repaired.orderAndNumber()
          var again = Analyzer(trace.vocabulary, rules: [rule])
          again.observe(repaired.events)
          #expect(again.finish().findings.isEmpty, "\(finding.rule): \(example.title)")
        }
      }
    }
  }
}

extension NearestLegalTrace {
  /// Applies the edits to `events`, which are in order and number their writers' events.
  ///
  /// An event that is put elsewhere gets the instant of its new neighbor. The events get new
  /// sequences when the caller numbers them, see `Trace/orderAndNumber()`. Cost: the number of
  /// events for each edit.
  func applied(to events: [Event]) -> [Event] {
    var events = events
    for edit in edits {
      switch edit {
      case .drop(let event): _ = NearestLegalTrace.take(event, from: &events)
      case .move(let event, let place):
        NearestLegalTrace.put(NearestLegalTrace.take(event, from: &events), place, into: &events)
      case .add(let event, let place):
        var span = [event]
        if event.verb == .call {
          span.append(event)
          span[1].verb = .return
        }
        NearestLegalTrace.put(span, place, into: &events)
      }
    }
    return events
  }

  private static func index(_ event: Event, _ events: [Event]) -> Int? {
    events.firstIndex { $0.writer == event.writer && $0.sequence == event.sequence }
  }

  /// The place of what ends the span that begins at `index`.
  private static func end(_ index: Int, _ events: [Event]) -> Int? {
    let opening = events[index]
    if opening.verb != .call { return nil }
    var depth = 0
    for later in events.indices[(index + 1)...] {
      let event = events[later]
      guard event.writer == opening.writer, event.name == opening.name,
        event.subject == opening.subject
      else { continue }
      if event.verb == .call { depth += 1 }
      if event.verb == .return {
        if depth == 0 { return later }
        depth -= 1
      }
    }
    return nil
  }

  private static func take(_ event: Event, from events: inout [Event]) -> [Event] {
    guard let index = index(event, events) else { return [] }
    var taken: [Event] = []
    if let end = end(index, events) { taken.append(events.remove(at: end)) }
    taken.insert(events.remove(at: index), at: 0)
    return taken
  }

  private static func put(_ span: [Event], _ place: Place, into events: inout [Event]) {
    guard let neighbor = index(place.neighbor, events) else { return }
    var position = neighbor
    if case .after = place { position = (end(neighbor, events) ?? neighbor) + 1 }
    let instant = events[max(0, min(position, events.count) - (position > neighbor ? 1 : 0))]
      .instant
    events.insert(
      contentsOf: span.map { event in
        var event = event
        event.instant = instant
        return event
      }, at: position)
  }
}
