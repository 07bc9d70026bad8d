import CTracer
import Platform

/// A system call of a recorder, as far as it concerns a log.
struct TracedCall {
  enum Kind: Int {
    case other, open, write, sync, truncate, seek, lock, link, rename, unlink, flush, allocate, map,
      close, sleep
  }

  /// What a path names in the folder of a log.
  enum File: Equatable {
    case log, next, part, ring, folder, other
    /// What the app acknowledges.
    case acknowledged
  }

  let kind: Kind
  let path: String
  let other: String
  let flags: Int32
  let length: Int
  let address: UInt64

  init(_ stop: tracer_stop) {
    func text<Bytes>(_ bytes: Bytes) -> String {
      withUnsafeBytes(of: bytes) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
    }

    kind = Kind(rawValue: Int(stop.call)) ?? .other
    (path, other) = kind == .other ? ("", "") : (text(stop.path), text(stop.other))
    (flags, address) = (stop.flags, stop.address)
    length = Int(truncatingIfNeeded: stop.length)
  }

  /// Which file it is about, beside the log at `log`.
  func file(_ log: String) -> File { TracedCall.file(path, log) }

  static func file(_ path: String, _ log: String) -> File {
    guard path.hasPrefix(log) else {
      if path.contains("/acknowledged-") { return .acknowledged }
      return log.hasPrefix(path) && path.utf8.count + 8 >= log.utf8.count ? .folder : .other
    }

    switch path.dropFirst(log.count) {
    case "": return .log
    case ".next": return .next
    case ".ring": return .ring
    // The open file whose name another one has taken over.
    case " (deleted)": return .part
    case let rest: return rest.dropFirst().allSatisfy(\.isNumber) ? .part : .other
    }
  }
}
