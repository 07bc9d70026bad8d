#if canImport(Testing)
  import LifecycleModel
  import TraceAnalysis
  import Testing

  /// Expects that rules looked at a trace and found all as it should be.
  ///
  /// Fails with the report as its text, also when a rule cannot tell or had nothing to judge: then
  /// the trace does not show what the test is about.
  public func expect(
    _ trace: Trace, satisfies rules: String..., sourceLocation: SourceLocation = #_sourceLocation
  ) {
    judge(trace, rules, sourceLocation) { judgement in
      judgement.isSatisfied ? nil : "expected to be satisfied: "
    }
  }

  /// Expects that a rule finds something in a trace, for tests of what is known to be wrong.
  public func expect(
    _ trace: Trace, violates rule: String, sourceLocation: SourceLocation = #_sourceLocation
  ) {
    judge(trace, [rule], sourceLocation) { judgement in
      judgement.isViolated ? nil : "expected to be violated: "
    }
  }

  /// Expects that no rule of the catalogue finds anything in a trace, of this severity or above.
  ///
  /// Rules that cannot tell do not fail it; the reports of `tracectl analyze` say which those are.
  public func expectNothingFound(
    in trace: Trace, from severity: Severity = .warning,
    sourceLocation: SourceLocation = #_sourceLocation
  ) {
    judge(trace, [], sourceLocation) { judgement in
      judgement.analysis.worst.map { $0 >= severity } ?? false
        ? "expected no findings of severity \(severity.rawValue) or above" : nil
    }
  }

  private func judge(
    _ trace: Trace, _ rules: [String], _ location: SourceLocation,
    _ complaint: (TraceJudgement) -> String?
  ) {
    do {
      let judgement = try trace.judged(by: rules)
      guard let complaint = complaint(judgement) else { return }
      let text = complaint + rules.joined(separator: ", ") + "\(judgement)"
      Issue.record(Comment(rawValue: text), sourceLocation: location)
    } catch {
      Issue.record(Comment(rawValue: "\(error)"), sourceLocation: location)
    }
  }
#endif
