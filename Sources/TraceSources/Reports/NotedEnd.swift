import LifecycleModel
import Run

/// Reads what Sentry and Bugsnag report about an end that they have seen: in a handler of a signal,
/// of a Mach exception, or of a language exception that nothing caught.
///
/// What they conclude at the next launch, such as a watchdog or the lack of memory, is no such end.
enum NotedEnd {
  /// The mechanisms of Sentry behind which no process goes on.
  private static let fatalMechanisms: Set = [
    "mach", "signal", "nsexception", "cpp_exception", "cppexception",
  ]

  /// The end; `nil` where no handler has seen one.
  static func termination(in report: JSONObject) -> Termination? {
    let exceptions = report.objects { $0.hasSuffix("exception/values") }
    let isFatal = report["level"] == "fatal"
    return exceptions.lazy.compactMap { sentry($0.object, isFatal) }.first
      ?? ([report] + report.objects("events")).lazy.compactMap(bugsnag).first
  }

  /// When the report was made, nanoseconds since 1970; `nil` when it does not say it.
  static func time(in report: JSONObject) -> Nanoseconds? {
    let devices = report.objects("device") + report.objects("events/device")
    return ([report["timestamp"]] + devices.map { $0["time"] }).lazy
      .compactMap { $0.flatMap { ReportStamp.nanoseconds(of: $0) } }.first
  }

  private static func sentry(_ exception: JSONObject, _ isFatal: Bool) -> Termination? {
    let mechanism = exception.objects("mechanism").last
    let type = mechanism?["type"]?.lowercased() ?? ""
    // Whoever cuts an event down may have left it out.
    let isHandled = mechanism?["handled"].map { $0 != "false" } ?? !isFatal
    guard !isHandled, fatalMechanisms.contains(type) else { return nil }
    let signal = mechanism?.objects("meta/signal").last
    return end(
      name: exception["type"], words: exception["value"],
      signal: signal?["number"].flatMap { UInt64($0) }
        ?? signal?["name"].flatMap { DarwinSignal.number(named: $0) },
      isException: type == "nsexception")
  }

  private static func bugsnag(_ event: JSONObject) -> Termination? {
    let severity = event.objects("severityReason").last
    let reason = severity?["type"] ?? ""
    guard event["unhandled"] == "true", ["unhandledException", "signal"].contains(reason) else {
      return nil
    }
    // Of several exceptions the first one counts.
    let exception = event.objects("exceptions").first
    let name = exception?.texts("errorClass").first
    // A handler of Mach exceptions reports EXC_BAD_ACCESS by the same word.
    let isSignal = reason == "signal" || name?.hasPrefix("EXC_") == true
    let word = severity?.objects("attributes").last?["signalType"] ?? name
    return end(
      name: name, words: exception?.texts("message").first,
      signal: word.flatMap { DarwinSignal.number(named: $0) },
      isException: !isSignal && name != nil)
  }

  private static func end(
    name: String?, words: String?, signal: UInt64?, isException: Bool
  ) -> Termination {
    let (name, words) = (name.map { String($0.prefix(256)) }, words.map { String($0.prefix(256)) })
    let number = signal.flatMap { DarwinSignal.isKnown($0) ? $0 : nil }
    var end = Termination.signal(number)
    if isException {
      (end.exception, end.reason) = (name, words)
    } else {
      let told = [name, words].compactMap(\.self).filter { !$0.isEmpty }
      end.reason = told.isEmpty ? nil : told.joined(separator: ": ")
    }
    return end
  }
}
