import LifecycleModel

extension Trace {
  /// Makes a trace of lines of text, ordered and numbered; errors get the number of their line.
  init(
    lines text: String,
    _ parse: (ArraySlice<UInt8>, Vocabulary) throws(SyntaxError) -> Event?
  ) throws(SyntaxError) {
    self.init()
    var number = 0
    for line in Array(text.utf8)
      .split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
    {
      number += 1
      do {
        if let event = try parse(line, vocabulary) { events.append(event) }
      } catch {
        var error = error
        error.line = number
        throw error
      }
    }
    orderAndNumber()
  }
}
