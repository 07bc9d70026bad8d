/// What a rule remembers of one kind, oldest first, up to a limit.
///
/// It keeps a rule from growing with the trace. The analyzer clears it at the end of a process with
/// the rest of the rule, and finds the facts in it when words are forgotten.
public struct Remembered<Element: Sendable>: Sendable {
  /// What happens when one more comes than the limit allows.
  public enum Beyond: Sendable {
    /// The oldest goes: for what is looked up.
    case oldestGoes
    /// The new one is not followed, and the rule cannot tell: for what is judged later.
    case cannotTell
  }

  // Open to inlining: rules of other modules use it event by event.
  @usableFromInline let limit: Int
  @usableFromInline let beyond: Beyond
  @usableFromInline var elements: [Element] = []
  @usableFromInline var hasLost = false

  /// Makes room for `limit` elements.
  @inlinable
  public init(_ limit: Int, beyond: Beyond) { (self.limit, self.beyond) = (limit, beyond) }

  /// Whether nothing was lost to the limit since this was last emptied.
  @inlinable public var isWhole: Bool { !hasLost }

  /// Takes one in; if it cannot be followed, the rule cannot tell.
  @inlinable
  public mutating func append(_ element: Element, _ findings: inout RuleFindings) {
    if !append(element) { findings.cannotTell(.tooManyInstances) }
  }

  /// Takes one in; whether it is followed.
  @inlinable @discardableResult
  public mutating func append(_ element: Element) -> Bool {
    if isFull {
      hasLost = true
      if beyond == .cannotTell { return false }
      elements.removeFirst()
    }
    elements.append(element)
    return true
  }

  /// Whether the next one is beyond the limit.
  @inlinable public var isFull: Bool { elements.count == limit }

  /// Takes out the element at a place.
  @inlinable @discardableResult
  public mutating func remove(at index: Int) -> Element { elements.remove(at: index) }

  /// Takes out all elements of which `isGone` is true.
  @inlinable
  public mutating func removeAll(where isGone: (Element) throws -> Bool) rethrows {
    try elements.removeAll(where: isGone)
  }

  /// Forgets all.
  @inlinable
  public mutating func removeAll() {
    if !elements.isEmpty { elements.removeAll(keepingCapacity: true) }
    hasLost = false
  }
}

extension Remembered: RandomAccessCollection, MutableCollection {
  /// The place of the oldest element.
  @inlinable public var startIndex: Int { 0 }
  /// The place behind the newest element.
  @inlinable public var endIndex: Int { elements.count }

  /// The element at a place.
  @inlinable public subscript(index: Int) -> Element {
    get { elements[index] }
    set { elements[index] = newValue }
  }
}
