import LifecycleModel
import Run
import TraceText

/// Which process a report is about, where its head is lost.
extension ReportDraft {
  /// Takes the app and its number from the words of the termination, where the report has lost its head.
  func nameSubject(of end: Termination, in report: inout TerminationReport) {
    report.process = report.process ?? OwnBundleText.name(in: reasons.joined(separator: "\n").slice)
    if report.bundle == nil { report.process = report.process ?? executable(of: end) }
    // Up to iOS 12 the watchdog names the bundle alone.
    if let bare = end.reason?.slice.behind(" watchdog transgression: ")?.before(" exhausted "),
      report.bundle == nil, bare.contains("."), let bundle = bare.identifier
    {
      report.bundle = bundle
    }
    guard report.bundle == nil, let words = end.reason?.prefix(1024),
      let subject = ConsoleMention(processIn: String(words).slice), !subject.isHelper
    else { return }
    report.bundle = subject.bundle
    report.pid = report.pid ?? subject.pid
  }

  /// The app's name where only its end and its frames show it: `main` lies in the app's own image, and a process that
  /// aborts is the one that ended it.
  private func executable(of end: Termination) -> String? {
    let frames = frames.sorted { $0.key < $1.key }.flatMap(\.value)
    if let name = frames.lazy.compactMap(\.executable).first { return name }
    let hasAborted = hasExceptionBacktrace || crashedFrames.contains(where: \.isWayToEnd)
    guard end.kind == Termination.signal(6).kind, hasAborted, let terminator,
      terminator != "exc handler", !AppIdentity.isSystemProcess(terminator)
    else { return nil }
    return terminator
  }
}
