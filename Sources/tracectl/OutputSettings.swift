import ArgumentParser
import TraceConfiguration

/// How a report is written, and when it fails: as the command line says, else as the configuration
/// does, else as usual.
struct OutputSettings {
  let format: AnalyzeCommand.Format
  let failOn: AnalyzeCommand.FailOn
  let color: ColorOption

  init(
    _ configuration: Configuration, format: AnalyzeCommand.Format?,
    failOn: AnalyzeCommand.FailOn?, color: ColorOptions
  ) throws {
    self.failOn =
      failOn ?? configuration.failOn.flatMap { AnalyzeCommand.FailOn(rawValue: $0.value) }
      ?? .warning
    self.color =
      color.said ?? configuration.color.flatMap { ColorOption(rawValue: $0.value) } ?? .auto
    self.format = try format ?? OutputSettings.format(configuration) ?? .text
  }

  private static func format(_ configuration: Configuration) throws -> AnalyzeCommand.Format? {
    guard let said = configuration.formats.first else { return nil }
    guard let format = AnalyzeCommand.Format(rawValue: said.value),
      configuration.formats.count == 1
    else {
      let known = AnalyzeCommand.Format.allCases.map(\.rawValue).joined(separator: ", ")
      throw CommandError.usage(
        "\(said.place): there is no format \(said.value); known: \(known)")
    }
    return format
  }
}
