import ArgumentParser
import Platform
import TraceQuery

/// The form of an answer, and where it goes.
struct AnswerFormOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      """
      The format: table, csv, json, ndjson or markdown; by default the one that the name of FILE \
      tells, else table on a terminal and csv elsewhere.
      """,
      valueName: "form"))
  var format: ResultForm?

  @Option(
    name: .shortAndLong,
    help: ArgumentHelp("The file to write; - is standard output, the default.", valueName: "file"),
    completion: .file())
  var output: String?

  /// The file; `nil` for standard output.
  var file: String? { output.flatMap { $0 == "-" ? nil : $0 } }

  func validate() throws {
    if output == "" { throw ValidationError("-o takes the name of a file") }
  }

  /// The form that was given, or else the one that fits where the answer goes.
  var form: ResultForm {
    if let format { return format }
    guard let file else { return isatty(STDOUT_FILENO) == 1 ? .table : .csv }
    let ending = file.split(separator: ".").last.map(String.init) ?? ""
    return ending == "md" ? .markdown : ResultForm(rawValue: ending) ?? .csv
  }
}

extension ResultForm: ExpressibleByArgument {}
