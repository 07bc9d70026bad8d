import LifecycleModel

extension Trace {
  /// Makes a trace of lines of text, ordered and numbered; errors get the number of their line.
  init(
    lines text: String, in vocabulary: Vocabulary,
    _ parse: (ArraySlice<UInt8>) throws(SyntaxError) -> Event?
  ) throws(SyntaxError) {
    self.init(vocabulary: vocabulary)
    var number = 0
    for line in Array(text.utf8)
      .split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
    {
      number += 1
      do {
        if let event = try parse(line) { events.append(event) }
      } catch {
        var error = error
        error.line = number
        throw error
      }
    }
    orderAndNumber()
  }
}
