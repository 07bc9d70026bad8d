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
  return print(try events(of: bytes, &source, chunk: chunk), source.vocabulary)
}

/// The events that a source makes of bytes, which it gets in chunks.
func events(
  of bytes: some Collection<UInt8>, _ source: inout some TraceSource, chunk: Int = .max
) throws -> [Event] {
  var events: [Event] = []
  let bytes = Array(bytes)
  var start = 0

  while start < bytes.count {
    let end = bytes.count - start > chunk ? start + chunk : bytes.count
    try source.take(bytes[start..<end], into: &events)
    start = end
  }

  try source.finish(into: &events)
  return events
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
  _ = try events(of: text.utf8, &source)
  return source.tally
}
