import LifecycleModel
import Run

/// What a report says and the reader does not understand: a note each, with where it stands.
extension TerminationReport {
  /// The most notes of this kind in a report.
  private static let mostMisread = 64
  private static let longestMisread = 64

  /// Notes a value that is not understood; `place` is its path in JSON, or its key and its line.
  mutating func noteMisread(_ text: String, at place: String) {
    if text.isEmpty { return }
    let words =
      text.utf8.count > Self.longestMisread ? text.prefix(Self.longestMisread) + "…" : text[...]
    let note = "\(place.replacing("/", with: ".")) says \(words), which is not understood"
    if notes.count < Self.mostMisread, !notes.contains(note) { notes.append(note) }
  }

  /// Reads a time, or notes that it is none.
  mutating func takeStamp(_ text: String, at place: String) -> Nanoseconds? {
    let stamp = ReportStamp(text)?.nanoseconds
    if stamp == nil { noteMisread(text, at: place) }
    return stamp
  }
}

extension ReportDraft {
  private static let exceptionTypes = MachException.names + ["00000020", "0x20"]
  private static let roles: Set = [
    "Foreground", "Background", "Non UI", "unknown", "Unknown", "Unspecified",
  ]
  private static let visibilities: Set = ["Foreground", "Background", "Unknown"]
  private static let actions: Set = ["none", "process killed"]

  /// Notes the words of the draft that are not understood.
  func noteMisread(in report: inout TerminationReport) {
    func check(_ text: String?, _ isKnown: (String) -> Bool, _ path: String, _ key: String) {
      if let text, !isKnown(text) { report.noteMisread(text, at: place(path, key)) }
    }

    check(bugType, ReportForm.isRead, "bug_type", "bug_type")
    check(exceptionType, Self.exceptionTypes.contains, "exception.type", "Exception Type")
    check(
      exceptionSignal, { DarwinSignal.number(named: $0) != nil }, "exception.signal",
      "Exception Type")
    check(report.role, Self.roles.contains, "procRole", "Role")
    check(action, { Self.actions.contains($0.lowercased()) }, "action", "Action taken")
    check(
      heading, { TerminationText.end(headed: $0) != nil }, "terminationReason", "Termination Reason"
    )
    check(
      code, { TerminationText.number($0.slice) != nil }, "termination.code", "Termination Reason")
    if case .killed(let namespace?, _) = report.end?.kind {
      check(
        namespace, ExitNamespace.isKnown, "termination.namespace", "Termination Reason")
    }

    for reason in reasons where reason.hasPrefix("ProcessVisibility: ") {
      let word = reason.dropFirst("ProcessVisibility: ".count)
      check(
        String(word), Self.visibilities.contains, "termination.reasons.ProcessVisibility",
        "Termination Reason")
    }
  }

  /// Where a value stands: in text its key with its line, else its path.
  func place(_ path: String, _ key: String) -> String {
    lines[key].map { "\(key) in line \($0)" } ?? path
  }
}
