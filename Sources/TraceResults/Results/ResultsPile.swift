/// Results that come one after another.
///
/// They are merged two and two, so that each is copied a few times only, however many come and
/// however different they are. Memory: what is different.
package struct ResultsPile: Sendable {
  /// Of 1, 2, 4 … results each, merged; `nil` where there are none.
  private var heaps: [AnalysisResults?] = []

  /// Makes an empty pile.
  package init() {}

  /// Takes in results.
  package mutating func add(_ results: AnalysisResults) {
    var carried = results
    for index in heaps.indices {
      guard let heap = heaps[index] else {
        heaps[index] = carried
        return
      }
      heaps[index] = nil
      carried.merge(heap)
    }
    heaps.append(carried)
  }

  /// All of them, merged.
  package var total: AnalysisResults {
    heaps.compactMap(\.self).reduce(into: AnalysisResults()) { $0.merge($1) }
  }
}
