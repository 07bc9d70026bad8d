import LifecycleModel

/// What the documents leave open, chosen by chance; when it is off, always the same.
struct Variation {
  private var random: SeededRandom
  private let isOn: Bool

  init(seed: UInt64, isOn: Bool) {
    random = SeededRandom(seed: seed)
    self.isOn = isOn
  }

  /// The elements in any order; as they stand when there is no variation.
  mutating func order<Element>(_ elements: [Element]) -> [Element] {
    isOn ? elements.shuffled(using: &random) : elements
  }

  /// True in some cases; false when there is no variation.
  mutating func sometimes() -> Bool { isOn && Bool.random(using: &random) }

  /// A delay of about `usual`, from a fifth of it to twice as much.
  mutating func delay(_ usual: Nanoseconds) -> Nanoseconds {
    isOn ? Nanoseconds.random(in: usual / 5...2 * usual, using: &random) : usual
  }
}
