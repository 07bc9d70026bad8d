/// What one process of a history does, and where it is killed.
struct Plan: CustomStringConvertible {
  enum Part { case recorder, attached, app }

  let part: Part
  /// Where it is killed; `nil` when it lives to its end.
  var target: Cell?
  /// Behind how many states like that.
  var skipped = 0
  /// Behind how many instructions, of a moment behind a step.
  var instructions = 1
  var faults: [Fault] = []
  /// Whether its drain stands still for some milliseconds.
  var stalls = false
  /// After how many facts the app ends by itself.
  var facts = 0
  var isAppDead = false

  var description: String {
    "\(part) to \(target.map(String.init(describing:)) ?? "its end"), \(skipped) skipped, "
      + "\(instructions) instructions, faults \(faults)\(stalls ? ", stalled" : "")"
  }

  init(_ part: Part, _ target: Cell?) { (self.part, self.target) = (part, target) }

  /// Plans a process that is killed in `cell`, with what leads there and what goes wrong besides.
  init(to cell: Cell, using random: inout some RandomNumberGenerator) {
    switch cell.state.place {
    case .recorder: part = .recorder
    case .attached: part = .attached
    case .launch, .relaunch, .drain, .fact: part = .app
    }

    let step = cell.state.step
    target = cell
    faults = Fault.leading(to: step, using: &random)
    let isRepeated: Set<Step> = [
      .block, .firstBlock, .nextMade, .nextHeader, .oldSynced, .nextSynced, .linked, .takenOver,
      .oldClosed, .nameSynced, .logSynced, .ringSynced,
    ]
    if isRepeated.contains(step), cell.state.place != .relaunch {
      skipped = [0, 0, 1, 2][Int.random(in: 0..<4, using: &random)]
    }
    if cell.state.place == .fact { skipped = Int.random(in: 0..<20, using: &random) }
    instructions = Int.random(in: 1...(1 << Int.random(in: 0...11, using: &random)), using: &random)
    stalls = Int.random(in: 0..<10, using: &random) == 0

    if [.logClosed, .ringRemoved].contains(step) {
      facts = Int.random(in: 1...200, using: &random)
      isAppDead = true
    }
    if Int.random(in: 0..<5, using: &random) == 0, faults.isEmpty {
      let steps = cell.state.place.steps.filter { $0 != step }
      faults = [steps.randomElement(using: &random)].compactMap { $0 }
        .compactMap { Fault.random($0, using: &random) }
    }
  }

  /// Where the process before must have been killed, so that a step is taken at all.
  static func prelude(
    to cell: Cell, _ place: State.Place, using random: inout some RandomNumberGenerator
  ) -> Plan {
    var moments: [(Step, Moment)]
    switch cell.state.step {
    case .undone: moments = [(.movedAway, .after), (.movedAway, .behind), (.takenOver, .before)]
    case .leftRemoved:
      moments = [
        (.nextMade, .after), (.nextHeader, .after), (.nextHeader, .torn), (.linked, .before),
        (.linked, .after), (.nextSynced, .after), (.takenOver, .before),
      ]
    default: moments = [(.block, .after), (.block, .behind), (.firstBlock, .torn)]
    }

    let (step, moment) = moments[Int.random(in: 0..<moments.count, using: &random)]
    var plan = Plan(to: Cell(place, step, moment), using: &random)
    plan.faults = cell.state.step == .undone ? [.failing(.linked, 1, 9)] : []
    plan.skipped = 0
    return plan
  }
}
