import LifecycleModel
import TraceAnalysis
import TraceText

/// An episode of each side, event by event: what both have, what A alone has, and what B.
package struct EpisodeText {
  private let kind: String
  private let examples: (a: EpisodeExample?, b: EpisodeExample?)
  private let style: TextStyle

  /// Makes the text of one kind of episode, of which each side has an example or none.
  package init(
    _ kind: String, _ first: EpisodeExample?, _ second: EpisodeExample?, style: TextStyle = .plain
  ) {
    (self.kind, self.style) = (kind, style)
    examples = (first, second)
  }

  /// The whole text.
  package var text: String {
    let heading = style.bold(InertText.line(kind))
    let sides = [side("A", examples.a), side("B", examples.b)]
    return ([heading] + sides + [""] + lines).joined(separator: "\n") + "\n"
  }

  private func side(_ name: String, _ example: EpisodeExample?) -> String {
    guard let example else { return "\(name)  has no such episode" }
    let start = TimeText.instant(example.start)
    return "\(name)  the first at \(start); \(example.alike) of "
      + "\(CountText.of(example.all, "episode")) \(example.alike == 1 ? "is" : "are") so"
  }

  /// As much as can be is in both, in order; what A alone has comes before what B alone has.
  private var lines: [String] {
    let (first, second) = (examples.a?.tokens ?? [], examples.b?.tokens ?? [])
    var (gone, new): (Set<Int>, Set<Int>) = ([], [])
    for change in second.difference(from: first) {
      switch change {
      case .remove(let place, _, _): gone.insert(place)
      case .insert(let place, _, _): new.insert(place)
      }
    }

    var lines = ["  " + pad("A", 10) + "B"]
    var (one, other) = (0, 0)
    while one < first.count || other < second.count {
      if gone.contains(one) {
        lines.append(style.severity(.error, line("-", one, nil, first[one])))
        one += 1
      } else if new.contains(other) {
        lines.append(style.good(line("+", nil, other, second[other])))
        other += 1
      } else {
        lines.append(line(" ", one, other, first[one]))
        (one, other) = (one + 1, other + 1)
      }
    }
    return lines
  }

  private func line(_ mark: String, _ one: Int?, _ other: Int?, _ token: EventToken) -> String {
    let times = [one.map { examples.a?.offsets[$0] }, other.map { examples.b?.offsets[$0] }]
    let columns = times.map { time in pad((time ?? nil).map { TimeText.span($0) } ?? "", 10) }
    return "\(mark) \(columns.joined())\(InertText.line(token.text))"
  }
}
