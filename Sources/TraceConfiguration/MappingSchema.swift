import YAMLReading

/// The keys that a mapping of the configuration may have: what the reader knows, and what the JSON
/// schema and the documents say.
struct MappingSchema: Sendable {
  /// What a value may be, for the schema.
  indirect enum Kind: Sendable {
    case text, flag, number, time, date
    case word([String])
    /// A mapping of this shape.
    case shape(MappingSchema)
    /// A mapping from any of these words to a value; `nil` for any word.
    case table([String]?, Kind)
    /// A list, or one value.
    case oneOrMore(Kind)
    case list(Kind)
    case either([Kind])
  }

  struct Key: Sendable {
    let name: String
    let kind: Kind
    let meaning: String
  }

  /// The name in the schema.
  let name: String
  /// What a mapping of this shape is, behind "expected".
  let told: String
  let keys: [Key]
  let required: [String]

  init(_ name: String, _ told: String, required: [String] = [], _ keys: [Key]) {
    (self.name, self.told, self.keys, self.required) = (name, told, keys, required)
  }

  var names: [String] { keys.map(\.name) }
}

extension YAMLValue {
  /// The members of a mapping of this shape; every other key is a problem.
  func members(_ shape: MappingSchema) -> YAMLMembers? {
    members(shape.told, keys: shape.names, required: shape.required)
  }
}

extension MappingSchema.Key {
  init(_ name: String, _ kind: MappingSchema.Kind, _ meaning: String) {
    (self.name, self.kind, self.meaning) = (name, kind, meaning)
  }
}
