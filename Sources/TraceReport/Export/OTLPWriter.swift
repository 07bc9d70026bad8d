/// Writes requests of OTLP in JSON, one a line: each has spans of one trace.
///
/// A line is a request (`ExportTraceServiceRequest`) as receivers take it, and a line of a file of the
/// OpenTelemetry file exporter.
struct OTLPWriter {
  /// A line that is longer ends; readers of such files take a mebibyte.
  private static let longest = 1 << 18

  /// The lines that were written and not taken yet.
  var bytes: [UInt8] = []
  /// The spans of the line that is being written.
  private var spans: [UInt8] = []
  private var resource: OTLPResource?

  /// Writes a span.
  mutating func write(_ span: JSONTree, _ resource: OTLPResource) {
    let isOther = self.resource?.traceID != resource.traceID
    if isOther || spans.count >= OTLPWriter.longest { endLine() }
    self.resource = resource
    if !spans.isEmpty { spans.append(UInt8(ascii: ",")) }
    spans += span.line
  }

  /// Ends the line that is being written, if there is one.
  mutating func endLine() {
    guard let resource, !spans.isEmpty else { return }
    let list = "[" + String(decoding: spans, as: UTF8.self) + "]"
    let request: JSONTree = [
      "resourceSpans": [
        [
          "resource": resource.json,
          "scopeSpans": [["scope": ["name": "tracectl"], "spans": .scalar(list)]],
        ]
      ]
    ]
    bytes += request.line + [UInt8(ascii: "\n")]
    spans.removeAll(keepingCapacity: true)
    self.resource = nil
  }
}
