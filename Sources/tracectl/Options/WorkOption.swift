import ArgumentParser

/// How much of each log is read.
struct WorkOption: ParsableArguments {
  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      """
      Read at most this many events of a log, such as 50M; a gap says that the rest was not read. \
      By default ten for each byte of a binary log, one for two bytes of compressed text, and at \
      least 250K; 0 is no limit.
      """,
      valueName: "events"), transform: WorkOption.read)
  var maxWork: Int?

  /// The limit that holds.
  var limit: WorkLimit { WorkLimit(maxWork) }

  private static func read(_ text: String) throws -> Int {
    let factors: [Character: Int] = ["K": 1000, "M": 1_000_000, "G": 1_000_000_000]
    let factor = text.last.flatMap { factors[$0] }
    let digits = factor == nil ? text[...] : text.dropLast()
    guard let number = Int(digits), number >= 0 else {
      throw ValidationError("it takes a whole number of events, such as 500000, 500K or 50M")
    }
    let (count, isTooLarge) = number.multipliedReportingOverflow(by: factor ?? 1)
    return isTooLarge ? .max : count
  }
}
