import LifecycleRules
import TraceAnalysis
import TraceText

/// The JSON schema of the configuration, for editors: what the reader knows, and nothing else.
public struct ConfigurationSchema {
  private let rules: [String]

  /// Makes a schema in which `rules` are the ids of the rules that can be set.
  public init(rules: [String] = RuleRegistry.all.map { $0.description.id }) { self.rules = rules }

  /// The schema, of the draft of 2020-12.
  public var text: String {
    var shapes = SchemaShapes(rules: rules)
    let body = shapes.body(ConfigurationKeys.self, ",\n")
    let definitions = shapes.shapes.sorted { $0.key < $1.key }.map {
      "\(JSONText.quoted($0.key)): \($0.value)"
    }
    // An empty file is a configuration that says nothing.
    return """
      {"$schema": "https://json-schema.org/draft/2020-12/schema",
      "title": "tracectl configuration",
      "type": ["object", "null"],
      \(body),
      "$defs": {\(definitions.joined(separator: ",\n"))}}

      """
  }
}

/// The mappings to which a schema refers.
struct SchemaShapes {
  /// The ids of the rules that can be set.
  let rules: [String]
  /// The schema of each, by its name.
  private(set) var shapes: [String: String] = [:]

  /// A reference to the schema of a mapping.
  mutating func reference<Keys: Mapping>(_ keys: Keys.Type) -> String {
    if shapes[Keys.shape.name] == nil {
      // A place first, since mappings may hold each other.
      shapes[Keys.shape.name] = "{}"
      shapes[Keys.shape.name] = "{\"type\": \"object\", \(body(keys, ", "))}"
    }
    return "{\"$ref\": \(JSONText.quoted("#/$defs/\(Keys.shape.name)"))}"
  }

  /// The members of the schema of a mapping.
  mutating func body<Keys: Mapping>(_: Keys.Type, _ separator: String) -> String {
    let keys = Keys().all
    var properties: [String] = []
    for key in keys {
      let value = key.schema(&self)
      properties.append(
        "\(JSONText.quoted(key.name)): "
          + "{\"description\": \(JSONText.quoted(key.meaning)), \"allOf\": [\(value)]}")
    }
    let required = keys.filter(\.isRequired).map(\.name)
    let members = [
      "\"properties\": {\(properties.joined(separator: ",\n"))}", "\"additionalProperties\": false",
      required.isEmpty ? nil : "\"required\": [\(JSONSchema.list(required))]",
    ]
    return members.compactMap(\.self).joined(separator: separator)
  }
}

/// Parts of a JSON schema.
enum JSONSchema {
  static let text = "{\"type\": [\"string\", \"number\", \"boolean\"]}"

  static func any(_ kinds: [String]) -> String { "{\"anyOf\": [\(kinds.joined(separator: ", "))]}" }

  static func oneOrMore(_ kind: String) -> String {
    any([kind, "{\"type\": \"array\", \"items\": \(kind), \"minItems\": 1}"])
  }

  /// Words that YAML takes for truth values are those too.
  static func word(_ words: [String]) -> String {
    let truths = ["true", "on"].contains(where: words.contains) ? ["true"] : []
    let lies = ["false", "off"].contains(where: words.contains) ? ["false"] : []
    return "{\"enum\": [\(([list(words)] + truths + lies).joined(separator: ", "))]}"
  }

  static func list(_ words: [String]) -> String {
    words.map { JSONText.quoted($0) }.joined(separator: ", ")
  }
}
