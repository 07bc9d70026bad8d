import ChildPrograms
import Platform
import Traces

/// A log that one process after the other takes up, and of which each is killed, up to the last.
struct History {
  private let seed: UInt64
  private var random: SeededGenerator
  private let folder: Folder
  private let log: String
  private var options = App.Options()
  private var acknowledged: [String] = []
  /// How many processes were started.
  private var startCount = 0
  /// The app that a recorder has started, while it lives.
  private var app: pid_t?
  private var plans: [Plan] = []
  /// The cells of processes that were run.
  private var cells: [Int] = []
  private var given: [Cell]?
  /// How often something was wrong.
  private var complaintCount = 0

  /// Begins with a folder that is empty; `given` are the cells of a history that is run again.
  init(seed: UInt64, given: [Cell]? = nil) throws {
    (self.seed, self.given) = (seed, given)
    random = SeededGenerator(seed: seed)
    folder = try Folder()
    log = folder.path + "/log.bin"
  }

  /// Runs it, and counts what it meets.
  mutating func run(_ table: inout Table) throws {
    defer { endApp() }
    let first = next(State.Place.allCases, &table)
    choose(for: first)
    table.sums.histories += 1
    let isApp = [.launch, .relaunch, .drain, .fact].contains(first.state.place)
    if [.attached, .relaunch].contains(first.state.place) {
      let prelude = Plan.prelude(to: first, isApp ? .drain : .recorder, using: &random)
      guard try run(prelude, &table) else { return try finish(isApp, &table) }
    }
    guard try run(Plan(to: first, using: &random), &table) else {
      return try finish(isApp, &table)
    }

    for _ in 0..<Int.random(in: 0...2, using: &random) where given?.isEmpty != true {
      let places: [State.Place]
      if isApp {
        places = Folder.has(log) ? [.relaunch, .relaunch, .drain, .fact] : [.launch, .drain]
      } else {
        guard canBeAttached else { break }
        places = [.attached]
      }
      guard try run(Plan(to: next(places, &table), using: &random), &table) else { break }
    }
    try finish(isApp, &table)
  }

  private mutating func next(_ places: [State.Place], _ table: inout Table) -> Cell {
    let cell = given?.first ?? table.choose(places)
    if given != nil { given?.removeFirst() }
    cells.append(Cell.all.firstIndex(of: cell) ?? 0)
    return cell
  }

  /// Whether a recorder can go on for one that was killed.
  private var canBeAttached: Bool { Folder.has(log + ".ring") && !acknowledged.isEmpty }

  /// How the log of this history lies on the disk.
  private mutating func choose(for cell: Cell) {
    let step = cell.state.step
    options.records = [64, 512, 512, 1024][Int.random(in: 0..<4, using: &random)]
    if step == .fullRing { options.records = 64 }
    options.sync = [-1, 0, 100, 100][Int.random(in: 0..<4, using: &random)]
    switch step {
    case .logSynced, .ringSynced, .folderSynced, .writtenAgain: options.sync = 100
    case .oldFolderSynced: options.sync = -1
    default: break
    }

    let way = step == .oldestRemoved ? Int.random(in: 0..<2, using: &random) : 5
    switch way < 5 ? way : Int.random(in: 0..<6, using: &random) {
    case 0: options.keptBytes = 1 << 14
    case 1: (options.partAge, options.keptAge) = (1_000_000, 1_000_000)
    case 2 where step != .block: options.partAge = 20_000_000
    default: options.partAge = 1_000_000
    }
    if [.block, .logSynced, .ringSynced].contains(step), Bool.random(using: &random) {
      options.partAge = nil
    }
  }

  /// Runs a process and looks at what is left; false when the history cannot go on.
  private mutating func run(_ plan: Plan, _ table: inout Table) throws -> Bool {
    plans.append(plan)
    if plan.part == .attached, plan.isAppDead || Int.random(in: 0..<3, using: &random) == 0 {
      endApp()
    }

    var plan = plan
    if plan.part == .attached { plan.facts = 0 }
    if !plan.faults.isEmpty { table.sums.faults += 1 }
    let outcome = try start(plan)
    switch outcome {
    case .killed(let cell):
      table.sums.kills += 1
      table.meet(cell)
    case .killedElsewhere:
      table.sums.kills += 1
      table.sums.elsewhere += 1
    case .ended(let status):
      if status & 0x7f != 0 { complain("a process died of signal \(status & 0x7f)", &table) }
    }
    if plan.part == .recorder, let file = acknowledged.last {
      app = try firstWord(in: file)
      if app == nil { acknowledged.removeLast() }
      if case .ended = outcome { app = nil }
    }
    try look(&table, isLast: false)
    return plan.part != .recorder || canBeAttached
  }

  /// The number of the app that a recorder has started; `nil` when it has started none.
  private func firstWord(in file: String) throws -> pid_t? {
    let end = platform_nanoseconds() + 10_000_000_000
    while platform_nanoseconds() < end {
      if let launch = Books.read(file) { return launch.process }
      // What a recorder leaves behind is a child of this process.
      if waitpid(-1, nil, WNOHANG) < 0, errno == ECHILD { return nil }
      usleep(200)
    }
    throw Failure("an app says nothing")
  }

