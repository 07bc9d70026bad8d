/// Prints what no test says by yes or no.
///
/// How good the rules and the fingerprints are, and what it takes
/// to compare long runs. `tools/quality` says which words it takes.
@main
enum Quality {
  @MainActor static func main() throws {
    let words = CommandLine.arguments.dropFirst()
    let number = words.dropFirst().first.flatMap { Int($0) }
    switch words.first {
    case "fingerprints": try Fingerprints.run(cases: number)
    case "diff": try DiffSpeed.run(events: number ?? 5_000_000)
    default: try RuleQuality.run(RuleQuality.Size(words))
    }
  }
}
