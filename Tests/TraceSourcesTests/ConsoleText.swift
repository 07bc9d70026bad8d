import Fuzzing
import LifecycleModel
import TraceSources
import TraceText

typealias ConsoleText = Fuzzing.ConsoleText

/// The events of a source as notation, without the last line end.
func notation(
  of bytes: some Collection<UInt8>, _ source: some TraceSource, chunk: Int = .max
) throws -> String {
  var source = source
  var events: [Event] = []
  let bytes = Array(bytes)
  var start = 0

  while start < bytes.count {
    let end = min(bytes.count, start.addingReportingOverflow(chunk).overflow ? .max : start + chunk)
    try source.take(bytes[start..<end], into: &events)
    start = end
  }

  try source.finish(into: &events)
  return print(events, source.vocabulary)
}

/// The events that a console capture becomes, as notation.
func notation(of text: String, app: String? = nil, chunk: Int = .max) throws -> String {
  try notation(of: text.utf8, ConsoleSource(options: .init(app: app)), chunk: chunk)
}

/// Events as notation, without the last line end.
func print(_ events: [Event], _ vocabulary: Vocabulary) -> String {
  String(TraceNotation.print(Trace(vocabulary: vocabulary, events: events)).dropLast())
}

/// What was counted while a console capture was read.
func tally(of text: String, app: String? = nil) throws -> SourceTally {
  var source = ConsoleSource(options: .init(app: app))
  var events: [Event] = []
  try source.take(ArraySlice(text.utf8), into: &events)
  try source.finish(into: &events)
  return source.tally
}
