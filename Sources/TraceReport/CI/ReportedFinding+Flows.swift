import TraceAnalysis

/// The evidence as flows of threads: SARIF's word for what one writer did.
extension ReportedFinding {
  /// A witness in the flow of a writer.
  struct Step {
    var writer: String
    var witness: ReportedWitness
    /// Its place over all flows in the order of time; `nil` for what is missing.
    var order: Int?
    /// Its place in the evidence.
    var offset: Int
  }

  /// What each writer did, and what is missing there; numbered over all flows in the order of time.
  ///
  /// What is missing stands in the flow of the event before it in the evidence, else of the one behind.
  var flows: [(writer: String, steps: [Step])] {
    let events = witnesses.enumerated().filter { !$0.element.isMissing }
    let ordered = events.sorted { $0.element.event?.t ?? 0 < $1.element.event?.t ?? 0 }
    var steps = ordered.enumerated().map { order, event in
      Step(
        writer: event.element.event?.writer ?? "", witness: event.element, order: order,
        offset: event.offset)
    }

    for (offset, witness) in witnesses.enumerated() where witness.isMissing {
      // With no event before it, it stands before the first one.
      let isFirst = witnesses[..<offset].allSatisfy(\.isMissing)
      let neighbor = isFirst ? events.first?.offset : offset - 1
      guard let place = steps.firstIndex(where: { $0.offset == neighbor }) else { continue }
      let step = Step(writer: steps[place].writer, witness: witness, offset: offset)
      steps.insert(step, at: isFirst ? place : place + 1)
    }
    return steps.grouped(by: \.writer).map { ($0.key, $0.elements) }
  }
}
