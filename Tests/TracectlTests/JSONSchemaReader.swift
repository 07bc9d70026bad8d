import Foundation

/// The JSON report's schema, as far as it names members.
struct JSONSchemaReader {
  static let file = CommandRun.root.appendingPathComponent(
    "Sources/TraceReport/TraceReport.docc/JSONReport.schema.json")

  let schema: [String: Any]

  init() throws {
    let json = try JSONSerialization.jsonObject(with: Data(contentsOf: Self.file))
    schema = json as? [String: Any] ?? [:]
  }

  /// The paths of the members that the schema does not name, in alphabetical order.
  func unnamedMembers(of report: Any) -> [String] {
    var paths: Set<String> = []
    look(report, schema, "", &paths)
    return paths.sorted()
  }

  private func look(
    _ value: Any, _ node: [String: Any], _ path: String, _ paths: inout Set<String>
  ) {
    let node = resolved(node)
    if let object = value as? [String: Any] {
      let named = node["properties"] as? [String: [String: Any]] ?? [:]
      for (key, member) in object {
        let path = path.isEmpty ? key : "\(path).\(key)"
        if let next = named[key] ?? node["additionalProperties"] as? [String: Any] {
          look(member, next, path, &paths)
        } else {
          paths.insert(path)
        }
      }
    } else if let array = value as? [Any] {
      for element in array {
        look(element, node["items"] as? [String: Any] ?? [:], path, &paths)
      }
    }
  }

  private func resolved(_ node: [String: Any]) -> [String: Any] {
    guard let reference = node["$ref"] as? String,
      let name = reference.split(separator: "/").last,
      let definitions = schema["definitions"] as? [String: [String: Any]]
    else { return node }
    return definitions[String(name)] ?? [:]
  }
}
