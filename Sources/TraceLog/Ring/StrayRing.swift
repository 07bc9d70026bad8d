/// A ring that lies beside a log and is not joined with it, since it is that of another log, or since
/// nobody knows.
public struct StrayRing: Hashable, Sendable {
  /// So many files of the folder are looked at, to find the log that the ring belongs to.
  private static let searched = 256

  /// The log that the ring lies beside.
  public let log: String
  /// The id of that log; `nil` when its file header is damaged.
  public let logID: [UInt8]?
  /// The id of the log that the ring belongs to.
  public let ownerID: [UInt8]
  /// The log that the ring belongs to, when it lies in the same folder.
  public let owner: String?

  init(log: String, logID: [UInt8]?, ownerID: [UInt8]) {
    (self.log, self.logID, self.ownerID) = (log, logID, ownerID)
    owner = logID == nil ? nil : StrayRing.find(ownerID, beside: log)
  }

  /// Where the ring lies.
  public var path: String { log + RingFormat.pathEnding }

  /// What is the matter and what to do, in a line.
  public var text: String {
    guard logID != nil else {
      return "\(path): is ignored: the file header of \(log) is damaged, so it is not known "
        + "whether the ring belongs to it; \(remedy)"
    }
    return "\(path): is ignored: it belongs to \(ownerName), not to \(log); \(remedy)"
  }

  /// Whom the ring belongs to, as a report names it.
  var ownerName: String {
    owner ?? "a log that is not here, with the id \(LogIdentity.hex(ownerID))"
  }

  /// What to do.
  var remedy: String {
    if logID == nil { return "keep both: the ring may hold the last events" }
    if let owner { return "rename it to \(owner)\(RingFormat.pathEnding)" }
    return "move it beside its log, as LOG\(RingFormat.pathEnding), or remove it"
  }

  /// The log with this id in the folder of `log`; of its parts the one with the shortest name, which is
  /// the head.
  private static func find(_ id: [UInt8], beside log: String) -> String? {
    let folder = log.lastIndex(of: "/").map { String(log[...$0]) } ?? ""
    return names(in: folder.isEmpty ? "." : folder).map { folder + $0 }
      .filter { identity($0)?.logID == id }
      .min { ($0.utf8.count, $0) < ($1.utf8.count, $1) }
  }

  private static func identity(_ path: String) -> LogIdentity? {
    guard let input = try? LogInput(path: path),
      (try? input.fill(LogFormat.magic.count)) == true, LogReader.isLog(input.window)
    else { return nil }
    return (try? LogScanner(input))?.identity
  }

  /// Names in a folder, of as many as are looked at, but for hidden ones.
  private static func names(in folder: String) -> [String] {
    SystemCalls.names(in: folder, atMost: searched).filter { !$0.hasPrefix(".") }
  }
}
