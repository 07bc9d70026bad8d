import Testing
import Tidy

/// How tests are written.
@Suite struct TestHabitTests {
  @Test func noTestSleeps() throws {
    for file in try Tree.tests where !file.path.contains("TidyTests") {
      for (number, line) in file.code {
        for word in ["usleep(", "nanosleep(", "Thread.sleep", "Task.sleep", " sleep("]
        where line.contains(word) && !line.contains("sleep()") {
          Tree.complain(
            file, number,
            "a test does not sleep: wait(until:) waits for what is so, or move a clock")
        }
      }
    }
  }

  @Test func noListOfTestsIsKeptByHand() throws {
    for file in try Tree.tests {
      if file.name == "LinuxMain.swift" { Tree.complain(file, 1, "remove it: tests are found") }
      for (number, line) in file.code
      where line.contains("allTests") && !file.path.contains("TidyTests") {
        Tree.complain(file, number, "remove the list: tests are found by @Test")
      }
    }
  }

  /// A filter that names nothing runs no test, and is green.
  @Test func theTestsThatDocumentsNameAreThere() throws {
    let tests = try Tree.tests
    let inCode = tests.flatMap { file in file.code.flatMap { words($0.line) } }
    let targets = tests.flatMap { $0.path.split(separator: "/").dropLast().map(String.init) }
    let known = Set(inCode + targets)

    for file in try Tree.files where !file.isCode {
      for (index, line) in file.lines.enumerated() {
        guard let range = line.firstRange(of: "--filter ") else { continue }
        let filter = line[range.upperBound...].split(whereSeparator: { " `')".contains($0) }).first
        for name in (filter ?? "").split(separator: "|")
        where name.first?.isLetter == true && !known.contains(String(name)) {
          Tree.complain(file, index + 1, "there is no test \(name); name one that is there")
        }
      }
    }
  }

  private func words(_ line: String) -> [String] {
    line.split { !$0.isLetter && !$0.isNumber && $0 != "_" }.map(String.init)
  }

  @Test func everyFileOfTestsIsNamedForASuiteInIt() throws {
    for file in try Tree.tests where file.name.hasSuffix("Tests.swift") {
      let suite = file.name.dropLast(".swift".count)
      let isThere = file.lines.contains { words($0).contains(String(suite)) }
      if !isThere { Tree.complain(file, 1, "name the file for the suite in it: \(suite) is not") }
    }
  }

  /// A test that expects nothing is green whatever happens.
  @Test func everyTestExpectsSomething() throws {
    for file in try Tree.tests {
      let functions = file.functions.filter { $0.name != nil }
      let expecting = expectingNames(functions)
      for (index, line) in file.lines.enumerated()
      where !file.isText[index] && line.withoutIndent.hasPrefix("@Test") {
        guard let test = functions.first(where: { $0.line > index }), !test.expects,
          !calls(test, expecting)
        else { continue }
        Tree.complain(file, test.line, "this test expects nothing; say what must be so")
      }
    }
  }

  /// The functions of a file that expect something, or call one that does.
  private func expectingNames(_ functions: [SourceFunction]) -> Set<String> {
    var names = Self.expectingHelpers.union(functions.filter(\.expects).compactMap(\.name))
    while true {
      let more = Set(functions.filter { calls($0, names) }.compactMap(\.name))
      if more.isSubset(of: names) { return names }
      names.formUnion(more)
    }
  }

  private func calls(_ function: SourceFunction, _ names: Set<String>) -> Bool {
    function.text.dropFirst().contains { line in words(line).contains(where: names.contains) }
  }

  /// What other files declare, and expects something.
  private static let expectingHelpers: Set<String> = [
    "expect", "expectNothingFound", "expectSnapshot", "check", "compare", "complain", "waitUntil",
  ]
}

extension SourceFunction {
  /// Its declaration and its body.
  fileprivate var text: [String] { [declaration] + body }

  fileprivate var expects: Bool {
    text.contains { line in
      ["#expect", "#require", "Issue.record", "withKnownIssue"].contains { line.contains($0) }
    }
  }

  /// Its name; `nil` for what is no function.
  fileprivate var name: String? {
    guard let range = declaration.firstRange(of: "func ") else { return nil }
    return String(declaration[range.upperBound...].prefix { $0.isLetter || $0.isNumber })
  }
}