  /// Starts the process of a plan and runs it to where it dies.
  private mutating func start(_ plan: Plan) throws -> Victim.Outcome {
    let isRelaunch = Folder.has(log) || Folder.has(log + ".next")
    var options = options
    options.facts = plan.facts
    options.seed = random.next()
    if plan.part == .app { options.log = log }
    let words: [String]
    switch plan.part {
    case .recorder: words = Command.record(log, options)
    case .attached: words = Command.attach(log, options)
    case .app: words = Command.app(options)
    }

    let output = folder.path + "/acknowledged-\(startCount)"
    startCount += 1
    if plan.part != .attached { acknowledged.append(output) }
    let tracee = try Tracee(
      words, environment: ["SWIFT_BACKTRACE=enable=no"],
      output: plan.part == .attached ? folder.path + "/output" : output,
      errors: folder.path + "/errors")
    var victim = Victim(
      tracee, plan, log: log, ringRecords: options.records, isRelaunch: isRelaunch,
      chance: SeededGenerator(seed: random.next()))
    return victim.run()
  }

  /// Lets the last process live to its end.
  private mutating func finish(_ isApp: Bool, _ table: inout Table) throws {
    endApp()
    var part = Plan.Part.app
    if !isApp {
      part = .attached
      if !canBeAttached {
        // The log is complete, or nothing was recorded: the next recorder takes its place.
        if !acknowledged.isEmpty { try look(&table, isLast: true) }
        table.sums.acknowledged += Books(acknowledged).count
        (part, acknowledged) = (.recorder, [])
      }
    }

    var plan = Plan(part, nil)
    plan.facts = 40
    plans.append(plan)
    let outcome = try start(plan)
    if outcome != .ended(status: 0) {
      let errors = String(decoding: Folder.bytes(folder.path + "/errors"), as: UTF8.self)
      complain("the last process ends with \(outcome): \(errors)", &table)
    }
    try look(&table, isLast: true)
    table.sums.acknowledged += Books(acknowledged).count
  }

  /// Holds the log against what was acknowledged.
  private mutating func look(_ table: inout Table, isLast: Bool) throws {
    let books = Books(acknowledged)
    guard Folder.has(log) else {
      let isHalf = folder.names.contains { $0.hasPrefix("log.bin.") && $0.last?.isNumber == true }
      if isHalf { table.sums.nameless += 1 }
      if isLast || !isHalf, books.count > 0 { complain("there is no log", &table) }
      return
    }

    do {
      let audit = try books.audit(log, isAlive: app != nil, isLast: isLast)
      if isLast {
        table.sums.told += audit.told
        table.sums.falseFindings += audit.falseFindings
      }
      if audit.isTorn { table.sums.torn += 1 }
      if audit.isJoined { table.sums.joined += 1 }
      table.sums.lost += audit.lost
      guard books.count > 0 else { return }
      for complaint in audit.complaints { complain(complaint, &table) }
    } catch {
      if books.count > 0 { complain("the log cannot be read: \(error)", &table) }
    }
  }

  private mutating func complain(_ text: String, _ table: inout Table) {
    complaintCount += 1
    guard table.complaints.count < 50 else { return }
    let flat = text.split(separator: "\n").joined(separator: " ")
    let numbers = cells.map(String.init).joined(separator: " ")
    table.complaints.append(
      "\(flat); kill-storm again \(seed) \(numbers); \(plans.map(\.description))")
  }

  /// Leaves the files of a history in which something was wrong; where they lie.
  func keepFiles() -> String? {
    guard complaintCount > 0 else { return nil }
    folder.isKept = true
    return folder.path
  }

  /// Kills the app that a recorder has started, and waits until it is gone.
  private mutating func endApp() {
    guard let app else { return }
    kill(app, SIGKILL)
    while waitpid(app, nil, 0) < 0, errno == EINTR {}
    self.app = nil
  }
}

/// The programs of a storm, with their arguments.
enum Command {
  private static let folder = String(
    CommandLine.arguments[0].dropLast(
      CommandLine.arguments[0].split(separator: "/").last?.count ?? 0))
  private static let recorder = folder + "tracectl"

  /// Records an app.
  static func record(_ log: String, _ options: App.Options) -> [String] {
    [recorder, "record", "-q", "--replace", "-o", log]
      + [
        "--ring-threads", "4", "--ring-records", "\(options.records)", "--ring-words", "128K",
      ] + limits(options) + ["--"] + app(options)
  }

  /// Goes on for a recorder that is gone.
  static func attach(_ log: String, _ options: App.Options) -> [String] {
    [recorder, "record", "-q", "--attach", log] + limits(options)
  }

  /// Runs the app.
  static func app(_ options: App.Options) -> [String] {
    [CommandLine.arguments[0], "app"] + options.words
  }

  private static func limits(_ options: App.Options) -> [String] {
    var words: [String] = []
    if let age = options.partAge { words += ["--max-age", "\(age / 1_000_000)ms"] }
    if let bytes = options.keptBytes { words += ["--keep", "\(bytes / 1024)K"] }
    if let age = options.keptAge { words += ["--keep", "\(age / 1_000_000)ms"] }
    switch options.sync {
    case -1: words += ["--sync", "none"]
    case 0: words += ["--sync", "every-block"]
    default: words += ["--sync", "\(options.sync)ms"]
    }
    return words
  }
}
