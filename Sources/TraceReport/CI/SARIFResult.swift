import LifecycleModel
import TraceAnalysis
import TraceText

/// The parts of a SARIF result.
extension JSONWriter {
  mutating func message(_ text: String) {
    object("message") { $0.string("text", InertText.sarif(text)) }
  }

  /// The log, as a file, with the line where the log is a text.
  ///
  /// A binary log has no lines, and its events no bytes of their own: they lie in compressed columns.
  mutating func physicalLocation(_ log: String, line: Int? = nil) {
    object("physicalLocation") { writer in
      writer.artifactLocation(log)
      if let line { writer.object("region") { $0.number("startLine", line) } }
    }
  }

  private mutating func artifactLocation(_ path: String) {
    object("artifactLocation") { writer in
      writer.string("uri", InertText.uri(path))
      if path == "-" { writer.object("description") { $0.string("text", "standard input") } }
    }
  }

  /// What the finding is about, and the culprit.
  mutating func logicalLocations(_ finding: ReportedFinding) {
    var places: [(kind: String, name: String)] = []
    if !finding.subject.isEmpty { places.append(("subject", finding.subject)) }
    if let culprit = finding.culprit { places.append(("event", culprit.reference)) }
    if places.isEmpty { return }
    objects("logicalLocations", places) { writer, place in
      writer.string("kind", place.kind)
      writer.string("fullyQualifiedName", place.name)
    }
  }

  /// The witnesses: a flow for each writer, numbered over all flows in the order of time.
  mutating func codeFlow(_ finding: ReportedFinding) {
    let flows = finding.flows
    objects("codeFlows", [finding]) { writer, finding in
      writer.objects("threadFlows", flows) { writer, flow in
        writer.string("id", InertText.line(flow.writer))
        writer.array("locations", flow.steps) { writer, step in
          if let order = step.order {
            writer.step(step.witness, order: order, finding.path)
          } else {
            writer.missing(step.witness)
          }
        }
      }
    }
  }

  /// What did not come: words alone.
  ///
  /// No place in a file, no order of execution and no instant is its own.
  private mutating func missing(_ witness: ReportedWitness) {
    object { writer in
      writer.object("location") { $0.message("\(witness.role.rawValue): \(witness.text)") }
      writer.string("importance", "essential")
      writer.object("properties") { writer in
        writer.string("role", witness.role.rawValue)
        writer.number("until", witness.until)
        writer.number("backgroundTime", witness.backgroundTime)
      }
    }
  }

  private mutating func step(_ witness: ReportedWitness, order: Int, _ log: String) {
    object { writer in
      writer.object("location") { writer in
        writer.physicalLocation(log, line: witness.event?.sourceLine)
        writer.objects("logicalLocations", [witness]) { writer, witness in
          writer.string("kind", "event")
          writer.string("fullyQualifiedName", witness.reference)
        }
        writer.message("\(witness.role.rawValue): \(witness.text)")
      }
      writer.number("executionOrder", order)
      writer.string("importance", witness.role == .culprit ? "essential" : "important")
      // An instant is counted from somewhere: it is no date, so `executionTimeUtc` would be invented.
      writer.object("properties") { writer in
        writer.string("role", witness.role.rawValue)
        writer.number("instant", witness.event?.t)
        writer.number("sequence", witness.event?.sequence)
      }
    }
  }

  /// The log, where the finding's own place is in the app's code; and the finding that has the same
  /// cause, and tells more of it.
  mutating func related(_ finding: ReportedFinding, cause: ReportedFinding?) {
    var places: [(finding: ReportedFinding, message: String)] = []
    if finding.codeLocation != nil { places.append((finding, "the log that shows this finding")) }
    if let cause {
      places.append((cause, "has the same cause: \(cause.rule): \(cause.message)"))
    }

    if places.isEmpty { return }
    objects("relatedLocations", places) { writer, place in
      writer.physicalLocation(place.finding.path, line: place.finding.sourceLine)
      writer.logicalLocations(place.finding)
      writer.message(place.message)
    }
  }

  mutating func suppressions(_ suppression: Finding.Suppression?) {
    objects("suppressions", suppression.map { [$0] } ?? []) { writer, suppression in
      writer.string("kind", "external")
      writer.string("status", "accepted")
      writer.string("justification", InertText.line(suppression.reason))
      let parts = suppression.place.split(separator: ":", omittingEmptySubsequences: false)
      let line = parts.count > 1 ? parts.last.flatMap { Int($0) } : nil
      let file = line == nil ? suppression.place : parts.dropLast().joined(separator: ":")
      writer.object("location") { writer in
        writer.object("physicalLocation") { writer in
          writer.artifactLocation(file)
          if let line, line > 0 {
            writer.object("region") { $0.number("startLine", line) }
          }
        }
      }
    }
  }
}

/// The evidence as flows of threads: SARIF's word for what one writer did.
extension ReportedFinding {
  /// What one writer did, and what is missing there.
  struct Flow {
    var writer: String
    /// The witnesses in their order.
    var steps: [Step] = []
  }

  /// A witness in a flow.
  struct Step {
    var witness: ReportedWitness
    /// Its place over all flows in the order of time; `nil` for what is missing.
    var order: Int?
    /// Its place in the evidence.
    var offset: Int
  }

  /// A flow for each writer, numbered over all flows in the order of time.
  ///
  /// What is missing stands in the flow of the event before it in the evidence, else of the one behind.
  var flows: [Flow] {
    let events = witnesses.enumerated().filter { !$0.element.isMissing }
    let ordered = events.sorted {
      ($0.element.event?.t ?? 0, $0.offset) < ($1.element.event?.t ?? 0, $1.offset)
    }
    var flows: [Flow] = []

    for (order, event) in ordered.enumerated() {
      let writer = event.element.event?.writer ?? ""
      let flow = flows.firstIndex { $0.writer == writer } ?? flows.count
      if flow == flows.count { flows.append(Flow(writer: writer)) }
      flows[flow].steps.append(Step(witness: event.element, order: order, offset: event.offset))
    }

    for (offset, witness) in witnesses.enumerated() where witness.isMissing {
      let step = Step(witness: witness, order: nil, offset: offset)
      // With no event before it, it stands before the first one.
      let isFirst = witnesses[..<offset].allSatisfy(\.isMissing)
      let neighbor = isFirst ? events.first?.offset : offset - 1
      for flow in flows.indices {
        let index = flows[flow].steps.firstIndex { $0.offset == neighbor }
        if let index { flows[flow].steps.insert(step, at: isFirst ? index : index + 1) }
      }
    }
    return flows
  }
}
