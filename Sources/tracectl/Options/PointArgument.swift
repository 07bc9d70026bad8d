import ArgumentParser
import TraceAnalysis
import TraceReport
import TraceText

/// A moment of a run that an option names: a time, an event, a finding by its fingerprint, `@start`,
/// `@end` or `@death`.
struct PointArgument: ExpressibleByArgument {
  /// What names it.
  enum Form {
    case moment(MomentArgument)
    case target(MomentFinder.Target)
    case finding(String)
    case death
  }

  private static let fingerprintLength = 16

  let text: String
  let form: Form

  init(argument: String) {
    text = argument
    let word = argument.hasPrefix("@") ? String(argument.dropFirst()) : argument
    let isHex = word.allSatisfy { $0.isHexDigit && !$0.isUppercase }
    let named: [String: Form] = [
      "@start": .target(.start), "@end": .target(.end), "@death": .death,
    ]
    if let point = named[argument] {
      form = point
    } else if isHex && word.count == PointArgument.fingerprintLength {
      form = .finding(word)
    } else if argument.contains("#"), let event = EventReference(argument) {
      form = .target(.event(event))
    } else {
      form = .moment(MomentArgument(argument: argument))
    }
  }

  /// Throws for a text that names no moment.
  func check(_ option: String) throws {
    guard case .moment(let moment) = form, !moment.isValid else { return }
    throw ValidationError(
      "\(option) takes a time such as 4.2s or 17:30:31, an event such as main#25, the fingerprint of a "
        + "finding, @start, @end or @death, not \(text)\(moment.near)")
  }

  /// The moment of a death or of a finding in a log that was analyzed.
  func target(in log: AnalyzedLog) throws -> MomentFinder.Target {
    let results = log.results()
    if case .finding(let fingerprint) = form {
      let findings = results.listedFindings.map(\.finding)
      guard let finding = findings.first(where: { $0.fingerprint == fingerprint }) else {
        throw CommandError.usage(
          "\(log.name): has no finding with the fingerprint \(fingerprint); "
            + "tracectl analyze --format json prints them")
      }
      return finding.anchor.map(target) ?? finding.instant.map { .instant($0) } ?? .end
    }

    guard let death = results.verdicts.last else {
      throw CommandError.usage(
        "\(log.name): no process ends in this log; @end is its last event")
    }
    return target(death.event)
  }

  private func target(_ event: ReportedEvent) -> MomentFinder.Target {
    event.reference.isUnique ? .event(event.reference) : .instant(event.instant)
  }
}
