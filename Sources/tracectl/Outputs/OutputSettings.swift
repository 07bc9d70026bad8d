import ArgumentParser
import TraceConfiguration

/// How reports are written, and when they fail: as the command line says, else as the configuration
/// does, else as usual.
struct OutputSettings {
  let reports: [ReportRequest]
  let failOn: AnalyzeCommand.FailOn
  let color: ColorOption
  let isStrict: Bool

  init(
    _ configuration: Configuration, reports: ReportOptions, failOn: AnalyzeCommand.FailOn?,
    color: ColorOptions, strict: Bool?
  ) throws {
    isStrict = strict ?? configuration.strict?.value ?? false
    self.failOn =
      failOn ?? configuration.failOn.flatMap { AnalyzeCommand.FailOn(rawValue: $0.value) }
      ?? .warning
    self.color =
      color.said ?? configuration.color.flatMap { ColorOption(rawValue: $0.value) } ?? .auto
    let said = reports.given.isEmpty ? try OutputSettings.reports(configuration) : reports.given
    self.reports = said.isEmpty ? [ReportRequest(.text)] : said
  }

  /// The forms that the configuration names, as `--format` would.
  private static func reports(_ configuration: Configuration) throws -> [ReportRequest] {
    let requests = try configuration.formats.map { said in
      do {
        return try ReportRequest(argument: said.value)
      } catch let error as ValidationError {
        throw CommandError.usage("\(said.place): \(error.message)")
      }
    }

    do {
      try ReportOptions.check(requests)
    } catch let error as ValidationError {
      throw CommandError.usage(
        "\(configuration.formats.map(\.place.description).first ?? ""): \(error.message)")
    }
    return requests
  }
}
