import Platform
import Traces

/// What a machine can be asked for that may go wrong.
enum CallKind: String, CaseIterable {
  case create, open, read, write, truncate, sync, syncFolder, syncMapping, symbolicLink
  case rename, unlink, allocate, map
}

/// What goes wrong at a call.
enum Fault: Hashable {
  /// The call fails; of a write so many 256ths of the bytes have gone.
  case failure(Int32, share: Int = 0)
  /// A write or a read takes so many 256ths of the bytes.
  case short(share: Int)
  /// A sync fails, and what was not on the disk never comes there by another one.
  case lostSync
  /// The process is killed when the call is made, behind so many 256ths of a write.
  case killBefore(share: Int = 0)
  /// The process is killed when the call is done.
  case killAfter
  /// The power fails when the call is made, or when it is done.
  case powerBefore(share: Int = 0)
  case powerAfter

  /// The faults that a call can have.
  static func all(of kind: CallKind) -> [Fault] {
    let crashes: [Fault] = [.killBefore(), .killAfter, .powerBefore(), .powerAfter]

    switch kind {
    case .create: return [.failure(ENOSPC), .failure(EMFILE)] + crashes
    case .open: return [.failure(EIO), .failure(EINTR)]
    case .read: return [.failure(EIO), .failure(EINTR), .short(share: 100)]
    case .write:
      return [
        .failure(ENOSPC), .failure(ENOSPC, share: 100), .failure(EIO, share: 250), .failure(EINTR),
        .short(share: 100), .killBefore(share: 100), .powerBefore(share: 200),
      ] + crashes
    case .truncate: return [.failure(EIO), .failure(EINTR)] + crashes
    case .sync: return [.failure(EIO), .lostSync, .failure(EINTR)] + crashes
    case .syncMapping, .syncFolder: return [.failure(EIO), .lostSync] + crashes
    case .symbolicLink, .rename, .unlink: return [.failure(EIO)] + crashes
    case .allocate: return [.failure(ENOSPC)] + crashes
    case .map: return [.failure(ENOMEM)]
    }
  }

  /// Whether it is the process's or the machine's end.
  var isCrash: Bool {
    switch self {
    case .killBefore, .killAfter, .powerBefore, .powerAfter: true
    case .failure, .short, .lostSync: false
    }
  }

  /// Whether it is the machine's end.
  var isPowerLoss: Bool {
    switch self {
    case .powerBefore, .powerAfter: true
    default: false
    }
  }
}

/// When something goes wrong.
struct FaultPlan {
  /// By the number of the call.
  var planned: [Int: Fault] = [:]
  /// Of each so many calls one goes wrong by chance; 0 for none.
  var oneIn = 0
  /// Whether chance ends the process or the machine, too.
  var crashes = false
  /// How many bytes the disk still takes.
  var room = Int.max
  var random: SeededGenerator

  mutating func fault(_ number: Int, _ kind: CallKind) -> Fault? {
    if let fault = planned[number] { return fault }
    guard oneIn > 0, random.oneIn(oneIn) else { return nil }
    var faults = Fault.all(of: kind)
    if !crashes { faults.removeAll(where: \.isCrash) }
    return faults.randomElement(using: &random)
  }
}
