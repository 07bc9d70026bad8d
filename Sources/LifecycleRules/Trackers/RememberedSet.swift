/// What a rule has seen, up to a limit; beyond it nothing is added.
struct RememberedSet<Element: Hashable & Sendable>: Sendable {
  private let limit: Int
  private var elements: Set<Element> = []
  /// Whether nothing was lost to the limit since this was last emptied.
  private var isWhole = true

  init(_ limit: Int) { self.limit = limit }

  var isEmpty: Bool { elements.isEmpty && isWhole }

  /// Whether `element` was seen; `nil` where it may have come beyond the limit.
  func contains(_ element: Element) -> Bool? {
    if elements.contains(element) { return true }
    return isWhole ? false : nil
  }

  /// Takes one in; whether there was room for it.
  @discardableResult
  mutating func insert(_ element: Element) -> Bool {
    if elements.count == limit && !elements.contains(element) {
      isWhole = false
      return false
    }
    elements.insert(element)
    return true
  }

  @discardableResult
  mutating func remove(_ element: Element) -> Bool { elements.remove(element) != nil }

  mutating func removeAll(where isGone: (Element) -> Bool) {
    if elements.contains(where: isGone) { elements = elements.filter { !isGone($0) } }
  }

  mutating func removeAll() {
    elements.removeAll(keepingCapacity: true)
    isWhole = true
  }
}
