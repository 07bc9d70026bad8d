import LifecycleModel
import Platform

/// The names in a folder that are those of parts: read once for the many logs that lie there.
///
/// Thread-safe. Memory: the names of one folder.
enum PartListing {
  /// A folder as it was read.
  private struct Listing {
    let folder: String
    let modified: Int64
    let numbers: [String: [UInt32]]
  }

  private static let last = Lock<Listing?>(nil)
  /// A folder that changed so short a time before it was read may change again at what its clock calls the
  /// same time.
  private static let unsettled: Nanoseconds = .seconds(2)

  /// The numbers of the parts of the log with this name, the lowest first.
  static func numbers(of log: String, in folder: String) -> [UInt32] {
    guard let modified = SystemCalls.status(folder)?.modified else { return [] }
    return last.withLock { last in
      if let last, last.folder == folder, last.modified == modified {
        return last.numbers[log] ?? []
      }

      let isSettled = SystemCalls.wallNanoseconds() &- modified > unsettled
      let listing = Listing(folder: folder, modified: modified, numbers: read(folder))
      last = isSettled ? listing : nil
      return listing.numbers[log] ?? []
    }
  }

  private static func read(_ folder: String) -> [String: [UInt32]] {
    var numbers: [String: [UInt32]] = [:]
    for name in SystemCalls.names(in: folder) {
      guard let dot = name.lastIndex(of: ".") else { continue }
      let digits = name[name.index(after: dot)...]
      guard let number = UInt32(digits), number > 0, String(number) == digits else { continue }
      numbers[String(name[..<dot]), default: []].append(number)
    }
    return numbers.mapValues { $0.sorted() }
  }
}
