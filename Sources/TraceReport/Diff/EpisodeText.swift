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

  private var lines: [String] {
    let (first, second) = (examples.a?.tokens ?? [], examples.b?.tokens ?? [])
    let head = "  " + pad("A", 10) + pad("B", 10)
    return [head.trimmedEnd]
      + EpisodeAlignment(first, second).steps.map { step in
        switch step {
        case .both(let one, let other): line(" ", one, other, first[one])
        case .first(let one): style.severity(.error, line("-", one, nil, first[one]))
        case .second(let other): style.good(line("+", nil, other, second[other]))
        }
      }
  }

  private func line(_ mark: String, _ one: Int?, _ other: Int?, _ token: EventToken) -> String {
    let times = [one.map { examples.a?.offsets[$0] }, other.map { examples.b?.offsets[$0] }]
    let columns = times.map { time in pad((time ?? nil).map { TimeText.span($0) } ?? "", 10) }
    return "\(mark) \(columns.joined())\(InertText.line(token.text))"
  }
}

extension String {
  fileprivate var trimmedEnd: String { String(reversed().drop { $0 == " " }.reversed()) }
}
