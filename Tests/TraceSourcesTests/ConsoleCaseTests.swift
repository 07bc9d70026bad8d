import Foundation
import Testing
import TraceSources

/// What a console prints, and what becomes of it: the cases of `Tests/Inputs/console`, whose README states their form.
@Suite struct ConsoleCaseTests {
  private static let folder = Captures.package.appending(path: "Tests/Inputs/console")

  /// The files of cases, by their names.
  static var files: [String] {
    get throws {
      try FileManager.default.contentsOfDirectory(atPath: folder.path)
        .filter { $0.hasSuffix(".txt") }.sorted()
    }
  }

  @Test(arguments: try files) func aCaptureBecomesWhatStandsBelowIt(file: String) throws {
    let url = Self.folder.appending(path: file)
    var cases = try ConsoleCase.all(in: String(contentsOf: url, encoding: .utf8))
    if ProcessInfo.processInfo.environment["UPDATE_SNAPSHOTS"] == "1" {
      for index in cases.indices { cases[index].result = cases[index].outcome() }
      try ConsoleCase.text(of: cases).write(to: url, atomically: true, encoding: .utf8)
    }

    #expect(!cases.isEmpty)
    for one in cases { #expect(one.outcome() == one.result, "\(file): \(one.name)") }
  }
}

/// A capture, written in short, and what becomes of it.
struct ConsoleCase {
  /// A sentence that states what the case shows.
  var name: String
  /// The words of its line of options: the form that the capture is written in, and the app that is asked for.
  var options: [Substring] = []
  var input: [Substring] = []
  var result = ""

  /// The events and what was counted, or the error.
  func outcome() -> String {
    let app = options.first { $0.hasPrefix("app=") }?.dropFirst(4)
    let text = captured(input.joined(separator: "\n"))
    var source = ConsoleSource(options: .init(app: app.map(String.init)))
    do {
      let events = try events(of: text.utf8, &source)
      return print(events, source.vocabulary) + "\n\(source.tally)"
    } catch {
      return "error: \(error)"
    }
  }

  /// The capture as its tool prints it; what is `raw` stands as it is.
  private func captured(_ short: String) -> String {
    switch options.first {
    case "raw": short + "\n"
    case "compact": ConsoleText.compact(short)
    case "syslog": ConsoleText.syslog(short)
    case "xcode": ConsoleText.xcode(short)
    default: ConsoleText.consoleApp(short)
    }
  }

  /// The cases of a file.
  static func all(in text: String) -> [ConsoleCase] {
    var cases: [ConsoleCase] = []
    var isResult = false
    for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
      if line.hasPrefix("== ") {
        cases.append(ConsoleCase(name: String(line.dropFirst(3))))
        isResult = false
        continue
      }

      guard let last = cases.indices.last else { continue }
      if line == "--" {
        isResult = true
      } else if isResult {
        if !line.isEmpty { cases[last].result += (cases[last].result.isEmpty ? "" : "\n") + line }
      } else if line.hasPrefix("@ ") {
        cases[last].options = line.dropFirst(2).split(separator: " ")
      } else {
        cases[last].input.append(line)
      }
    }
    return cases
  }

  /// A file of cases.
  static func text(of cases: [ConsoleCase]) -> String {
    cases.map { one in
      let options = one.options.isEmpty ? "" : "@ \(one.options.joined(separator: " "))\n"
      return "== \(one.name)\n\(options)\(one.input.joined(separator: "\n"))\n--\n\(one.result)\n"
    }.joined(separator: "\n")
  }
}
