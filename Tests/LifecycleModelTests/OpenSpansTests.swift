import Testing
import Traces

@testable import LifecycleModel

/// What is open, held against a list that is searched from its end.
@Suite struct OpenSpansTests {
  /// The same, slow and plain.
  private struct PlainSpans {
    var open: [(family: SpanFamily, fact: OpenEvent)] = []

    /// What a begin and its end have in common, as the article `Events` says it.
    static func areEqual(_ family: SpanFamily, _ begin: Event, _ end: Event) -> Bool {
      guard begin.subject == end.subject else { return false }
      switch family {
      case .task, .expiration, .snapshot: return true
      case .data: return begin.label == end.label
      case .bgtask: return begin.name == end.name && begin.value == end.value
      case .call:
        return begin.writer == end.writer && begin.name == end.name && begin.label == end.label
          && begin.value == end.value
      case .observe, .work, .resource, .delivery:
        return begin.name == end.name && begin.label == end.label && begin.value == end.value
      }
    }

    func index(closedBy event: Event, _ family: SpanFamily) -> Int? {
      open.lastIndex {
        $0.family == family && PlainSpans.areEqual(family, $0.fact.event, event)
      }
    }

    func facts(_ family: SpanFamily) -> [OpenEvent] {
      open.filter { $0.family == family }.map(\.fact)
    }
  }

  private struct Life {
    var random: SeededGenerator
    var spans = OpenSpans()
    var plain = PlainSpans()
    var ordinal: UInt64 = 0

    init(seed: UInt64) { random = SeededGenerator(seed: seed) }

    mutating func pick<Element>(_ elements: [Element]) -> Element {
      elements[Int.random(in: elements.indices, using: &random)]
    }

    /// An event of few words, so that many are equal.
    mutating func event(_ verb: Verb) -> Event {
      Event(
        instant: Instant(nanoseconds: Int64(ordinal)), writer: pick([.main, .system]), verb: verb,
        name: pick([.none, WorkCategory.save.symbol, WorkCategory.timer.symbol]),
        subject: pick([.app, .scene(1), .scene(2), .task(1)]),
        label: pick([.none, Resource.lock.symbol]), value: pick([nil, 0, 7]))
    }

    mutating func open() {
      let family = pick(SpanFamily.allCases)
      ordinal += 1
      let fact = OpenEvent(event: event(family.opening), ordinal: ordinal, suspendedBefore: 0)
      spans.open(fact, family)
      plain.open.append((family, fact))
    }

    mutating func close() {
      let family = pick(SpanFamily.allCases)
      let event = event(family.closing)
      let index = plain.index(closedBy: event, family)
      #expect(spans.span(closedBy: event, family) == index.map { plain.open[$0].fact })
      spans.close(event, family)
      if let index { plain.open.remove(at: index) }
    }

    mutating func closeOneThatIsOpen() {
      guard let (family, fact) = plain.open.randomElement(using: &random) else { return }
      let index = plain.index(closedBy: fact.event, family)
      #expect(spans.span(closedBy: fact.event, family) == index.map { plain.open[$0].fact })
      spans.close(fact.event, family)
      if let index { plain.open.remove(at: index) }
    }

    func compare() {
      #expect(spans.count == plain.open.count)
      #expect(spans.facts == plain.open.map(\.fact))
      #expect(spans.brokenInvariants() == [])
      for family in SpanFamily.allCases {
        #expect(spans.facts(family) == plain.facts(family))
        #expect(spans.count(family) == plain.facts(family).count)
        let newest = plain.facts(family).last {
          $0.event.name == WorkCategory.save.symbol && $0.event.subject == .scene(1)
        }
        #expect(
          spans.newest(family, name: WorkCategory.save.symbol, subject: .scene(1)) == newest)
      }
    }
  }

  /// Waves of opening and closing, so that the table gets its index and loses it again.
  @Test(arguments: 0..<24) func theTableIsTheList(seed: UInt64) {
    print("seed \(seed)")
    var life = Life(seed: seed)
    for wave in 0..<6 {
      for step in 0..<60 {
        let opens = wave % 2 == 0 ? life.random.oneIn(4) == false : life.random.oneIn(4)
        if opens {
          life.open()
        } else if life.random.oneIn(2) {
          life.close()
        } else {
          life.closeOneThatIsOpen()
        }
        if step % 15 == 0 { life.compare() }
      }
      life.compare()
    }
  }

  @Test(arguments: 0..<4) func allThatIsOpenedCanBeClosed(seed: UInt64) {
    print("seed \(seed)")
    var life = Life(seed: seed)
    for _ in 0..<150 { life.open() }
    life.compare()
    while !life.plain.open.isEmpty { life.closeOneThatIsOpen() }
    life.compare()
    #expect(life.spans.count == 0 && life.spans.facts == [])
  }

  /// What is open in another copy is another matter.
  @Test func aCopyIsAValue() {
    var life = Life(seed: 5)
    for _ in 0..<80 { life.open() }
    let copy = life.spans
    let before = copy.facts
    for _ in 0..<60 { life.closeOneThatIsOpen() }
    #expect(copy.facts == before && copy.brokenInvariants() == [])
    life.compare()
  }

  @Test func ofACrowdTheOldestAndTheNewestAreLookedAt() {
    var spans = OpenSpans()
    let limit = SpanFamily.snapshot.looksAt
    for number in 0..<UInt64(limit + 40) {
      let event = Event(
        instant: .origin, writer: .system, verb: .snapshotBegin, subject: .scene(UInt32(number)))
      spans.open(OpenEvent(event: event, ordinal: number + 1, suspendedBefore: 0), .snapshot)
    }

    #expect(spans.count(.snapshot) == limit + 40)
    let looked = spans.facts(.snapshot).map(\.event.subjectNumber)
    let half = UInt32(limit / 2)
    let last = UInt32(limit + 40)
    #expect(looked == Array(0..<half) + Array((last - half)..<last))
    #expect(spans.newest(.snapshot, name: .none, subject: .scene(last - 1)) != nil)

    // It is open, but further back than a question looks.
    #expect(spans.newest(.snapshot, name: .none, subject: .scene(0)) == nil)
    #expect(spans.brokenInvariants() == [])
  }

  @Test func everyVerbBelongsToOneFamily() {
    let verbs = SpanFamily.allCases.flatMap { [$0.opening, $0.closing] }
    #expect(Set(verbs).count == 2 * SpanFamily.allCases.count)
    #expect(verbs.allSatisfy { $0.isKnown })
    for family in SpanFamily.allCases {
      #expect(family.opening.takesName == family.closing.takesName, "\(family)")
    }
  }
}
