import LifecycleModel
import TraceText

/// The text in which the system named open background tasks, up to iOS 9.
///
///     Notes[412] has active assertions beyond permitted time:
///     {(
///         <BKProcessAssertion: 0x1> identifier: save process: Notes[412] permittedBackgroundDuration: \
///     180.000000 reason: finishTask owner pid:412 preventSuspend
///     )}
enum AssertionText {
  /// The most tasks that are read.
  private static let most = 256

  private static func isOfWord(_ byte: UInt8) -> Bool { byte > 0x20 && byte != "," }

  /// Whether a line begins the text.
  static func isHeading(_ line: ArraySlice<UInt8>) -> Bool {
    line.contains("has active assertions beyond permitted time:")
  }

  /// The tasks that a text names.
  static func tasks(in text: String) -> [TerminationReport.OpenTask] {
    guard text.contains("has active assertions beyond permitted time") else { return [] }
    var tasks: [TerminationReport.OpenTask] = []
    for line in text.split(separator: "\n") {
      if let task = task(in: String(line).slice), tasks.count < most { tasks.append(task) }
    }
    return tasks
  }

  /// Reads the process that the text is about: `Notes[412] has …`, or `<BKNewProcess: 0x1;
  /// com.example.notes; pid: 412; hostpid: -1> has …`.
  static func subject(of text: String) -> (name: String?, pid: Int32?, bundle: String?)? {
    let bytes = text.slice
    guard let mark = bytes.firstRange(of: " has active assertions beyond") else { return nil }

    let start = bytes[..<mark.lowerBound].lastIndex(of: 0x0a).map { $0 + 1 } ?? bytes.startIndex
    let subject = bytes[start..<mark.lowerBound]
    if let number = subject.word(behind: "; pid: ", while: isOfWord) {
      let parts = subject.split(separator: ";")
      let bundle = parts.count > 1 ? parts[1].text.trimmedStart : nil
      return (nil, Int32(number.filter(\.isNumber)), bundle?.contains(".") == true ? bundle : nil)
    }
    guard let open = subject.lastIndex(of: "["), subject.last == "]" else { return (nil, nil, nil) }
    // In a line of the console its time and its process stand before the name.
    let name = subject[..<open]
    let before = name.lastIndex { $0 == ":" || $0 == ">" }
    return (
      name[(before.map { $0 + 1 } ?? name.startIndex)...].drop { $0 <= 0x20 }.text,
      Int32(subject[(open + 1)...].dropLast().text), nil
    )
  }

  /// Reads one item: the name has blanks, and ends where the process is said; since iOS 10 it stands in quotes.
  private static func task(in line: ArraySlice<UInt8>) -> TerminationReport.OpenTask? {
    if line.starts(with: "<BKProcessAssertion: "), let words = line.behind("; \"") {
      let name = words.before("\" (").text
      return TerminationReport.OpenTask(name: name, allowed: nil, reason: nil)
    }
    guard let process = line.firstRange(of: " process: ") else { return nil }
    let (head, rest) = (line[..<process.lowerBound], line[process.upperBound...])
    guard let words = head.behind(" name: ") ?? head.behind("identifier: ") else { return nil }
    let seconds = rest.word(behind: "permittedBackgroundDuration: ", while: isOfWord)
    let name = words.prefix(Termination.longestText).text
    return TerminationReport.OpenTask(
      name: name, allowed: seconds.flatMap { InstantText.parse(($0 + "s").slice) },
      reason: rest.word(behind: "reason: ", while: isOfWord))
  }
}
