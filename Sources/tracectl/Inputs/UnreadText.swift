import LifecycleRules
import TraceReport
import TraceSources
import TraceText

/// Why a text in which nothing can be read is refused, and what would help.
enum UnreadText {
  /// The number of lines, from the first, that are looked at.
  private static let longestSample = 200

  /// What the text looks like, what was looked for, and what to do; `nil` where one of its first lines is a
  /// trace's, so that the place of its mistake says more.
  static func refusal(of text: ArraySlice<UInt8>) -> String? {
    let lines = text.split(separator: 0x0a, omittingEmptySubsequences: true)
      .map { $0.drop { $0 <= 0x20 } }.filter { !$0.isEmpty }
    guard let first = lines.first else { return nil }
    if lines.prefix(longestSample).contains(where: { TraceNotation.instant(ofLine: $0) != nil }) {
      return nil
    }
    if lines.prefix(longestSample).contains(where: isEvent) { return nil }

    let starts = lines.map { String(decoding: $0.prefix(8), as: UTF8.self) }
    if starts.contains("actions:"), first.first == UInt8(ascii: "#") || starts.contains("when:") {
      return "is a scenario; play it, and name its log: tracectl simulate SCENARIO -o log.bin"
    }

    if lines.count <= 3, let code = code(in: lines) {
      return "is in no format that tracectl reads, but names what ends processes; "
        + "tracectl explain \(code) says what it means"
    }
    // In a longer text only a code is no common word.
    let code = code(in: Array(lines.prefix(longestSample))).flatMap {
      $0.hasPrefix("0x") ? $0 : nil
    }
    let hint = code.map { "; it names \($0): tracectl explain \($0)" } ?? ""
    let reason = "is in no format that tracectl reads: \(look(of: first, count: lines.count)); "
    let sample = lines.prefix(longestSample)
    if Paste.hasStack(sample) {
      return reason
        + "it shows a stack without its heading: paste the lines above it, too, such as "
        + "Thread 0 Crashed: or Exception Type:" + hint
    }
    if sample.contains(where: Paste.isOfBuild) {
      return reason + "it is the output of a build, and no app ran" + hint
    }
    return reason
      + "no death was found in it; paste the crash report itself (.ips, .crash, JetsamEvent, that of an "
      + "SDK), or the console lines of the minute before the end" + hint
  }

  /// A word of a few lines that the table of deaths knows: a code, a signal, an exception.
  private static func code(in lines: [ArraySlice<UInt8>]) -> String? {
    let words = lines.flatMap {
      String(decoding: $0, as: UTF8.self).split { " ,;:()[]<>\"'`".contains($0) }
    }
    let codes = words.filter { $0.hasPrefix("0x") || $0.hasPrefix("SIG") || $0.hasPrefix("EXC_") }
    let known = codes.map(String.init).filter { !DeathCauses.find($0).isEmpty }
    return known.first { $0.hasPrefix("0x") } ?? known.first
  }

  /// Whether a line is an event in JSON, perhaps a damaged one.
  private static func isEvent(_ line: ArraySlice<UInt8>) -> Bool {
    line.starts(with: "{\"t\"".utf8)
      || line.starts(with: "{".utf8) && line.firstRange(of: "\"verb\"".utf8) != nil
  }

  private static func look(of first: ArraySlice<UInt8>, count: Int) -> String {
    let lines = CountText.of(count, "line")
    let bare = first.drop { "#*> ".utf8.contains($0) }
    let start = String(decoding: (bare.isEmpty ? first : bare).prefix(60), as: UTF8.self)
    let quoted = JSONText.quoted(start + (first.count > 60 ? "…" : ""))
    if first.first == UInt8(ascii: "<") { return "a page or a document in XML, of \(lines)" }
    let next = first.dropFirst().first { $0 > 0x20 } ?? UInt8(ascii: "\"")
    let isOpening = first.first == UInt8(ascii: "{") || first.first == UInt8(ascii: "[")
    if isOpening, "\"{[0123456789]}".utf8.contains(next) {
      return "JSON of another kind, beginning with \(quoted)"
    }
    return "text of \(lines), beginning with \(quoted)"
  }
}
