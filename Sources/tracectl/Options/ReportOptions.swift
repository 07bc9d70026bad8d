import ArgumentParser
import TraceReport
import TraceText

/// A report of a command that was asked for: `sarif=out.sarif`, or `text` for standard output.
typealias ReportRequest = FormRequest<ReportForm>

/// A report in one of some forms that was asked for.
struct FormRequest<Form>: Equatable
where Form: RawRepresentable<String> & CaseIterable & Equatable & Sendable {
  var form: Form
  /// The file; `nil` is standard output.
  var path: String?

  /// Reads an argument of `--format`.
  init(argument: String) throws {
    let parts = argument.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
    let word = String(parts[0])
    guard let form = Form(rawValue: word) else {
      if word == "ndjson" {
        throw ValidationError(
          "ndjson is no report format any more; for a line a finding write the table: "
            + "tracectl export LOG --tables findings --format ndjson")
      }
      let near = NearestWord.of(word, in: Form.allCases.map(\.rawValue))
      throw ValidationError(
        "\(word) is not a report format"
          + (near.map { "; did you mean \($0)? Formats: " } ?? "; formats: ")
          + FormRequest.list)
    }

    let path = parts.count > 1 ? String(parts[1]) : nil
    try refuse(path == "", "\(word)= needs a file name; remove the =, or name a file")

    self.form = form
    self.path = path == "-" ? nil : path
  }

  init(_ form: Form) { self.form = form }

  /// The forms: `text, json or markdown`.
  static var list: String {
    let words = Form.allCases.map(\.rawValue)
    return words.dropLast().joined(separator: ", ") + " or \(words[words.count - 1])"
  }

  /// The path without what does not matter in it.
  private var plainPath: String? {
    path.map { path in
      let parts = path.split(separator: "/").filter { $0 != "." }
      return (path.hasPrefix("/") ? "/" : "") + parts.joined(separator: "/")
    }
  }

  /// Throws when two reports would go to the same place.
  static func check(_ given: [FormRequest]) throws {
    let printed = given.filter { $0.path == nil }
    if printed.count > 1 {
      let forms = printed.map(\.form.rawValue).joined(separator: " and ")
      throw ValidationError(
        "only one of \(forms) can go to standard output; give the others a file: "
          + "--format \(printed[1].form.rawValue)=FILE")
    }

    var paths: Set<String> = []
    for request in given {
      guard let path = request.plainPath else { continue }
      guard paths.insert(path).inserted else {
        throw ValidationError("\(path) is the target of two reports; give each its own file")
      }
    }
  }
}

/// The option `--format` of commands that write reports.
struct FormOptions<Form>: ParsableArguments
where Form: RawRepresentable<String> & CaseIterable & Equatable & Sendable {
  @Option(
    name: .customLong("format"),
    help: ArgumentHelp(
      """
      The report format: \(FormRequest<Form>.list). With =FILE the report goes to the file. \
      Repeatable; only one report can go to standard output. (default: text)
      """,
      valueName: "form[=file]"),
    completion: .list(Form.allCases.map(\.rawValue)),
    transform: FormRequest<Form>.init(argument:))
  var given: [FormRequest<Form>] = []

  mutating func validate() throws { try FormRequest.check(given) }
}
