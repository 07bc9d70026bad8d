import Foundation
import TraceLog

/// Sends the parts of a log that earlier launches have finished, the oldest first.
///
/// The first part, which has the log's own name, is copied to `flight.bin.1`, and cut to its header. The part that is
/// being written has the highest number and is never touched; the ring neither, which names the device's boot. A part is
/// removed once the store has it, and stays in every other case.
public struct LogUpload: Sendable {
  /// What can be chosen.
  public struct Options: Sendable {
    /// A larger file is not sent.
    public var mostBytes = 4 << 20
    /// Whether parts are sent that name the device's boot.
    ///
    /// Apple allows it only for a report that the user chooses to send; see `docs/privacy.md`.
    public var sendsBoot = false
    /// How often a file is tried while the store cannot be reached.
    public var attempts = 3
    /// The time before the second attempt; it doubles with each further one.
    public var firstPause = Duration.seconds(2)
    /// Changes a part before it is sent.
    ///
    /// It leaves a log of the same id, without what may not leave the device, or shorter. It is asked again for a part
    /// that is tried again, and never for one that is being sent. `nil` sends parts as they are.
    public var prepare: (@Sendable (_ part: URL) throws -> Void)?
    /// How time passes; a test lets none pass.
    public var pause: @Sendable (Duration) async throws -> Void = { try await Task.sleep(for: $0) }

    /// Makes the options that fit most apps.
    public init() {}
  }

  /// What became of a part.
  public enum Outcome: Hashable, Sendable {
    /// The store has it, and it is removed.
    case sent
    /// The system sends it, and it is removed when that is done.
    case inTransit
    /// It has more bytes than may be sent.
    case tooLarge(bytes: Int)
    /// It names the device's boot, which may not be sent.
    case namesBoot
    /// The store does not want it.
    case refused(status: Int)
    /// The store cannot be reached; what comes behind it is not tried.
    case unreachable
    /// It cannot be read as a log, or not be prepared.
    case unreadable
  }

  /// A part, and what became of it.
  public struct Result: Hashable, Sendable {
    /// The file.
    public let part: URL
    /// What became of it.
    public let outcome: Outcome
  }

  /// The parts that were finished when this was made, the oldest first.
  public let parts: [URL]
  private let store: any LogStore
  private let options: Options
  private let hasConsent: @Sendable () -> Bool

  /// Finds what there is to send of a log.
  ///
  /// Make it right after the recorder was opened: what this launch finishes later is for the next one.
  /// `hasConsent` is asked before each file: a user may take the consent back at any time.
  public init(
    log: URL, to store: any LogStore, options: Options = Options(),
    hasConsent: @escaping @Sendable () -> Bool
  ) {
    parts = LogUpload.finishedParts(of: log)
    (self.store, self.options, self.hasConsent) = (store, options, hasConsent)
  }

  /// Sends what the user consents to; what is not in the result was not tried.
  public func run() async -> [Result] {
    var results: [Result] = []
    for part in parts {
      guard hasConsent() else { break }
      let outcome = await send(part)
      results.append(Result(part: part, outcome: outcome))
      if outcome == .unreachable { break }
    }
    return results
  }

  // MARK: Parts

  /// The files beside a log that have its name and a number, such as `flight.bin.3`.
  private static func finishedParts(of log: URL) -> [URL] {
    try? RotatingLog.separateHead(of: log.path)
    let folder = log.deletingLastPathComponent()
    let start = log.lastPathComponent + "."
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
    let numbers = names.compactMap { name in
      name.hasPrefix(start) ? UInt32(name.dropFirst(start.count)) : nil
    }
    // The highest one is being written.
    return numbers.sorted().dropLast().map { folder.appendingPathComponent("\(start)\($0)") }
  }

  /// What the header of a part says.
  private struct Header {
    /// The name in the store: the same whenever a part is sent again, and no other part's.
    let name: String
    let namesBoot: Bool

    init(of part: URL) throws {
      let reader = try LogReader(path: part.path, joinsRing: false)
      guard let identity = reader.identity else { throw CocoaError(.fileReadCorruptFile) }
      let digits = identity.logID.map { byte in
        (byte < 16 ? "0" : "") + String(byte, radix: 16)
      }

      name = "\(digits.joined())/\(reader.part.number).bin"
      namesBoot = identity.originMonotonic != 0 || identity.bootID.contains { $0 != 0 }
    }
  }

  // MARK: Sending

  private func send(_ part: URL) async -> Outcome {
    if await store.isInTransit(part) { return .inTransit }
    do { try options.prepare?(part) } catch { return .unreadable }
    guard let header = try? Header(of: part),
      let bytes = try? part.resourceValues(forKeys: [.fileSizeKey]).fileSize
    else { return .unreadable }

    if header.namesBoot, !options.sendsBoot { return .namesBoot }
    if bytes > options.mostBytes { return .tooLarge(bytes: bytes) }
    let outcome = await put(part, as: header.name)
    if outcome == .sent { try? FileManager.default.removeItem(at: part) }
    return outcome
  }

  private func put(_ file: URL, as name: String) async -> Outcome {
    var pause = options.firstPause
    for attempt in 1...max(1, options.attempts) {
      do {
        return try await store.put(file, as: name) == .stored ? .sent : .inTransit
      } catch StoreError.refused(let status) {
        return .refused(status: status)
      } catch {
        if attempt >= options.attempts || !hasConsent() { break }
        guard (try? await options.pause(pause)) != nil else { break }
        pause *= 2
      }
    }
    return .unreachable
  }
}
