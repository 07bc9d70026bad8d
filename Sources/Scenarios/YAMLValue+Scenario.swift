import YAMLReading

/// Something could not be read; the problem is in the list of its file.
struct Misread: Error {}

extension Optional {
  /// What was read.
  func orThrow() throws(Misread) -> Wrapped {
    guard let self else { throw Misread() }
    return self
  }
}

extension YAMLValue {
  /// An error here: says what was expected, and which of `known` was probably meant.
  func error(expected: String, oneOf known: [String] = []) -> Misread {
    self.expected(expected, oneOf: known)
    return Misread()
  }

  /// A mapping with one key: what is to be done, and with what.
  func single(_ expected: String) throws(Misread) -> (key: YAMLValue, value: YAMLValue) {
    let pairs = try mapping(expected).orThrow()
    guard let pair = pairs.first, pairs.count == 1 else {
      throw pairs.count > 1
        ? pairs[1].key.error(expected: "a separate list item, with a leading dash")
        : error(expected: expected)
    }
    return pair
  }

  /// A time with its unit, in seconds.
  func seconds() throws(Misread) -> Double {
    let expected = "a time such as 20ms, 5s, 2m or 1.5h"
    let units = [("ms", 0.001), ("s", 1), ("m", 60), ("h", 3600), ("d", 86_400)]
    guard let text = scalar, let unit = units.first(where: { text.hasSuffix($0.0) }),
      let count = Double(text.dropLast(unit.0.count)), count >= 0, count * unit.1 <= 1e8
    else { throw error(expected: expected) }
    return count * unit.1
  }
}

extension YAMLMembers {
  /// The value of a key that must be there.
  func required(_ key: String) throws(Misread) -> YAMLValue {
    guard let value = self[key] else { throw owner.error(expected: "the key \"\(key)\"") }
    return value
  }
}
