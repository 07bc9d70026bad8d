import LifecycleModel
import Platform
import TraceLog

/// A small log that is damaged in one way after the other, and what is read of it held against what was written.
struct DamagedLog {
  let recipe: Recipe
  let injuries: [Injury]
  private let log: SmallLog
  private let foreign: SmallLog
  private let books: Books
  /// Where the log is damaged.
  private let folder: Folder
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
      throw Violation("\(recipe.name) is not whole: \(whole.complaints)")
    }
    books = Books(log, reading)
    let complaints = books.complaints(reading)
    if !complaints.isEmpty { throw Violation("\(recipe.name): \(complaints)") }
  }

  /// Tries one case; a damage that changes nothing is none, and false is returned.
  mutating func attempt(_ number: Int) throws -> Bool {
    guard try lay(number) else { return false }
    let start = DamagedLog.threadTime()
    let demand = self.demand(injuries[number])
    let result = try Examination(path: folder.path(SmallLog.name), books, demand, &seen)
    let time = DamagedLog.threadTime() - start

    var complaints = result.complaints
    if time > 1 { complaints.append("took \(time) s") }
    if demand == .mayBeOthers, let reading = result.reading,
      !reading.lines.starts(with: withoutRing)
    {
      complaints.append("a ring changes what the log says")
    }
    guard complaints.isEmpty else {
      throw Violation("\(recipe.name), \(injuries[number]): \(complaints.prefix(5))")
    }
    return true
  }

  /// Damages the log in the folder; false if that changes nothing.
  private mutating func lay(_ number: Int) throws -> Bool {
    let damaged = injuries[number].files(of: log, with: foreign)
    for (place, file) in log.files.enumerated() where files[place] != damaged[place] {
      try folder.write(file.name, damaged[place])
    }
    files = damaged
    return damaged != log.files.map(\.bytes)
  }

  /// Copies what lies in the folder into another one; returns whether it must be told that it is damaged.
  mutating func leave(_ number: Int, in other: String) throws -> Bool {
    let isDamaged = try lay(number)
    for (file, bytes) in zip(log.files, files) {
      if let bytes { try Folder.write("\(other)/\(file.name)", bytes) }
    }
    return isDamaged && demand(injuries[number]) == .all
  }

  /// Whether anybody can see this damage.
  private func demand(_ injury: Injury) -> Examination.Demand {
    let file = log.files[injury.file]
    if file.isRing {
      if injury.kind == .flipped || injury.kind == .zeroed { return .mayBeOthers }
      // Of a ring without a byte only a block behind which it was made says that it held something.
      let isEmpty = files[injury.file]?.isEmpty ?? true
      let isUnseen = isEmpty && (files[injury.file] == nil || log.files[log.newest].blockCount == 0)
      return isUnseen ? .mayBeUnseen : .all
    }

    // The limits of a recorder remove the oldest part behind a head that they have cut.
    let isOldest = injury.file == 1 && log.files[0].blockCount == 0
    if isOldest, injury.kind == .file, injury.place == -2 { return .mayBeUnseen }
    // Without its cut mark such a head is empty, and that says the same.
    let isBare = injury.file == 0 && file.blockCount == 0 && log.newest > 0
    if isBare, files[0] == Array(file.bytes.dropLast()) { return .mayBeUnseen }
    guard injury.file == log.newest else { return .all }
    // An older part was the newest one once.
    guard let bytes = files[injury.file], injury.kind != .file else { return .mayBeUnseen }
    let isPrefix = file.borders.contains(bytes.count) && file.bytes.starts(with: bytes)
    return isPrefix || injury.file > 0 && isNoPart(bytes) ? .mayBeUnseen : .all
  }

  /// Whether these bytes have no whole file header and no block, as a part has that is about to begin.
  private func isNoPart(_ bytes: [UInt8]) -> Bool {
    guard let reader = try? LogReader(bytes: bytes) else { return true }
    var (walk, events): (LogReader, [Event]) = (reader, [])
    guard reader.identity == nil else { return false }
    while (try? walk.read(into: &events)) == true { if walk.block != nil { return false } }
    return true
  }

  private static func threadTime() -> Double {
    var time = timespec()
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
  }
}
