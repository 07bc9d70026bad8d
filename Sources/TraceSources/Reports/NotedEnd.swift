import LifecycleModel
import Run

/// Reads what Sentry and Bugsnag report about an end that they have seen: in a handler of a signal,
/// of a Mach exception, or of a language exception that nothing caught.
///
/// What they conclude at the next launch, such as a watchdog or the lack of memory, is no such end.
struct NotedEnd {
  /// The mechanisms of Sentry behind which no process goes on.
  private static let fatalMechanisms: Set = [
    "mach", "signal", "nsexception", "cpp_exception", "cppexception",
  ]
  private static let longestText = 256

  /// The end; `nil` where no handler has seen one.
  var termination: Termination? { sentry ?? bugsnag }
  /// When the report was made, nanoseconds since 1970; `nil` when it does not say it.
  private(set) var time: Nanoseconds?

  private var sentry: Termination?
  /// The members of the exception that is read.
  private var members: [String: String] = [:]
  /// What Bugsnag reports, by its paths in an event.
  private var values: [String: String] = [:]
  private static let paths: Set = [
    "unhandled", "severityReason/type", "severityReason/attributes/signalType",
    "exceptions/errorClass", "exceptions/message",
  ]

  // MARK: Values

  /// Takes a value of the report, with its path.
  mutating func take(_ path: String, _ text: String) {
    let text = String(text.prefix(Self.longestText))
    if let member = path.slice.behind("exception/values/") { return members[member.text] = text }

    let key = path.withoutPrefix("events/")
    if path == "timestamp" || key == "device/time" { time = time ?? BreadcrumbReader.time(text) }
    // Of several exceptions the first one counts.
    let isKept = key.hasPrefix("exceptions/") && values[key] != nil
    if Self.paths.contains(key), !isKept { values[key] = text }
  }

  /// Says that an exception of Sentry's has ended.
  mutating func endException() {
    defer { members = [:] }
    guard sentry == nil, members["mechanism/handled"] == "false",
      let mechanism = members["mechanism/type"]?.lowercased(),
      Self.fatalMechanisms.contains(mechanism)
    else { return }
    let number =
      members["mechanism/meta/signal/number"].flatMap { UInt64($0) }
      ?? members["mechanism/meta/signal/name"].flatMap { DarwinSignal.number(named: $0) }
    sentry = Self.end(
      name: members["type"], words: members["value"], signal: number,
      isException: mechanism == "nsexception")
  }

  // MARK: Ends

  private var bugsnag: Termination? {
    let reason = values["severityReason/type"] ?? ""
    guard values["unhandled"] == "true", ["unhandledException", "signal"].contains(reason) else {
      return nil
    }
    let name = values["exceptions/errorClass"]
    // A handler of Mach exceptions reports EXC_BAD_ACCESS by the same word.
    let isSignal = reason == "signal" || name?.hasPrefix("EXC_") == true
    let word = values["severityReason/attributes/signalType"] ?? name
    return Self.end(
      name: name, words: values["exceptions/message"],
      signal: word.flatMap { DarwinSignal.number(named: $0) },
      isException: !isSignal && name != nil)
  }

  private static func end(
    name: String?, words: String?, signal: UInt64?, isException: Bool
  ) -> Termination {
    let number = signal.flatMap { DarwinSignal.isKnown($0) ? $0 : nil }
    var end = Termination.signal(number)
    end.requester = TerminationReport.source
    if isException {
      (end.exception, end.reason) = (name, words)
    } else {
      let told = [name, words].compactMap(\.self).filter { !$0.isEmpty }
      end.reason = told.isEmpty ? nil : told.joined(separator: ": ")
    }
    return end
  }
}
