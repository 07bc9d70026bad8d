import LifecycleModel
import TraceText

/// A baseline file cannot be read.
public struct BaselineError: Error, Hashable, CustomStringConvertible, Sendable {
  /// The line, from 1.
  public var line: Int
  /// What stands there, what was expected, and what to do.
  public var description: String
}

/// A baseline is a file of lines: a heading, and a JSON object for each entry.
extension Baseline {
  private static let schema = "tracectl-baseline"

  /// The file's text: the same entries give the same text.
  public var text: String {
    var bytes = Array("{\"schema\":\"\(Baseline.schema)\",\"version\":\(Baseline.version)}\n".utf8)
    for entry in entries { entry.append(to: &bytes) }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// Reads a file's text.
  ///
  /// Lines may stand in any order; blank lines and members that are not known do not count. Throws a
  /// ``BaselineError`` at the first line that cannot be read.
  public init(text: some Sequence<UInt8>) throws(BaselineError) {
    let lines = Array(text).split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
    var entries: [Entry] = []
    var places: [String: Int] = [:]
    var hasHeading = false

    for (index, line) in lines.enumerated() {
      let line = line.last == UInt8(ascii: "\r") ? line.dropLast() : line
      if line.allSatisfy({ $0 == UInt8(ascii: " ") }) { continue }
      let reader = try Line(line, index + 1)
      guard hasHeading else {
        try Baseline.checkHeading(reader)
        hasHeading = true
        continue
      }
      let entry = try reader.entry()
      if let other = places.updateValue(index + 1, forKey: entry.fingerprint) {
        throw reader.error("line \(other) already has the fingerprint \(entry.fingerprint)")
      }
      entries.append(entry)
    }

    guard hasHeading else {
      throw BaselineError(
        line: 1, description: "the file is empty; write it with tracectl baseline write")
    }
    self.init(entries)
  }

  private static func checkHeading(_ line: Line) throws(BaselineError) {
    guard line.members.contains(where: { $0.key == "schema" && $0.value == .string(schema) }) else {
      throw line.error(
        "this is not a baseline: expected {\"schema\":\"\(schema)\",\"version\":\(version)}")
    }

    let found = try line.count("version")
    guard found <= version else {
      throw BaselineError(
        line: line.number,
        description:
          "version \(found) is newer than \(version), the newest that this tracectl reads; "
          + "update tracectl")
    }
  }
}

extension Baseline.Entry {
  fileprivate func append(to bytes: inout [UInt8]) {
    func add(_ key: String, _ text: String) {
      bytes.append(contentsOf: "\"\(key)\":".utf8)
      JSONText.appendQuoted(text, to: &bytes)
      bytes.append(UInt8(ascii: ","))
    }

    bytes.append(UInt8(ascii: "{"))
    add("rule", rule)
    add("fingerprint", fingerprint)
    bytes.append(contentsOf: "\"count\":\(count),".utf8)
    add("severity", severity)
    add("subject", subject)
    add("message", message)
    bytes.removeLast()
    bytes.append(contentsOf: "}\n".utf8)
  }
}

/// A line of the file, with its number.
private struct Line {
  /// So many findings can be known: what JSON's numbers hold exactly.
  private static let countLimit = 1 << 53

  let number: Int
  let members: [JSONMember]

  init(_ line: ArraySlice<UInt8>, _ number: Int) throws(BaselineError) {
    self.number = number
    do {
      members = try JSONText.object(line)
    } catch {
      let found = "expected \(error.expected), found \(error.found)"
      throw BaselineError(line: number, description: "\(found); \(Line.remedy)")
    }
  }

  private static let remedy =
    "restore the line, or remove the file and run tracectl baseline write"

  func error(_ text: String) -> BaselineError {
    BaselineError(line: number, description: "\(text); \(Line.remedy)")
  }

  private func unexpected(_ key: String, _ expected: String) -> BaselineError {
    let isThere = members.contains { $0.key == key }
    return error(
      (isThere ? "" : "the line has no \"\(key)\": ") + "expected \"\(key)\" with \(expected)")
  }

  func text(_ key: String) throws(BaselineError) -> String {
    guard case .string(let text)? = members.first(where: { $0.key == key })?.value,
      InertText.isInert(text)
    else { throw unexpected(key, "a string without hidden characters") }
    return text
  }

  func count(_ key: String) throws(BaselineError) -> Int {
    guard case .text(let text)? = members.first(where: { $0.key == key })?.value,
      let count = Int(text), (1...Line.countLimit).contains(count)
    else { throw unexpected(key, "a whole number from 1 on") }
    return count
  }

  func entry() throws(BaselineError) -> Baseline.Entry {
    let fingerprint = try text("fingerprint")
    guard fingerprint.utf8.count == 16, fingerprint.allSatisfy({ "0123456789abcdef".contains($0) })
    else { throw error("expected \"fingerprint\" with 16 hexadecimal digits") }
    guard case .string(let severity)? = members.first(where: { $0.key == "severity" })?.value,
      Severity(rawValue: severity) != nil
    else { throw unexpected("severity", "error, warning or info") }
    return Baseline.Entry(
      rule: try text("rule"), fingerprint: fingerprint, count: try count("count"),
      severity: severity, subject: try text("subject"), message: try text("message"))
  }
}
