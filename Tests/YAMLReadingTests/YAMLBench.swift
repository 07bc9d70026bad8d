@testable import YAMLReading

/// A file that was read, and what was said of it.
struct YAMLBench {
  let list = ProblemList()
  let value: YAMLValue?

  init(_ text: String) { self.init(Array(text.utf8)) }

  init(_ bytes: [UInt8]) {
    value = YAMLFile(name: "a.yml", problems: list).parse(bytes)
  }

  /// Each problem as `line:column message`.
  var problems: [String] {
    list.problems.map { "\($0.place.line):\($0.place.column) \($0.message)" }
  }
}

/// A tree of words, as a plain value.
indirect enum Plain: Equatable {
  case word(String)
  case list([Plain])
  case mapping([String: Plain])

  /// What a file says.
  init(_ value: YAMLValue) {
    if value.isMapping {
      let pairs = value.mapping("a mapping") ?? []
      self = .mapping(
        Dictionary(
          pairs.map { ($0.key.scalar ?? "?", Plain($0.value)) }, uniquingKeysWith: { $1 }))
    } else if let word = value.scalar {
      self = .word(word)
    } else {
      self = .list((value.list("a list") ?? []).map { Plain($0) })
    }
  }
}
