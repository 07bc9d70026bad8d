/// How many cases of a log were tried, and what came of them.
struct Tally {
  let name: String
  let holds: String
  let byteCount: Int
  let caseCount: Int
  private var counts = [Int](repeating: 0, count: Injury.Kind.allCases.count)
  private var slowest = 0
  private var changedCount = 0
  var wrongCount = 0
  var trapCount = 0
  var hangCount = 0
  /// How many complaints were told in full.
  var toldCount = 0

  /// Begins with the log of a recipe.
  init(_ index: Int) throws {
    let log = try Recipe.all[index].make()
    (name, holds) = (Recipe.all[index].name, Recipe.all[index].holds)
    byteCount = log.byteCount
    caseCount = Injury.all(of: log).count
  }

  private init(sumOf tallies: [Tally]) {
    (name, holds) = ("all", "\(tallies.count) logs")
    byteCount = tallies.reduce(0) { $0 + $1.byteCount }
    caseCount = tallies.reduce(0) { $0 + $1.caseCount }

    for tally in tallies {
      counts = zip(counts, tally.counts).map { $0 + $1 }
      slowest = max(slowest, tally.slowest)
      changedCount += tally.changedCount
      wrongCount += tally.wrongCount
      trapCount += tally.trapCount
      hangCount += tally.hangCount
    }
  }

  /// Adds what a process said at its end.
  mutating func add(_ figures: [Int]) {
    guard figures.count == counts.count + 2 else { return }
    slowest = max(slowest, figures[0])
    changedCount += figures[1]
    counts = zip(counts, figures[2...]).map { $0 + $1 }
  }

  /// A row for each log, and one for all.
  static func table(_ tallies: [Tally]) -> String {
    let kinds = Injury.Kind.allCases.map(\.rawValue)
    let head =
      ["log", "holds", "bytes"] + kinds
      + ["cases", "slowest, ms", "changed in a ring", "wrong", "traps", "hangs"]
    let rows = (tallies + [Tally(sumOf: tallies)]).map(\.cells)
    return ([head, head.map { _ in "---" }] + rows)
      .map { "| " + $0.joined(separator: " | ") + " |" }.joined(separator: "\n")
  }

  private var cells: [String] {
    let milliseconds = Double(slowest / 100) / 10
    let figures = counts + [counts.reduce(0, +)]
    let ends = [changedCount, wrongCount, trapCount, hangCount]
    return [name, holds, "\(byteCount)"] + figures.map(String.init) + ["\(milliseconds)"]
      + ends.map(String.init)
  }
}
