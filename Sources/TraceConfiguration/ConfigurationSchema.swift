import LifecycleModel
import LifecycleRules
import TraceAnalysis
import TraceText

/// The JSON schema of the configuration, for editors: what the reader knows, and nothing else.
public struct ConfigurationSchema {
  private var shapes: [(name: String, json: String)] = []
  private let root: MappingSchema

  /// Makes a schema in which `rules` are the ids of the rules that can be set.
  public init(rules: [String] = RuleRegistry.all.map { $0.description.id }) {
    root = .configuration(rules: rules)
  }

  /// The schema, of the draft of 2020-12.
  public var text: String {
    var schema = self
    let body = schema.object(root)
    let definitions = schema.shapes.sorted { $0.name < $1.name }.map {
      "\(JSONText.quoted($0.name)): \($0.json)"
    }
    let head = [
      "\"$schema\": \"https://json-schema.org/draft/2020-12/schema\"",
      "\"title\": \"tracectl configuration\"",
    ]

    // An empty file is a configuration that says nothing.
    return "{"
      + (head + ["\"type\": [\"object\", \"null\"]"]
      + body + ["\"$defs\": {\(definitions.joined(separator: ",\n"))}"]).joined(separator: ",\n")
      + "}\n"
  }

  private mutating func object(_ shape: MappingSchema) -> [String] {
    let properties = shape.keys.map { key in
      let value = json(key.kind)
      let described =
        "{\"description\": \(JSONText.quoted(key.meaning)), \"allOf\": [\(value)]}"
      return "\(JSONText.quoted(key.name)): \(described)"
    }

    var members = [
      "\"properties\": {\(properties.joined(separator: ",\n"))}", "\"additionalProperties\": false",
    ]
    if !shape.required.isEmpty {
      members.append("\"required\": [\(list(shape.required))]")
    }
    return members
  }

  private mutating func json(_ kind: MappingSchema.Kind) -> String {
    switch kind {
    case .text: return "{\"type\": [\"string\", \"number\", \"boolean\"]}"
    case .flag: return "{\"type\": \"boolean\"}"
    case .number: return "{\"type\": \"integer\", \"minimum\": 1}"
    case .time: return "{\"type\": \"string\", \"pattern\": \"^[0-9.]+(ns|us|ms|s|m|h|d)$\"}"
    case .date: return "{\"type\": \"string\", \"pattern\": \"^[0-9]{4}-[0-9]{2}-[0-9]{2}$\"}"
    case .word(let words): return word(words)
    case .shape(let shape):
      if !shapes.contains(where: { $0.name == shape.name }) {
        // A place in the list first, since shapes may hold shapes.
        shapes.append((shape.name, "{}"))
        let index = shapes.count - 1
        let body = object(shape).joined(separator: ", ")
        shapes[index].json = "{\"type\": \"object\", \(body)}"
      }
      return "{\"$ref\": \(JSONText.quoted("#/$defs/\(shape.name)"))}"
    case .table(let words, let kind):
      let value = json(kind)
      guard let words else { return "{\"type\": \"object\", \"additionalProperties\": \(value)}" }
      let known =
        "{\"anyOf\": [\(word(words)), {\"pattern\": \"^([a-z0-9]+(-[a-z0-9]+)*|R[0-9]+)$\"}]}"
      return
        "{\"type\": [\"object\", \"null\"], \"propertyNames\": \(known), \"additionalProperties\": \(value)}"
    case .oneOrMore(let kind):
      let value = json(kind)
      return "{\"anyOf\": [\(value), {\"type\": \"array\", \"items\": \(value), \"minItems\": 1}]}"
    case .list(let kind):
      return "{\"type\": [\"array\", \"null\"], \"items\": \(json(kind))}"
    case .either(let kinds):
      return "{\"anyOf\": [\(kinds.map { json($0) }.joined(separator: ", "))]}"
    }
  }

  /// Words that YAML takes for truth values are those too.
  private func word(_ words: [String]) -> String {
    let truths = ["true", "on"].contains(where: words.contains) ? ["true"] : []
    let lies = ["false", "off"].contains(where: words.contains) ? ["false"] : []
    return "{\"enum\": [\(([list(words)] + truths + lies).joined(separator: ", "))]}"
  }

  private func list(_ words: [String]) -> String {
    words.map { JSONText.quoted($0) }.joined(separator: ", ")
  }
}
