import TraceAnalysis

/// The evidence as flows of threads: SARIF's word for what one writer did.
extension ReportedFinding {
  /// What one writer did, and what is missing there.
  struct Flow {
    var writer: String
    /// The witnesses in their order.
    var steps: [Step]
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
    let ordered = events.sorted { $0.element.event?.t ?? 0 < $1.element.event?.t ?? 0 }
    let steps = ordered.enumerated().map { order, event in
      Step(witness: event.element, order: order, offset: event.offset)
    }
    var flows = steps.grouped { $0.witness.event?.writer ?? "" }.map(Flow.init)

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
