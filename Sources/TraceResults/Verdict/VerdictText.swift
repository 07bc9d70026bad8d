import LifecycleModel
import TraceAnalysis
import TraceText

/// A verdict as a person reads it, in at most eight lines.
package struct VerdictText {
  /// The largest number of lines.
  private static let longest = 8

  /// An entry of the text: a title, or a line under it with its heading.
  private struct Part {
    /// What stands before it; of a title its mark.
    var heading: String
    var text: String
    /// How many lines it may take.
    var most = 1
    /// How serious it is, of a title.
    var tone: Verdict.Tone?
  }

  private let verdict: Verdict
  private let results: AnalysisResults
  private let style: TextStyle
  /// The log as a command names it, with the options that it needs; `nil` of many logs.
  private let log: String?

  /// Makes a text; `log` is what a person would give to a command for the log.
  package init(_ results: AnalysisResults, style: TextStyle = .plain, log: String? = nil) {
    (verdict, self.results, self.style, self.log) = (Verdict(results), results, style, log)
  }

  /// The lines; the same results give the same text.
  package var text: String {
    let unseen = verdict.unseen.flatMap { [$0.text, $0.step].joined(by: " → ") }
    let others = [("also", also), ("log", verdict.fault), ("unread", unread), ("unseen", unseen)]
    var parts = verdict.items.flatMap(parts)
    parts += others.compactMap { heading, text in
      text.map { Part(heading: heading, text: $0, most: 2) }
    }
    if parts.count > 1, let more { parts.append(Part(heading: "more", text: more)) }

    let head = results.log == nil ? [Headline(results, style).ofMany] : []
    var all = parts.map { (part: $0, lines: laidOut($0)) }
    func isTooLong() -> Bool { all.reduce(head.count, { $0 + $1.lines.count }) > Self.longest }
    if isTooLong() { all.removeAll { $0.part.heading == "unseen" } }
    // The last of those that take more than a line gives one up, then the second item its fix and its cause.
    while isTooLong(), let place = all.indices.last(where: { all[$0].lines.count > 1 }) {
      all[place].part.most = all[place].lines.count - 1
      all[place].lines = laidOut(all[place].part)
    }
    for heading in ["fix", "cause", "found", "also"] where isTooLong() {
      if let place = all.lastIndex(where: { $0.part.heading == heading }) { all.remove(at: place) }
    }
    let lines = head + all.flatMap { painted($0.lines, $0.part) }
    return lines.joined(separator: "\n") + "\n"
  }

  private func parts(_ item: Verdict.Item) -> [Part] {
    var parts = [Part(heading: item.tone.look.mark, text: item.title, most: 2, tone: item.tone)]
    if let cause = item.ratedCause {
      parts.append(Part(heading: item.heading, text: cause, most: 3))
    }
    if let fix = item.fix { parts.append(Part(heading: "fix", text: fix, most: 2)) }
    return parts
  }

  /// As many phrases as a line has room for, and how many more there are.
  private var also: String? {
    if verdict.also.isEmpty { return nil }
    var (line, left) = ("", verdict.also.count)
    for phrase in verdict.also {
      let longer = line.isEmpty ? phrase : "\(line); \(phrase)"
      if !line.isEmpty, longer.count > 2 * style.width - 40 { break }
      (line, left) = (longer, left - 1)
    }
    return line + CountText.more(left, behind: "; ")
  }

  /// The logs that could not be read: the first error, and how many more there are.
  private var unread: String? {
    guard let first = results.unreadable.first else { return nil }
    let left = results.unreadable.count - 1
    return first.error + (left > 0 ? "; and \(CountText.of(left, "more log"))" : "")
  }

  private var more: String? {
    if let log {
      let commands = ["tracectl analyze \(log) -v", "tracectl report \(log) --open"]
      let line = commands.joined(separator: " · ")
      return line.count > style.width - 11 ? commands[0] : line
    }
    if results.log != nil { return nil }
    let first = verdict.items.lazy.compactMap(\.log).first
    return first.map { "tracectl analyze \(ShellWord.file(InertText.plain($0))) -v" }
  }

  // MARK: Lines

  /// The lines of a part; the last ends with an ellipsis where there is no room for all.
  private func laidOut(_ part: Part) -> [String] {
    // A command stays whole, so that it can be copied.
    if part.heading == "more" { return ["  " + pad(part.heading, 9) + part.text] }
    let wrapped =
      part.tone == nil
      ? Wrap.entry(part.heading, part.text, indent: "  ", width: style.width)
      : Wrap.lines(part.text, indent: part.heading + " ", hanging: "  ", width: style.width)
    let all = wrapped.split(separator: "\n").map(String.init)
    var lines = Array(all.prefix(part.most))
    if all.count > lines.count, let last = lines.popLast() {
      var place = part.heading == "fix" ? Self.place(atEndOf: part.text) : ""
      if place.count > style.width / 2 { place = "" }
      lines.append(last.prefix(style.width - 2 - place.count) + " …" + place)
    }
    return lines
  }

  /// ` (Store.swift:88)`, the place in the code with which an advice ends, however much of it is cut off.
  private static func place(atEndOf text: String) -> Substring {
    guard text.hasSuffix(")") else { return "" }
    var depth = 0
    let open = text.indices.reversed().first { index in
      depth += text[index] == ")" ? 1 : text[index] == "(" ? -1 : 0
      return depth == 0
    }
    guard let open, open > text.startIndex else { return "" }
    return text[text.index(before: open)...]
  }

  /// The lines of a part in colours.
  private func painted(_ lines: [String], _ part: Part) -> [String] {
    if let tone = part.tone { return lines.map { style.tone(tone, $0) } }
    guard let first = lines.first else { return [] }
    return [style.dim(String(first.prefix(11))) + first.dropFirst(11)] + lines.dropFirst()
  }
}

extension Verdict.Tone {
  /// The mark before a title, and its colour as ANSI has it.
  package var look: (mark: String, color: String) {
    switch self {
    case .error: ("✗", "1;31")
    case .warning: ("!", "1;33")
    case .unknown: ("?", "1")
    case .info: ("·", "1;36")
    case .good: ("✓", "32")
    }
  }
}
