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
    let formats = configuration.formats
    func problem(_ error: any Error, _ place: ConfigurationPlace) -> ConfigurationProblem {
      let message = (error as? ValidationError)?.message ?? "\(error)"
      return ConfigurationProblem(kind: .error, place: place, message: message)
    }

    var requests: [ReportRequest] = []
    var problems: [ConfigurationProblem] = []
    for said in formats {
      do {
        requests.append(try ReportRequest(argument: said.value))
      } catch {
        problems.append(problem(error, said.place))
      }
    }

    do {
      try ReportRequest.check(requests)
    } catch {
      problems += formats.first.map { [problem(error, $0.place)] } ?? []
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
