import Foundation

/// Reads YAML with another parser than ours: that of Python.
enum YAMLLoader {
  /// Whether the machine has it; `tools/test --with-tools` installs it.
  static let isThere =
    (try? CommandRun(program: ["python3", "-c", "import yaml"]).status) == 0

  private static let script = """
    import json, sys, yaml
    print(json.dumps(yaml.safe_load(open(sys.argv[1])), default=str))
    """

  /// The mapping in a file; `nil` when it is another value, or not YAML.
  static func mapping(_ file: URL) throws -> [String: Any]? {
    let run = try CommandRun(program: ["python3", "-c", script, file.path])
    guard run.status == 0 else { return nil }
    return try JSONSerialization.jsonObject(with: Data(run.output.utf8)) as? [String: Any]
  }
}
