/// The text of a file as a tree of YAML values, without what makes trees grow without end.
package struct YAMLFile {
  /// A larger file is not read.
  static let maximumBytes = 1 << 20
  private static let byteOrderMark: [UInt8] = [0xef, 0xbb, 0xbf]

  let name: String
  /// Where problems go.
  package let problems: ProblemList
  /// The lines of the text, as they stand in the file.
  private(set) var lines: [Substring] = []
  /// The values of the text.
  var nodes: [YAMLNode] = []

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
    let hasMark = bytes.starts(with: YAMLFile.byteOrderMark)
    let bytes = hasMark ? Array(bytes.dropFirst(YAMLFile.byteOrderMark.count)) : bytes
    let text = String(decoding: bytes, as: UTF8.self)
    // What is no UTF-8 is replaced.
    guard text.utf8.elementsEqual(bytes) else {
      fail(1, 1, "the file is not UTF-8 text")
      return nil
    }

    var file = self
    file.lines = text.split(omittingEmptySubsequences: false) { $0 == "\n" || $0 == "\r\n" }
    do {
      let read = try YAMLNodes(bytes)
      file.nodes = read.nodes
      return read.root.map { YAMLValue($0, file) }
    } catch {
      let line = file.lines.indices.contains(error.line - 1) ? file.lines[error.line - 1] : ""
      let isTab = line.prefix { $0 == " " || $0 == "\t" }.contains("\t")
      fail(
        error.line, error.column,
        isTab && !error.isOfCharacters
          ? "expected spaces at the beginning of the line, found a tab" : error.message)
      return nil
    }
  }

  private func fail(_ line: Int, _ column: Int, _ message: String) {
    problems.add(.error, YAMLPlace(file: name, line: line, column: column), message)
  }
}
