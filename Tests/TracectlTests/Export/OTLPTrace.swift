import Foundation

/// Traces of OpenTelemetry as a test reads them.
struct OTLPTrace {
  /// Something that lasts.
  struct Span {
    let trace, id: String
    let parent: String?
    let name: String
    let start, end: Int64
    let attributes: [String: String]
    let events: [Event]
    let dropped: Int
    /// What went wrong; `nil` where nothing did.
    let error: String?
  }

  /// Something that happens in a span.
  struct Event {
    let name: String
    let time: Int64
    let attributes: [String: String]
  }

  private typealias Object = [String: Any]

  private(set) var spans: [Span] = []
  /// What is known of the process of each trace.
  private(set) var resources: [String: [String: String]] = [:]
  /// How many requests there are.
  private(set) var requestCount = 0
  /// What a receiver would refuse or show wrongly.
  private(set) var complaints: [String] = []

  init(_ bytes: [UInt8]) {
    for line in bytes.split(separator: UInt8(ascii: "\n")) {
      requestCount += 1
      let request = try? JSONSerialization.jsonObject(with: Data(line)) as? Object
      let resources = request?["resourceSpans"] as? [Object] ?? []
      if resources.count != 1 { complaints.append("line \(requestCount) is of no process") }
      for resource in resources { read(resource) }
    }
    checkParents()
  }

  private mutating func read(_ part: Object) {
    let resource = attributes(part["resource"] as? Object ?? [:])
    for scope in part["scopeSpans"] as? [Object] ?? [] {
      for span in scope["spans"] as? [Object] ?? [] {
        read(span: span)
        guard let trace = spans.last?.trace else { continue }
        let known = resources.updateValue(resource, forKey: trace) ?? resource
        if known != resource { complaints.append("\(trace) is of two processes") }
      }
    }
  }

  private mutating func read(span: Object) {
    let status = span["status"] as? Object ?? [:]
    let isError = status["code"] as? Int == 2
    spans.append(
      Span(
        trace: id(span["traceId"], 32) ?? "", id: id(span["spanId"], 16) ?? "",
        parent: span["parentSpanId"].flatMap { id($0, 16) },
        name: span["name"] as? String ?? "", start: time(span["startTimeUnixNano"]),
        end: time(span["endTimeUnixNano"]), attributes: attributes(span),
        events: (span["events"] as? [Object] ?? []).map { event in
          Event(
            name: event["name"] as? String ?? "", time: time(event["timeUnixNano"]),
            attributes: attributes(event))
        }, dropped: span["droppedEventsCount"] as? Int ?? 0,
        error: isError ? status["message"] as? String : nil))

    if span["kind"] as? Int != 1 { complaints.append("the kind of \(span) is no number") }
    guard let made = spans.last else { return }
    if made.end < made.start { complaints.append("\(made.id) ends before it begins") }
    if made.name.isEmpty { complaints.append("\(made.id) has no name") }
  }

  /// An id of so many digits.
  private mutating func id(_ value: Any?, _ count: Int) -> String? {
    guard let text = value as? String else { return nil }
    let isHex = text.allSatisfy { $0.isHexDigit && !$0.isUppercase }
    if !isHex || text.count != count || text.allSatisfy({ $0 == "0" }) {
      complaints.append("\(text) is no id")
    }
    return text
  }

  private mutating func time(_ value: Any?) -> Int64 {
    if let text = value as? String, let time = Int64(text), time >= 0 { return time }
    complaints.append("\(value ?? "nothing") is no time")
    return 0
  }

  private mutating func attributes(_ object: Object) -> [String: String] {
    var known: [String: String] = [:]
    for attribute in object["attributes"] as? [Object] ?? [] {
      let key = attribute["key"] as? String ?? ""
      let value = attribute["value"] as? [String: String] ?? [:]
      let isNumber = value["intValue"].map { Int64($0) != nil } ?? true
      if key.isEmpty || value.count != 1 || !isNumber { complaints.append("\(key) has no value") }
      if known.updateValue(value.values.first ?? "", forKey: key) != nil {
        complaints.append("\(key) comes twice")
      }
    }
    return known
  }

  private mutating func checkParents() {
    var traces: [String: String] = [:]
    for span in spans where traces.updateValue(span.trace, forKey: span.id) != nil {
      complaints.append("\(span.id) comes twice")
    }

    for span in spans where span.parent.map({ traces[$0] != span.trace }) ?? false {
      complaints.append("the parent of \(span.id) is not in its trace")
    }
  }

  /// The spans with a name.
  func spans(_ name: String) -> [Span] { spans.filter { $0.name == name } }

  // MARK: As text

  /// All of it, a line a thing.
  var text: String {
    let traces = resources.sorted { $0.key < $1.key }.flatMap { trace, resource in
      ["trace \(trace)" + OTLPTrace.text(resource)]
    }

    let lines = spans.flatMap { span -> [String] in
      let parent = span.parent.map { " in \($0)" } ?? ""
      let error = span.error.map { ["  error: \($0)"] } ?? []
      return [
        "\(span.id)\(parent) \"\(span.name)\" \(span.start) to \(span.end)"
          + OTLPTrace.text(span.attributes)
      ] + error
        + span.events.map { "  \($0.name) at \($0.time)" + OTLPTrace.text($0.attributes) }
    }
    return (traces + lines).joined(separator: "\n") + "\n"
  }

  private static func text(_ attributes: [String: String]) -> String {
    attributes.sorted { $0.key < $1.key }.map { " \($0.key)=\"\($0.value)\"" }.joined()
  }
}
