import Foundation

#if canImport(FoundationXML)
  import FoundationXML
#endif

/// What an output is read by, and what it must not hold.
enum InertForm: String {
  case text, github, notation, json, ndjson, markdown, html, xml, csv, binary

  /// What somebody would act on; empty where nothing is.
  func faults(in text: String) -> [String] {
    if self == .binary { return [] }
    return hidden(text) + commands(text) + ownFaults(text)
  }

  private func ownFaults(_ text: String) -> [String] {
    switch self {
    case .json: InertForm.isJSON(text) ? [] : ["is no JSON"]
    case .ndjson:
      text.split(separator: "\n").filter { !InertForm.isJSON(String($0)) }.map { "no JSON: \($0)" }
    case .markdown: markdown(text)
    case .html: InertForm.markup.filter(text.contains)
    case .xml: InertForm.markup.filter(text.contains) + (InertForm.isXML(text) ? [] : ["is no XML"])
    case .csv: csv(text)
    default: []
    }
  }

  // MARK: Every text

  /// By what Unicode says of characters, and not by our table.
  private func hidden(_ text: String) -> [String] {
    var previous: Unicode.Scalar = "\n"
    var faults: Set<String> = []
    for scalar in text.unicodeScalars {
      defer { previous = scalar }
      if scalar == "\n" || self == .csv && scalar == "\r" { continue }
      let properties = scalar.properties
      let acts: Bool
      switch properties.generalCategory {
      case .control, .lineSeparator, .paragraphSeparator: acts = true
      default:
        let isIgnored = properties.isDefaultIgnorableCodePoint && !joins(scalar, previous)
        acts = properties.isBidiControl || isIgnored || properties.isNoncharacterCodePoint
      }
      if acts { faults.insert("U+" + String(scalar.value, radix: 16)) }
    }
    return faults.sorted()
  }

  /// Whether a joiner or a selector stands where a word or an emoji has it.
  private func joins(_ scalar: Unicode.Scalar, _ previous: Unicode.Scalar) -> Bool {
    let isJoiner = [0x200c, 0x200d, 0xfe0f].contains(scalar.value)
    return isJoiner && previous.properties.isEmoji && !previous.isASCII
  }

  private static let kinds = ["::error ", "::warning ", "::notice "]

  /// Lines that a build server takes for commands, whatever they are in.
  private func commands(_ text: String) -> [String] {
    text.split(whereSeparator: \.isNewline).filter { line in
      let start = line.drop(while: \.isWhitespace)
      let isOwn = self == .github && InertForm.kinds.contains(where: start.hasPrefix)
      return start.hasPrefix("::") && !isOwn || line.contains("##[") || line.contains("##vso[")
    }.map(String.init)
  }

  // MARK: Forms

  /// What would be markup, if it came out as it went in.
  private static let markup = [
    "<img", "\" onmouseover", "' onclick", "<u>", "<!--", "-->", "]]>", "<![CDATA[",
  ]

  private static func isJSON(_ text: String) -> Bool {
    let options: JSONSerialization.ReadingOptions = [.fragmentsAllowed]
    return (try? JSONSerialization.jsonObject(with: Data(text.utf8), options: options)) != nil
  }

  private static func isXML(_ text: String) -> Bool { XMLParser(data: Data(text.utf8)).parse() }

  /// What stands outside of spans and blocks of code.
  private func markdown(_ text: String) -> [String] {
    var isInBlock = false
    var faults: [String] = []
    for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
      if line.hasPrefix("```") {
        isInBlock.toggle()
      } else if !isInBlock {
        let parts = line.split(separator: "`", omittingEmptySubsequences: false)
        if parts.count % 2 == 0 { faults.append("a span of code is open: \(line)") }
        let rest = parts.enumerated().filter { $0.offset % 2 == 0 }.map(\.element).joined()
        let active = [
          "[text](", "http://", " www.", "**bold", "@octo", "~~", "$x", "<img", "<u>", "<!--",
          "&#60;",
        ]
        faults += active.filter(rest.contains).map { "\($0) in \(line)" }
      }
    }
    return faults + (isInBlock ? ["a block of code is open"] : [])
  }

  /// Cells that a spreadsheet takes for formulas, and rows of another length.
  private func csv(_ text: String) -> [String] {
    let rows = InertForm.rows(ofCSV: text)
    let width = rows.first?.count ?? 0
    var faults = rows.filter { $0.count != width }.map { "a row of \($0.count) cells" }
    for cell in rows.joined() where cell != "-" && Double(cell) == nil {
      if let first = cell.unicodeScalars.first, "=+-@＝＋－＠\t\r".unicodeScalars.contains(first) {
        faults.append("a formula: \(cell)")
      }
    }
    return faults
  }

  /// The cells of CSV by RFC 4180.
  static func rows(ofCSV text: String) -> [[String]] {
    var rows: [[String]] = [[""]]
    var isQuoted = false
    // Whether the character before closed a cell, if it is not doubled.
    var isClosed = false
    for scalar in text.unicodeScalars {
      let last = (rows.count - 1, rows[rows.count - 1].count - 1)
      if scalar == "\"" {
        if isClosed { rows[last.0][last.1].unicodeScalars.append(scalar) }
        isClosed = isQuoted
        isQuoted.toggle()
        continue
      }
      isClosed = false
      switch scalar {
      case "," where !isQuoted: rows[last.0].append("")
      case "\n" where !isQuoted: rows.append([""])
      case "\r" where !isQuoted: break
      default: rows[last.0][last.1].unicodeScalars.append(scalar)
      }
    }
    return rows.filter { $0 != [""] }
  }
}
