import CYAML

/// A value of a text, and where it begins.
struct YAMLNode {
  enum Style {
    case plain, quoted, literal, folded
  }

  enum Content {
    case scalar(String, Style)
    /// The items, by number.
    case list([Int])
    /// Each key, by number, and its value behind it.
    case mapping([Int])
  }

  let content: Content
  /// The line, from 1.
  let line: Int
  /// The character in the line, from 1.
  let column: Int
}

/// The values of a text.
///
/// They name each other by number: a value that several aliases stand for is contained once, and no
/// depth of lists costs stack.
struct YAMLNodes {
  private static let maximumDepth = 1000
  /// The most aliases in a file: aliases can stand for aliases, and a small file for a huge one.
  static let maximumAliases = 16

  /// A list or a mapping that has not ended yet.
  private struct Open {
    let line: Int
    let column: Int
    let anchor: String?
    var items: [Int] = []
  }

  private(set) var nodes: [YAMLNode] = []
  /// The number of the whole text's value; `nil` when the text is empty.
  private(set) var root: Int?
  /// What aliases can stand for, each from its end on.
  private var anchors: [String: Int] = [:]
  private var open: [Open] = []
  private var aliases = 0

  /// Reads a text without a byte-order mark.
  init(_ bytes: [UInt8]) throws(YAMLFault) {
    // The parser keeps its own address.
    let parser = UnsafeMutablePointer<yaml_parser_t>.allocate(capacity: 1)
    defer { parser.deallocate() }
    guard yaml_parser_initialize(parser) == 1 else { throw YAMLFault(nil, line: 1, column: 1) }
    defer { yaml_parser_delete(parser) }

    try bytes.withUnsafeBufferPointer { (input) throws(YAMLFault) in
      guard let start = input.baseAddress, !input.isEmpty else { return }
      yaml_parser_set_encoding(parser, YAML_UTF8_ENCODING)
      yaml_parser_set_input_string(parser, start, input.count)
      var hasMore = true
      while hasMore {
        var event = yaml_event_t()
        guard yaml_parser_parse(parser, &event) == 1 else {
          throw YAMLFault(parser.pointee, bytes)
        }
        defer { yaml_event_delete(&event) }
        try take(event)
        hasMore = event.type != YAML_STREAM_END_EVENT
      }
    }
  }

  private mutating func take(_ event: yaml_event_t) throws(YAMLFault) {
    let (line, column) = (Int(event.start_mark.line) + 1, Int(event.start_mark.column) + 1)
    switch event.type {
    case YAML_DOCUMENT_START_EVENT:
      if root != nil { throw YAMLFault("another document", line: line, column: column) }
    case YAML_ALIAS_EVENT:
      guard let name = YAMLNodes.text(event.data.alias.anchor), let node = anchors[name] else {
        throw YAMLFault("undefined alias", line: line, column: column)
      }
      aliases += 1
      guard aliases <= YAMLNodes.maximumAliases else {
        throw YAMLFault(YAMLFault.tooManyAliases, line: line, column: column)
      }
      place(node)
    case YAML_SCALAR_EVENT:
      let scalar = event.data.scalar
      let text = UnsafeBufferPointer(start: scalar.value, count: scalar.length)
      add(
        .scalar(String(decoding: text, as: UTF8.self), YAMLNodes.style(scalar.style)),
        Open(line: line, column: column, anchor: YAMLNodes.text(scalar.anchor)))
    case YAML_SEQUENCE_START_EVENT, YAML_MAPPING_START_EVENT:
      guard open.count < YAMLNodes.maximumDepth else {
        throw YAMLFault("nesting level", line: line, column: column)
      }
      let isList = event.type == YAML_SEQUENCE_START_EVENT
      let anchor = isList ? event.data.sequence_start.anchor : event.data.mapping_start.anchor
      open.append(Open(line: line, column: column, anchor: YAMLNodes.text(anchor)))
    case YAML_SEQUENCE_END_EVENT:
      let list = open.removeLast()
      add(.list(list.items), list)
    case YAML_MAPPING_END_EVENT:
      let mapping = open.removeLast()
      add(.mapping(mapping.items), mapping)
    default: break
    }
  }

  private mutating func add(_ content: YAMLNode.Content, _ begin: Open) {
    nodes.append(YAMLNode(content: content, line: begin.line, column: begin.column))
    if let anchor = begin.anchor { anchors[anchor] = nodes.count - 1 }
    place(nodes.count - 1)
  }

  /// Puts a value where it stands: in what is open, or at the root.
  private mutating func place(_ node: Int) {
    if open.isEmpty { root = node } else { open[open.count - 1].items.append(node) }
  }

  private static func text(_ characters: UnsafeMutablePointer<UInt8>?) -> String? {
    characters.map { String(cString: $0) }
  }

  private static func style(_ style: yaml_scalar_style_t) -> YAMLNode.Style {
    switch style {
    case YAML_LITERAL_SCALAR_STYLE: .literal
    case YAML_FOLDED_SCALAR_STYLE: .folded
    case YAML_PLAIN_SCALAR_STYLE: .plain
    default: .quoted
    }
  }
}
