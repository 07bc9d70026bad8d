import LifecycleModel

/// The examples of a rule: written as its page prints them, or one by one.
///
/// As text, an example is its answer (`clean`, `violating` or `cannot tell`) with its title, and below that its
/// trace, up to an empty line. `1s..2s main call …` stands for two lines of the trace, a call and its
/// return. Every verb that begins something may have two times, and so may `suspend`. The program stops at an example
/// that does not begin with one of the three answers.
public struct RuleExamples: Sendable {
  private let listed: [RuleExample]
  private let text: String

  /// Makes examples of some that were made one by one.
  public init(_ examples: [RuleExample]) { (listed, text) = (examples, "") }

  /// The examples; what is `given` stands before those that begin with no profile of their own.
  func all(given preamble: String?) -> [RuleExample] {
    let written = text.split(separator: "\n\n").map { RuleExample(written: $0) }
    return listed.map { $0.given(preamble) } + written.map { $0.given(preamble).unfolded }
  }
}

extension RuleExamples: ExpressibleByArrayLiteral, ExpressibleByStringInterpolation {
  /// Makes examples that were made one by one.
  public init(arrayLiteral examples: RuleExample...) { self.init(examples) }

  /// Makes examples of their text, which is read when they are asked for.
  public init(stringLiteral text: String) { (listed, self.text) = ([], text) }
}

extension RuleExample {
  /// The verb of what ends, by that of what begins.
  private static func end(of word: Substring) -> Substring? {
    let verb = Verb(word: String(word))
    let end = verb == .suspend ? .resume : verb.flatMap(SpanFamily.opened(by:))?.closing
    return end?.word.map { $0[...] }
  }

  /// The same with two lines in the place of each that has two times, each where its time is reached.
  fileprivate var unfolded: RuleExample {
    if !notation.contains("..") { return self }
    var lines: [(time: Nanoseconds, text: String)] = []
    func put(_ time: Substring, _ rest: Substring...) {
      let instant = InstantText.parse(ArraySlice(time.utf8)) ?? .max
      let place = lines.lastIndex { $0.time <= instant }.map { $0 + 1 } ?? 0
      lines.insert((instant, ([time] + rest).joined(separator: " ")), at: place)
    }

    for line in notation.split(separator: "\n") {
      let words = line.split(separator: " ", maxSplits: 3)
      guard !words.isEmpty else { continue }
      let times = words[0].split(separator: "..")
      let rest = line.dropFirst(words[0].count + 1)
      guard times.count == 2, words.count == 4, let end = Self.end(of: words[2]) else {
        put(words[0], rest)
        continue
      }
      put(times[0], rest)
      let what = words[3].hasSuffix(" \(Self.mark)") ? words[3].dropLast(2) : words[3]
      put(times[1], words[1], end, what)
    }
    return RuleExample(
      title: title, notation: lines.map(\.text).joined(separator: "\n"), isViolating: isViolating,
      isUndecided: isUndecided)
  }

  fileprivate init(written text: Substring) {
    let heading = text.prefix { $0 != "\n" }
    let answer = heading.prefix { $0 != ":" }
    let title = String(heading.dropFirst(answer.count + 2))
    let trace = String(text.dropFirst(heading.count + 1))

    switch answer {
    case "clean": self = .clean(title, trace)
    case "violating": self = .violating(title, trace)
    case "cannot tell": self = .cannotTell(title, trace)
    default:
      preconditionFailure(
        "expected \"clean:\", \"violating:\" or \"cannot tell:\", and a title, not: \(heading)")
    }
  }
}
