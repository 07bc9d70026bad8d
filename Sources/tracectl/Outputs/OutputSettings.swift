import ArgumentParser
import TraceConfiguration
import TraceReport

/// How reports are written, and when they fail: by the command line, else by the configuration, else by
/// default.
struct OutputSettings {
  let reports: [ReportRequest]
  let failOn: AnalyzeCommand.FailOn
  let color: ColorOption
  let isStrict: Bool

  init(
    _ configuration: Configuration, reports: FormOptions<ReportForm>,
    failOn: AnalyzeCommand.FailOn?,
    color: ColorOptions, strict: Bool?
  ) throws {
    isStrict = strict ?? configuration.strict?.value ?? false
    self.failOn = .holding(failOn, configuration)
    self.color =
      color.said ?? configuration.color.flatMap { ColorOption(rawValue: $0.value) } ?? .auto
    let said = reports.given.isEmpty ? try OutputSettings.reports(configuration) : reports.given
    self.reports = said.isEmpty ? [ReportRequest(.text)] : said
  }

  /// What is wrong with the forms that the configuration names.
  static func problems(_ configuration: Configuration) -> [ConfigurationProblem] {
    var requests: [ReportRequest] = []
    var problems: [ConfigurationProblem] = []
    func check(_ place: ConfigurationPlace, _ read: () throws -> Void) {
      do { try read() } catch {
        let message = (error as? ValidationError)?.message ?? "\(error)"
        problems.append(ConfigurationProblem(kind: .error, place: place, message: message))
      }
    }

    for said in configuration.formats {
      check(said.place) { requests.append(try ReportRequest(argument: said.value)) }
    }
    if let first = configuration.formats.first {
      check(first.place) { try ReportRequest.check(requests) }
    }
    return problems
  }

  /// The forms that the configuration names, as `--format` would.
  private static func reports(_ configuration: Configuration) throws -> [ReportRequest] {
    if let problem = problems(configuration).first {
      throw CommandError.usage("\(problem.place): \(problem.message)")
    }
    return try configuration.formats.map { try ReportRequest(argument: $0.value) }
  }
}
