import ChildPrograms
import LifecycleModel
import Platform
import TraceLog
import Traces

/// Tries cases of one log, and says what it found.
struct Worker {
  /// What was found in some cases.
  struct Findings {
    private(set) var counts = [Int](repeating: 0, count: Injury.Kind.allCases.count)
    /// The most microseconds that a case took.
    private(set) var slowest = 0
    /// Events of a ring that changed bits made into others.
    var changedCount = 0
    var complaints: [(number: Int, text: String)] = []

    mutating func count(_ kind: Injury.Kind, microseconds: Int) {
      counts[Injury.Kind.allCases.firstIndex(of: kind) ?? 0] += 1
      slowest = max(slowest, microseconds)
    }
  }

  let recipe: Recipe
  let log: SmallLog
  let injuries: [Injury]
  private let foreign: SmallLog
  private let books: Books
  /// Where the log is damaged.
  let folder: Folder
  /// What the log's own files hold, without a ring.
  private let withoutRing: [String]
  /// What lies in the folder now.
  private var files: [[UInt8]?]
  private var seen = Examination.Seen()

  /// Makes the log of a recipe, and sees that it is whole.
  init(_ index: Int) throws {
    recipe = Recipe.all[index]
    log = try recipe.make()
    foreign = try Recipe.all[(index + 1) % Recipe.all.count].make()
    injuries = Injury.all(of: log)
    folder = try Folder()
    files = log.files.map(\.bytes)
    for file in log.files where !file.isRing { try folder.write(file.name, file.bytes) }
    withoutRing = try Reading(path: folder.path(SmallLog.name)).lines
    for file in log.files where file.isRing { try folder.write(file.name, file.bytes) }

    let whole = try Examination(path: folder.path(SmallLog.name), nil, .mayBeUnseen, &seen)
    guard let reading = whole.reading, whole.isWhole, whole.complaints.isEmpty else {
      throw Failure("\(recipe.name): is not whole: \(whole.complaints)")
    }
    books = Books(log, reading)
    let complaints = books.complaints(reading)
    if !complaints.isEmpty { throw Failure("\(recipe.name): \(complaints)") }
  }

  /// Which cases of a log are a sample of one in `share`.
  static func isChosen(_ number: Int, _ share: Int, seed: UInt64) -> Bool {
    if share == 1 { return true }
    var random = SeededGenerator(seed: seed &* 0x2545_f491_4f6c_dd1d &+ UInt64(number))
    return random.oneIn(share)
  }

  /// Tries one case, and leaves the damaged log in the folder; a damage that changes nothing is none.
  mutating func attempt(_ number: Int, _ findings: inout Findings) throws {
    guard try lay(number) else { return }
    let start = Worker.threadTime()
    let demand = self.demand(injuries[number])
    let result = try Examination(path: folder.path(SmallLog.name), books, demand, &seen)
    let time = Worker.threadTime() - start
    findings.count(injuries[number].kind, microseconds: Int(time * 1e6))

    var complaints = result.complaints
    if time > 1 { complaints.append("took \(time) s") }
    if demand == .mayBeOthers, let reading = result.reading {
      findings.changedCount += books.inventedCount(reading)
      if !reading.lines.starts(with: withoutRing) {
        complaints.append("a ring changes what the log says")
      }
    }
    findings.complaints += complaints.map { (number, $0) }
  }

  /// Damages the log in the folder; false if that changes nothing.
  mutating func lay(_ number: Int) throws -> Bool {
    let damaged = injuries[number].files(of: log, with: foreign)
    for (place, file) in log.files.enumerated() where files[place] != damaged[place] {
      try folder.write(file.name, damaged[place])
    }
    files = damaged
    return damaged != log.files.map(\.bytes)
  }

  /// Whether anybody can see this damage.
  func demand(_ injury: Injury) -> Examination.Demand {
    let file = log.files[injury.file]
    if file.isRing {
      if injury.kind == .flipped || injury.kind == .zeroed { return .mayBeOthers }
      // Of a ring without a byte only a block behind which it was made says that it held something.
      let isEmpty = files[injury.file]?.isEmpty ?? true
      let isUnseen = isEmpty && (files[injury.file] == nil || log.files[0].blockCount == 0)
      return isUnseen ? .mayBeUnseen : .all
    }

    // The limits of a recorder remove the oldest part; an older part was the newest one once.
    let isOldest = injury.file == 1
    if injury.kind == .file {
      let isGone = isOldest && injury.place == -2
      return isGone || injury.file == 0 && injury.place > 0 ? .mayBeUnseen : .all
    }
    guard injury.file == 0, let bytes = files[0] else { return .all }
    let isPrefix = file.borders.contains(bytes.count) && file.bytes.starts(with: bytes)
    return isPrefix ? .mayBeUnseen : .all
  }

  private static func threadTime() -> Double {
    var time = timespec()
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
  }
}
