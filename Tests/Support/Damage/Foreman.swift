import ChildPrograms
import Platform
import TraceText

/// Gives ranges of cases to processes, and gathers what they say.
struct Foreman {
  private(set) var tallies: [Tally]
  private let choice: Choice
  /// Ranges that wait, and those that are worked on, by the process.
  private var waiting: [(log: Int, cases: Range<Int>)] = []
  private var busy: [pid_t: (log: Int, cases: Range<Int>, output: String)] = [:]
  /// What is wrong, a line each with how to see it again.
  private(set) var complaints: [String] = []
  private let folder: Folder
  private var started = 0

  /// So many cases a process tries at the most, before what it found is told.
  private static let range = 20_000
  /// So many complaints of a log are told in full.
  private static let told = 5

  init(_ tallies: [Tally], _ choice: Choice) throws {
    (self.tallies, self.choice) = (tallies, choice)
    folder = try Folder()
    for (log, tally) in tallies.enumerated() {
      let size = Foreman.range * choice.share
      for start in stride(from: 0, to: tally.caseCount, by: size) {
        waiting.append((log, start..<min(start + size, tally.caseCount)))
      }
    }
  }

  /// Works until nothing waits.
  mutating func run(workers: Int) throws {
    while !waiting.isEmpty || !busy.isEmpty {
      while busy.count < workers, let next = waiting.first {
        waiting.removeFirst()
        try begin(next.log, next.cases)
      }
      try finishOne()
    }
  }

  private mutating func begin(_ log: Int, _ cases: Range<Int>) throws {
    started += 1
    let output = "output.\(started)"
    let process = try Child.start(
      [
        CommandLine.arguments[0], "work", "\(log)", "\(cases.lowerBound)", "\(cases.upperBound)",
        "\(choice.share)", "\(choice.seed)",
      ], output: folder.path(output), errors: folder.path(output + ".errors"))
    busy[process] = (log, cases, output)
  }

  private mutating func finishOne() throws {
    let (process, status) = Child.wait()
    guard let work = busy.removeValue(forKey: process) else { return }
    defer { for name in [work.output, work.output + ".errors"] { unlink(folder.path(name)) } }
    let text = folder.text(work.output)
    let lines = text.split(separator: "\n").map { $0.split(separator: "\t") }
    var last: Int?
    for words in lines where words.count > 1 {
      switch words[0] {
      case "case": last = Int(words[1]) ?? last
      case "wrong": complain(work.log, Int(words[1]) ?? 0, "\(words[2])", \.wrongCount)
      case "done": tallies[work.log].add(words.dropFirst().compactMap { Int($0) })
      default: break
      }
    }
    guard status != 0 else { return }

    let errors = folder.text(work.output + ".errors").split(separator: "\n").first ?? ""
    guard let last else { throw Failure("\(tallies[work.log].name): \(errors)") }
    let isHang = status == 128 + SIGALRM
    complain(
      work.log, last, "died with status \(status): \(errors)",
      isHang ? \.hangCount : \.trapCount)
    // What the process had found before it died is found again.
    for rest in [work.cases.lowerBound..<last, last + 1..<max(last + 1, work.cases.upperBound)]
    where !rest.isEmpty {
      waiting.insert((work.log, rest), at: 0)
    }
  }

  private mutating func complain(
    _ log: Int, _ number: Int, _ text: String, _ count: WritableKeyPath<Tally, Int>
  ) {
    tallies[log][keyPath: count] += 1
    guard tallies[log].toldCount < Foreman.told else { return }
    tallies[log].toldCount += 1
    complaints.append("\(tallies[log].name): \(text)\n  damage case \(log) \(number)")
  }

  /// What a process says before each case; the end of its output is what it was at.
  static func note(_ number: Int) {
    lseek(STDOUT_FILENO, 0, SEEK_SET)
    let line = "case\t\(number)          \n"
    _ = write(STDOUT_FILENO, line, line.utf8.count)
  }

  /// What a process says at its end.
  static func tell(_ findings: Worker.Findings) {
    lseek(STDOUT_FILENO, 0, SEEK_END)
    var lines = findings.complaints.map {
      "wrong\t\($0.number)\t\(InertText.line($0.text).prefix(300))"
    }
    let figures = [findings.slowest, findings.changedCount] + findings.counts
    lines.append((["done"] + figures.map(String.init)).joined(separator: "\t"))
    let text = lines.joined(separator: "\n") + "\n"
    _ = write(STDOUT_FILENO, text, text.utf8.count)
  }
}
