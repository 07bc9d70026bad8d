/// What a rule remembers of one kind, oldest first, up to a limit.
///
/// It keeps a rule from growing with the trace. The analyzer clears it at the end of a process with
/// the rest of the rule, and finds the facts in it when words are forgotten.
struct Remembered<Element: Sendable>: Sendable {
  /// What happens when one more comes than the limit allows.
  enum Beyond {
    /// The oldest goes: for what is looked up.
    case oldestGoes
    /// The new one is not followed, and the rule cannot tell: for what is judged later.
    case cannotTell
  }

  private let limit: Int
  private let beyond: Beyond
  private var elements: [Element] = []
  /// Whether nothing was lost to the limit since this was last emptied.
  private(set) var isWhole = true

  init(_ limit: Int, beyond: Beyond) { (self.limit, self.beyond) = (limit, beyond) }

  /// Takes one in; if it cannot be followed, the rule cannot tell.
  mutating func append(_ element: Element, _ findings: inout RuleFindings) {
    if !append(element) { findings.cannotTell(.tooManyInstances) }
  }

  /// Takes one in; whether it is followed.
  @discardableResult
  mutating func append(_ element: Element) -> Bool {
    if isFull {
      isWhole = false
      if beyond == .cannotTell { return false }
      elements.removeFirst()
    }
    elements.append(element)
    return true
  }

  /// Whether the next one is beyond the limit.
  var isFull: Bool { elements.count == limit }

  @discardableResult
  mutating func remove(at index: Int) -> Element { elements.remove(at: index) }

  mutating func removeAll(where isGone: (Element) throws -> Bool) rethrows {
    try elements.removeAll(where: isGone)
  }

  mutating func removeAll() {
    if !elements.isEmpty { elements.removeAll(keepingCapacity: true) }
    isWhole = true
  }
}

extension Remembered: RandomAccessCollection, MutableCollection {
  var startIndex: Int { 0 }
  var endIndex: Int { elements.count }

  subscript(index: Int) -> Element {
    get { elements[index] }
    set { elements[index] = newValue }
  }
}

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
