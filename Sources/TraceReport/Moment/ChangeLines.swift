import LifecycleModel
import Run
import TraceText

/// The events of a run, one a line, each with what it changed.
///
/// ```
/// main#10   13.2s     main  call          applicationDidEnterBackground app   app is background
/// main#11   17s       main  return        applicationDidEnterBackground app   took 3.79s
/// ```
package struct ChangeLines {
  private static let eventWidth = 62

  private let vocabulary: Vocabulary
  private let printer: TraceNotation.Printer
  private let text: LaneText
  private var fold: RunFold
  private var bytes: [UInt8] = []

  /// The lines of a trace whose events belong to `vocabulary`.
  package init(_ vocabulary: Vocabulary) {
    self.vocabulary = vocabulary
    printer = TraceNotation.Printer(vocabulary: vocabulary)
    fold = RunFold(vocabulary)
    text = LaneText(vocabulary)
  }

  /// Whether what waits to be printed takes more memory than a line or two.
  package var isLong: Bool { bytes.count >= 1 << 16 }

  /// Takes the next event; it gets a line if it is shown.
  package mutating func take(_ event: Event, isShown: Bool) {
    fold.observe(event)
    guard isShown else { return }
    let said = TimeText.line(printer.line(event), at: event.instant)
    let line = pad(EventReference(event, vocabulary).text, 10) + said
    let words = fold.changes.compactMap(words)
    bytes += (words.isEmpty ? line : pad(line, ChangeLines.eventWidth) + "  " + joined(words)).utf8
    bytes.append(UInt8(ascii: "\n"))
  }

  /// What is to be printed by now.
  package mutating func takeBytes() -> [UInt8] { bytes.takeAll() }

  /// Lets the vocabulary forget what is not needed any more, when it has become large.
  package mutating func forgetUnusedWords() { fold.forgetUnusedWords() }

  /// Adds the words of what is open, which must not be forgotten.
  package func addUse(to use: inout VocabularyUse) { fold.addUse(to: &use) }

  /// The limit that passes next at `instant`, or has passed, of what is open: `4.2s left of 5s for
  /// applicationDidEnterBackground (main#13)`; `nil` when nothing that is open has one.
  package func nextLimit(at instant: Instant) -> String? {
    let moment = RunMoment(at: instant, nil, fold.state, last: [], next: [], vocabulary)
    let timed = moment.open.filter { $0.left != nil }
    guard let first = timed.min(by: { $0.left ?? 0 < $1.left ?? 0 }), let rest = first.rest,
      fold.state.processEnd == nil, fold.state.suspension == nil
    else { return nil }
    let what = first.event.name ?? first.event.label ?? first.event.verb
    return "\(rest) for \(InertText.word(what)) (\(first.event.reference.text))"
  }

  // MARK: Words

  private func joined(_ words: [String]) -> String {
    words.prefix(6).joined(separator: ", ") + CountText.more(words.count - 6, behind: " ")
  }

  /// What a change is, beyond what the event says itself: a new state, how long something took, what died;
  /// `nil` when it is nothing.
  private func words(_ change: RunChange) -> String? {
    switch change {
    case .begin(let bar):
      guard case .state(let word) = bar.content else { return nil }
      return "\(bar.scene.map { "scene \($0)" } ?? "app") is \(word)"
    case .end(let bar, let end):
      let length = TimeText.span(end.instant.since(bar.begin))
      switch (bar.content, end.cause) {
      case (.state, _): return nil
      case (.span, .closed): return "took \(length)"
      case (.suspension, .closed): return "was suspended for \(length)"
      case (_, .died): return "✗ \(text.text(bar)), for \(length)"
      case (_, .replaced), (_, .endOfLog), (_, .givenUp), (.process, .closed): return nil
      }
    case .gap(_, _, let from, let to, _):
      return "events are missing for \(TimeText.span(to.since(from)))"
    case .death: return nil
    }
  }
}
