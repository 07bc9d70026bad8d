extension RandomAccessCollection where Index: BinaryInteger {
  /// Where the elements begin that fulfil the condition, of a collection in which the others come first.
  ///
  /// Cost: a binary search.
  @inlinable
  package func partition(where holds: (Element) -> Bool) -> Index {
    var (low, high) = (startIndex, endIndex)
    while low < high {
      let middle = low + (high - low) / 2
      if holds(self[middle]) { high = middle } else { low = middle + 1 }
    }
    return low
  }
}
