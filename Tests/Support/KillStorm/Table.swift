import Traces

/// How often each state was met, and what else came of a storm.
struct Table {
  private(set) var met: [Int]
  /// How often a cell was sought.
  private var sought: [Int]
  private var random: SeededGenerator
  var sums = Sums()
  var complaints: [String] = []

  /// What is counted of a storm.
  struct Sums {
    var kills = 0
    /// Processes that did not come where they should, and were killed where they were.
    var elsewhere = 0
    var histories = 0
    var acknowledged = 0
    var told = 0
    /// Acknowledged facts that are nowhere, and that no gap tells.
    var lost = 0
    var falseFindings = 0
    /// Logs that ended inside of a block, that a reader joined with a ring, and whose path named nothing.
    var torn = 0
    var joined = 0
    var nameless = 0
    var faults = 0

    static let names = [
      "kills", "elsewhere", "histories", "acknowledged", "told", "lost", "false findings",
      "torn", "joined", "nameless", "processes with faults",
    ]

    var figures: [Int] {
      get {
        [
          kills, elsewhere, histories, acknowledged, told, lost, falseFindings, torn, joined,
          nameless, faults,
        ]
      }
      set {
        guard newValue.count == Sums.names.count else { return }
        (kills, elsewhere, histories, acknowledged) =
          (newValue[0], newValue[1], newValue[2], newValue[3])
        (told, lost, falseFindings, torn) = (newValue[4], newValue[5], newValue[6], newValue[7])
        (joined, nameless, faults) = (newValue[8], newValue[9], newValue[10])
      }
    }
  }

  /// Begins; the seed chooses between cells that were met as often.
  init(seed: UInt64 = 1) {
    random = SeededGenerator(seed: seed)
    met = Cell.all.map { _ in 0 }
    sought = met
  }

  /// Cells that no kill met.
  var unmet: [Cell] { zip(Cell.all, met).filter { $0.1 == 0 }.map(\.0) }

  /// Chooses a cell that was met least, of those in some places.
  mutating func choose(_ places: [State.Place]) -> Cell {
    let open = Cell.all.indices.filter { places.contains(Cell.all[$0].state.place) }
    let scores = open.map { 4 * met[$0] + sought[$0] }
    let least = scores.min() ?? 0
    let best = zip(open, scores).filter { $0.1 == least }.map(\.0)
    let index = best[Int.random(in: 0..<best.count, using: &random)]
    sought[index] += 1
    return Cell.all[index]
  }

  mutating func meet(_ cell: Cell) {
    if let index = Cell.all.firstIndex(of: cell) { met[index] += 1 }
  }

  /// Adds what another process found.
  mutating func add(_ text: String) {
    for line in text.split(separator: "\n") {
      let words = line.split(separator: "\t")
      guard let first = words.first, words.count > 1 else { continue }
      let numbers = words.dropFirst().compactMap { Int($0) }
      switch first {
      case "met" where numbers.count == met.count: met = zip(met, numbers).map { $0 + $1 }
      case "sums": sums.figures = zip(sums.figures, numbers).map { $0 + $1 }
      case "wrong": complaints.append(String(words[1]))
      default: break
      }
    }
  }

  /// What ``add(_:)`` reads.
  var lines: String {
    var lines = complaints.map { "wrong\t" + $0 }
    lines.append((["met"] + met.map(String.init)).joined(separator: "\t"))
    lines.append((["sums"] + sums.figures.map(String.init)).joined(separator: "\t"))
    return lines.joined(separator: "\n") + "\n"
  }

  /// A row for each state.
  var text: String {
    let head = ["process", "step"] + Moment.allCases.map(\.rawValue)
    var rows = [head, head.map { _ in "---" }]
    let counts = Dictionary(uniqueKeysWithValues: zip(Cell.all, met))
    for state in State.all {
      let cells = Moment.allCases.map { moment in
        counts[Cell(state.place, state.step, moment)].map(String.init) ?? ""
      }
      rows.append([state.place.rawValue, state.step.rawValue] + cells)
    }
    let sums = zip(Sums.names, self.sums.figures).map { "\($0): \($1)" }
    return rows.map { "| " + $0.joined(separator: " | ") + " |" }.joined(separator: "\n")
      + "\n== " + sums.joined(separator: ", ")
  }
}
