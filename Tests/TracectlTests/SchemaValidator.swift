import Foundation

/// Holds files against published schemas, with the tools that the machine has.
enum SchemaValidator {
  /// Where the published schemas lie, beside the package.
  private static let published = CommandRun.root.appendingPathComponent("../shared/data/schemas")
    .standardizedFileURL

  /// A published schema; `nil`, and said, when it is not there.
  static func published(_ name: String) -> URL? {
    let file = published.appendingPathComponent(name)
    if FileManager.default.fileExists(atPath: file.path) { return file }
    print("skipped: \(file.path) is not there, so nothing is held against it")
    return nil
  }

  private static let script = """
    import json, sys, warnings
    warnings.simplefilter("ignore")
    try:
      from jsonschema.validators import validator_for
    except ImportError:
      sys.exit(42)
    schema = json.load(open(sys.argv[1]))
    kind = validator_for(schema)
    kind.check_schema(schema)
    for path in sys.argv[2:]:
      for error in kind(schema).iter_errors(json.load(open(path))):
        print(path, list(error.absolute_path), error.message[:300])
    """

  /// What is wrong with JSON files; `nil`, and said, when the machine cannot tell.
  static func complaints(about files: [URL], jsonSchema schema: URL) throws -> String? {
    let run = try run(["python3", "-c", script, schema.path] + files.map(\.path))
    if run.status == 42 || run.status == 127 {
      print("skipped: python3-jsonschema is not installed; tools/setup installs it on Debian")
      return nil
    }
    return run.status == 0 ? run.output : "status \(run.status)\n\(run.output)"
  }

  /// What is wrong with XML files; `nil`, and said, when the machine cannot tell.
  static func complaints(about files: [URL], xmlSchema schema: URL) throws -> String? {
    let run = try run(["xmllint", "--noout", "--schema", schema.path] + files.map(\.path))
    if run.status == 127 {
      print("skipped: xmllint is not installed; tools/setup installs it on Debian")
      return nil
    }
    let lines = run.output.split(separator: "\n").filter { !$0.hasSuffix(" validates") }
    return run.status == 0 && lines.isEmpty ? "" : lines.joined(separator: "\n")
  }

  /// Runs a tool of the machine; 127 when it is not there.
  private static func run(_ words: [String]) throws -> (status: Int32, output: String) {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = words
    let pipe = Pipe()
    process.standardOutput = pipe
    process.standardError = pipe
    try process.run()
    let output = String(decoding: pipe.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    return (process.terminationStatus, output)
  }
}
