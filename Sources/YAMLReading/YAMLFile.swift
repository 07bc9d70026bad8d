import Foundation
import Yams

/// The text of a file as a tree of YAML values, without what makes trees grow without end.
package struct YAMLFile {
  /// A larger file is not read.
  static let maximumBytes = 1 << 20
  /// Aliases can stand for aliases: with so many a file cannot grow beyond reason.
  static let maximumAliases = 16
  /// Keys that stand again below are set aside: a character from here on takes the place of their first
  /// one, another for each key.
  private static let firstMark: UInt32 = 0xf0000
  private static let maximumAside = 100

  let name: String
  /// Where problems go.
  package let problems: ProblemList
  /// The first characters of the keys that are set aside.
  private var aside: [Unicode.Scalar] = []
  /// The lines of the text, as they stand in the file.
  private(set) var lines: [Substring] = []

  /// A file that is named so in its problems.
  package init(name: String, problems: ProblemList) {
    (self.name, self.problems) = (name, problems)
  }

  /// The whole text as one value; `nil` when it is empty, or no YAML.
  package func parse(_ bytes: [UInt8]) -> YAMLValue? {
    guard bytes.count <= YAMLFile.maximumBytes else {
      fail(1, 1, "the file has \(bytes.count) bytes; the limit is 1 MiB")
      return nil
    }
    guard let text = String(bytes: bytes, encoding: .utf8) else {
      fail(1, 1, "the file is not UTF-8 text")
      return nil
    }
    guard checkAliases(bytes) else { return nil }
    var file = self
    file.lines = text.split(omittingEmptySubsequences: false) { $0 == "\n" || $0 == "\r\n" }
    return file.compose(text).map { YAMLValue($0, file) }
  }

  private func fail(_ line: Int, _ column: Int, _ message: String) {
    problems.add(.error, YAMLPlace(file: name, line: line, column: column), message)
  }

  /// Counts what may be aliases, also in texts and comments: better one too many than one too few.
  private func checkAliases(_ bytes: [UInt8]) -> Bool {
    var count = 0
    var line = 1
    for (index, byte) in bytes.enumerated() {
      if byte == UInt8(ascii: "\n") { line += 1 }
      guard byte == UInt8(ascii: "*"), index == 0 || YAMLFile.begins.contains(bytes[index - 1])
      else { continue }
      let rest = bytes[(index + 1)...]
      let name = rest.prefix { YAMLFile.isOfName($0) }
      let isName =
        !name.isEmpty
        && (name.endIndex == bytes.endIndex || YAMLFile.ends.contains(bytes[name.endIndex]))
      guard isName else { continue }
      count += 1
      if count > YAMLFile.maximumAliases {
        fail(line, 1, "there are more than \(YAMLFile.maximumAliases) aliases (*name)")
        return false
      }
    }
    return true
  }

  /// What may stand before an alias, and behind it.
  private static let begins = Set(" \t\r\n[{,:-?".utf8)
  private static let ends = Set(" \t\r\n]},:".utf8)

  private static func isOfName(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "-"):
      true
    default: byte >= 0x80
    }
  }

  /// Reads the text; each key that stands again below is set aside, so that the rest is read too.
  private mutating func compose(_ text: String) -> Node? {
    var text = text
    for _ in 0..<YAMLFile.maximumAside {
      do {
        return try Yams.compose(yaml: text)
      } catch YamlError.duplicatedKeysInMapping(_, let context) {
        guard let changed = settingAside(text, context.mark) else {
          fail(context.mark.line, context.mark.column, "expected each key only once")
          return nil
        }
        text = changed
      } catch let error as YamlError {
        report(error, text)
        return nil
      } catch {
        fail(1, 1, "the file is not valid YAML")
        return nil
      }
    }

    fail(1, 1, "there are too many duplicate keys")
    return nil
  }

  private mutating func settingAside(_ text: String, _ mark: Mark) -> String? {
    var lines = text.split(separator: "\n", omittingEmptySubsequences: false).map {
      Array($0.unicodeScalars)
    }
    guard lines.indices.contains(mark.line - 1) else { return nil }
    var column = mark.column - 1
    let line = lines[mark.line - 1]
    guard line.indices.contains(column) else { return nil }
    if line[column] == "\"" || line[column] == "'" { column += 1 }
    guard line.indices.contains(column),
      let scalar = Unicode.Scalar(YAMLFile.firstMark + UInt32(aside.count))
    else { return nil }
    aside.append(line[column])
    lines[mark.line - 1][column] = scalar

    return lines.map { line in
      var view = String.UnicodeScalarView()
      view.append(contentsOf: line)
      return String(view)
    }.joined(separator: "\n")
  }

  /// What a key was that is set aside; `nil` for any other.
  func wordSetAside(_ word: String) -> String? {
    guard let mark = word.unicodeScalars.first,
      mark.value >= YAMLFile.firstMark, mark.value - YAMLFile.firstMark < aside.count
    else { return nil }
    let first = aside[Int(mark.value - YAMLFile.firstMark)]
    return String(Character(first)) + String(word.unicodeScalars.dropFirst())
  }

  private func report(_ error: YamlError, _ text: String) {
    switch error {
    case .scanner(_, let problem, let mark, _), .parser(_, let problem, let mark, _),
      .composer(_, let problem, let mark, _):
      let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
      let line = lines.indices.contains(mark.line - 1) ? lines[mark.line - 1] : ""
      let isTab = line.prefix { $0 == " " || $0 == "\t" }.contains("\t")
      fail(
        mark.line, mark.column,
        isTab
          ? "expected spaces at the beginning of the line, found a tab"
          : YAMLFault.message(problem))
    case .reader(let problem, let offset, _, _):
      let before = text.utf8.prefix(offset ?? 0)
      let line = before.count { $0 == 10 } + 1
      fail(line, 1, YAMLFault.message(problem))
    default: fail(1, 1, "the file is not valid YAML")
    }
  }
}
