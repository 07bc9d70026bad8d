extension Sequence {
  /// The elements in the order of `precedes`; equal ones stay in the order that they have.
  ///
  /// It sorts places, by code that is compiled once. The library's `sorted(by:)` is compiled for each type of element,
  /// 4 kB each, which what is short or seldom sorted is not worth. Cost: two arrays, and a call for each comparison.
  package func ordered(by precedes: (Element, Element) -> Bool) -> [Element] {
    let elements = Array(self)
    return places(elements.count) { precedes(elements[$0], elements[$1]) }.map { elements[$0] }
  }
}

/// The places of `count` elements, in the order of `precedes`.
private func places(_ count: Int, by precedes: (Int, Int) -> Bool) -> [Int] {
  (0..<count).sorted(by: precedes)
}
