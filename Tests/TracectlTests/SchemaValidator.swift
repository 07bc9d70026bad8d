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
      if any(path.endswith(".yml") for path in sys.argv[2:]):
        import yaml
    except ImportError:
      sys.exit(42)
    def load(path):
      if not path.endswith(".yml"):
        return json.load(open(path))
      # A day is a text.
      class Loader(yaml.SafeLoader):
        yaml_implicit_resolvers = {
          key: [(tag, rule) for tag, rule in rules if not tag.endswith("timestamp")]
          for key, rules in yaml.SafeLoader.yaml_implicit_resolvers.items()}
      return yaml.load(open(path), Loader)
    schema = load(sys.argv[1])
    kind = validator_for(schema)
    kind.check_schema(schema)
    for path in sys.argv[2:]:
      for error in kind(schema).iter_errors(load(path)):
        print(path, list(error.absolute_path), error.message[:300])
    """

  /// What is wrong with JSON or YAML files; `nil`, and said, when the machine cannot tell.
  static func complaints(about files: [URL], jsonSchema schema: URL) throws -> String? {
    let run = try CommandRun(program: ["python3", "-c", script, schema.path] + files.map(\.path))
    if run.status == 42 || run.status == 127 {
      print(
        "skipped: python3-jsonschema, or python3-yaml, is not installed; tools/test --with-tools does it"
      )
      return nil
    }
    let complaints = run.output + run.errors
    return run.status == 0 ? complaints : "status \(run.status)\n\(complaints)"
  }

  /// What is wrong with XML files; `nil`, and said, when the machine cannot tell.
  static func complaints(about files: [URL], xmlSchema schema: URL) throws -> String? {
    let run = try CommandRun(
      program: ["xmllint", "--noout", "--schema", schema.path] + files.map(\.path))
    if run.status == 127 {
      print("skipped: xmllint is not installed; tools/test --with-tools installs it")
      return nil
    }
    let lines = (run.output + run.errors).split(separator: "\n").filter {
      !$0.hasSuffix(" validates")
    }
    return run.status == 0 && lines.isEmpty ? "" : lines.joined(separator: "\n")
  }
}
