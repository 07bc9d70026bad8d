import LifecycleModel
import TraceLog

// Logs of notes, each of which has what one column or one limit of the format is about.
extension Recipe {
  private typealias Change = @Sendable (inout Event, Int, Vocabulary) -> Void

  /// A log of notes of the main thread, a millisecond each, as `change` makes them.
  private static func notes(
    _ name: String, _ holds: String, _ count: Int, block: Int,
    _ change: @escaping Change = { _, _, _ in }
  ) -> Recipe {
    one(name, holds, block: block) {
      let words = Vocabulary()
      var trace = Trace(vocabulary: words)
      for place in 0..<count {
        var event = Event(
          instant: Instant(nanoseconds: Int64(1_000_000 * place)), writer: .main, verb: .note)
        event.label = words.symbol("note \(place % 4)")
        change(&event, place, words)
        trace.events.append(event)
      }
      trace.orderAndNumber()
      return trace
    }
  }

  // MARK: Words

  static let words = [
    notes("verbs", "every known verb, twice", 2 * Verb.known.count, block: 24) { event, place, _ in
      let verbs = Verb.known.filter { $0 != .gap }
      event.verb = verbs[place % verbs.count]
    },
    notes("unknown verbs", "verbs of a later version", 60, block: 15) { event, place, words in
      if let verb = try? words.verb("later.\(place % 20)") { event.verb = verb }
    },
    notes("attributes", "every form of attributes", 40, block: 11) { event, place, words in
      event.attributes = words.attributes(attributes(place))
    },
    notes("writers", "20 writers", 90, block: 30) { event, place, words in
      if let writer = try? words.writer("thread \(place * 7 % 20)") { event.writer = writer }
    },
    notes("names", "names of writers in all scripts", 42, block: 7) { event, place, words in
      let names = ["", "ü", "👩‍👩‍👧", "\u{1b}[31m", "-", "main", "a b", "\0"]
      if let writer = try? words.writer(names[place % names.count]) { event.writer = writer }
    },
    notes("gaps", "gaps of every cause", 36, block: 6, gaps),
    notes("long texts", "texts of 900 bytes", 9, block: 3) { event, place, words in
      let text = (0..<150).map { "\(($0 &* 7919 &* (place + 3)) % 9973)," }.joined()
      event.label = words.symbol(String(text.prefix(900 / (1 + place % 3))))
    },
    notes("profiles", "profiles with every hook", 25, block: 5, profiles),
    notes("values", "values from end to end of 64 bits", 48, block: 12) { event, place, _ in
      let values: [Int64] = [.min, .max, 0, -1, 1, 1 << 62, -(1 << 40), 255]
      event.value = place % 5 == 0 ? nil : values[place % values.count]
      event.subject = .task(UInt32.max / UInt32(place + 1))
    },
  ]

  private static func attributes(_ place: Int) -> [Attribute] {
    switch place % 8 {
    case 0: []
    case 1: [Attribute(.line, "\(place * 31)")]
    case 2: [Attribute("line", "007")]
    case 3: [Attribute("", ""), Attribute("k", "")]
    case 4: (0..<20).map { Attribute("k\($0)", "\($0 % 3)") }
    case 5: [Attribute(.line, "5"), Attribute(.at, "Editor/Note.swift:42")]
    case 6: [Attribute("ü", "\n\t\u{1b}[0m")]
    default: [Attribute("k", String(repeating: "v", count: place))]
    }
  }

  private static let profiles: Change = { event, place, words in
    guard place % 2 == 0 else { return }
    let hooks = Hook.independent.map(\.rawValue).dropFirst(place / 2)
    event.verb = .profile
    event.attributes = words.attributes([
      Attribute(.mode, place % 4 == 0 ? "app" : "scene"), Attribute(.os, "18.\(place)"),
      Attribute(.hooks, hooks.joined(separator: ",")),
    ])
  }

  private static let gaps: Change = { event, place, words in
    guard place % 3 == 1 else { return }
    let causes = [GapCause.ringFull, .diskFull, .sourceHole]
    var gap = Gap(causes[place % 2])
    if place % 4 == 0 { gap = Gap(causes[place % 3]) }
    if place % 5 == 0 {
      // Of a writer that says nothing itself.
      let from = UInt64(1000 * place)
      gap = Gap(.ringFull, writer: "side", from: from, to: from + 3)
    }
    gap.within = 10
    event = gap.event(at: event.instant, in: words)
  }

  // MARK: Shapes of blocks

  static let shapes = [
    notes("one event", "one event", 1, block: 10),
    notes("single", "blocks of one event", 9, block: 1),
    notes("one block", "one block", 200, block: 1000) { event, place, _ in
      event.value = Int64(place * place)
    },
    notes("300 shapes", "more than a byte numbers", 300, block: 400) { event, place, words in
      event.label = words.symbol("n\(place)")
    },
    notes("open tasks", "checkpoints longer than blocks", 70, block: 8) { event, place, words in
      event.verb = place < 45 ? .taskBegin : .taskEnd
      event.subject = .task(UInt32(place < 45 ? place : place - 44))
      event.label = words.symbol("upload")
    },
    notes("no checkpoint", "more writers than it takes", 110, block: 40) { event, place, words in
      if let writer = try? words.writer("w\(place % 70)") { event.writer = writer }
      event.verb = place < 70 ? .call : .note
      event.name = Callback.sceneDidBecomeActive.symbol
      event.subject = .scene(UInt32(place))
    },
    notes("empty", "a file header alone", 0, block: 10),
  ]
}
