import LifecycleModel
import TraceSources
import TraceText

/// What must hold for any text that is read as notation or as NDJSON.
enum TextPromises {
  /// Parses text as a whole, and reads it in chunks as an import does.
  static func check(_ bytes: [UInt8], _ form: TextSource.Form) throws {
    let text = String(decoding: bytes, as: UTF8.self)
    try parse(text, form)
    let (imported, fault) = try read(bytes, form, chunk: 1 << 20)
    try TracePromises.check(imported)
    let (pieces, otherFault) = try read(bytes, form, chunk: 7)
    try hold(imported == pieces, "pieces are read otherwise")
    try hold("\(fault as Any)" == "\(otherFault as Any)", "pieces fail otherwise")
  }

  private static func parse(_ text: String, _ form: TextSource.Form) throws {
    do {
      _ = try form == .notation ? TraceNotation.parse(text) : NDJSON.parse(text)
    } catch let error as SyntaxError {
      try hold(InertText.isInert(error.description), "an error has control characters: \(error)")
      try hold(error.line > 0 && error.column > 0, "an error has no place: \(error)")
    }
  }

  /// Reads text in chunks of so many bytes; lines that cannot be read become gaps.
  static func read(
    _ bytes: [UInt8], _ form: TextSource.Form, chunk: Int
  ) throws -> (Trace, SourceError?) {
    var source = TextSource(form: form, onError: .skip)
    return try read(bytes, &source, chunk: chunk)
  }

  /// Feeds a source in chunks of so many bytes.
  static func read<Source: TraceSource>(
    _ bytes: [UInt8], _ source: inout Source, chunk: Int
  ) throws -> (Trace, SourceError?) {
    var trace = Trace(vocabulary: source.vocabulary)

    do {
      for start in stride(from: 0, to: bytes.count, by: chunk) {
        try source.take(bytes[start..<min(start + chunk, bytes.count)], into: &trace.events)
      }
      try source.finish(into: &trace.events)
    } catch let error as SourceError {
      try hold(InertText.isInert(error.description), "an error has control characters: \(error)")
      return (trace, error)
    }
    return (trace, nil)
  }
}
