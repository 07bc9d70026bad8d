/// Values that are changed in their place, without asking who else has them.
///
/// A copy is the same slab: what holds one calls ``separate()`` after it was copied, before the first
/// change.
/// An array asks at each change, which takes longer than most changes that the loop over events makes.
struct Slab<Element> {
  /// Frees the values with the last copy.
  private final class Storage {
    let values: UnsafeMutableBufferPointer<Element>

    init(_ elements: some Collection<Element>) {
      values = .allocate(capacity: elements.count)
      _ = values.initialize(fromContentsOf: elements)
    }

    deinit {
      values.deinitialize()
      values.deallocate()
    }
  }

  private let storage: Storage
  /// The same as in the storage, at hand.
  private let values: UnsafeMutableBufferPointer<Element>

  init(_ elements: some Collection<Element>) {
    storage = Storage(elements)
    values = storage.values
  }

  subscript(index: Int) -> Element {
    @inline(__always) _read {
      precondition(values.indices.contains(index))
      yield values[index]
    }
    @inline(__always) nonmutating _modify {
      precondition(values.indices.contains(index))
      yield &values[index]
    }
  }

  /// Takes a place of its own, where a copy has the same.
  mutating func separate() { self = Slab(self) }

  mutating func append(_ element: Element) { self = Slab(Array(self) + [element]) }
}

extension Slab: RandomAccessCollection {
  var startIndex: Int { 0 }
  var endIndex: Int { values.count }
}
