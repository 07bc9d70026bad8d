import ArgumentParser
import LifecycleModel
import TraceReport
import TraceText

extension ReportForm {
  /// `text, json or markdown`.
  static let list =
    allCases.dropLast().map(\.rawValue).joined(separator: ", ")
    + " or \(allCases[allCases.count - 1].rawValue)"
}

/// A report that was asked for: `sarif=out.sarif`, or `text` for standard output.
struct ReportRequest: Equatable {
  var form: ReportForm
  /// The file; `nil` is standard output.
  var path: String?

  /// Reads an argument of `--format`.
  init(argument: String) throws {
    let parts = argument.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
    let word = String(parts[0])
    guard let form = ReportForm(rawValue: word) else {
      let near = NearestWord.of(word, in: ReportForm.allCases.map(\.rawValue))
      throw ValidationError(
        "\(word) is not a report format"
          + (near.map { "; did you mean \($0)? Formats: " } ?? "; formats: ")
          + ReportForm.list)
    }

    let path = parts.count > 1 ? String(parts[1]) : nil
    if path == "" {
      throw ValidationError("\(word)= needs a file name; remove the =, or name a file")
    }

    self.form = form
    self.path = path == "-" ? nil : path
  }

  init(_ form: ReportForm) { self.form = form }

  /// The path without what does not matter in it.
  fileprivate var plainPath: String? { path.map(ReportRequest.plain) }

  /// Whether the report goes into the file at `other`.
  func isFor(_ other: String) -> Bool { plainPath == ReportRequest.plain(other) }

  private static func plain(_ path: String) -> String {
    let parts = path.split(separator: "/").filter { $0 != "." }
    return (path.hasPrefix("/") ? "/" : "") + parts.joined(separator: "/")
  }
}

/// The option `--format` of commands that report findings.
struct ReportOptions: ParsableArguments {
  @Option(
    name: .customLong("format"),
    help: ArgumentHelp(
      """
      The report format: \(ReportForm.list). With =FILE the report goes to the file. Repeatable; \
      only one report can go to standard output. (default: text)
      """,
      valueName: "form[=file]"),
    completion: .forms, transform: ReportRequest.init(argument:))
  var given: [ReportRequest] = []

  /// What was asked for: text when nothing was.
  var requests: [ReportRequest] { given.isEmpty ? [ReportRequest(.text)] : given }

  mutating func validate() throws { try ReportOptions.check(given) }

  /// Throws when two reports would go to the same place.
  static func check(_ given: [ReportRequest]) throws {
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
