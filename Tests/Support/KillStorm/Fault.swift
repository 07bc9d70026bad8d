import Platform

/// What goes wrong in a step of a process.
struct Fault: CustomStringConvertible {
  enum Kind {
    /// The call is not made, and fails.
    case error(Int32)
    /// Only a part of the bytes is written.
    case short
  }

  let step: Step
  let kind: Kind
  /// How many times.
  var times = 1

  var description: String {
    switch kind {
    case .error(let code): "\(step.rawValue): error \(code) × \(times)"
    case .short: "\(step.rawValue): short"
    }
  }

  /// Has a call fail.
  static func failing(_ step: Step, _ code: Int32, _ times: Int = 1) -> Fault {
    Fault(step: step, kind: .error(code), times: times)
  }

  /// Has a write be short.
  static func short(_ step: Step) -> Fault { Fault(step: step, kind: .short) }

  /// What can go wrong in a step by chance; `nil` for a step that does not fail.
  static func random(_ step: Step, using random: inout some RandomNumberGenerator) -> Fault? {
    let codes: [Int32]
    switch step {
    case .block, .firstBlock, .restOfBlock, .logHeader, .nextHeader, .writtenAgain:
      if Int.random(in: 0..<3, using: &random) == 0 { return .short(step) }
      codes = [ENOSPC, EIO, EDQUOT]
    case .oldSynced, .nextSynced, .logSynced, .ringSynced, .folderSynced, .nextFolderSynced,
      .nameSynced, .oldFolderSynced, .cutBack, .soughtBack:
      codes = [EIO]
    case .nextMade, .logMade, .ringMade, .ringAllocated: codes = [ENOSPC, EMFILE, EIO]
    case .linked: codes = [EPERM, EMLINK, EIO, ENOSPC]
    case .takenOver, .movedAway, .oldestRemoved, .leftRemoved, .nextRemoved: codes = [EIO, EACCES]
    case .ringMapped: codes = [ENOMEM]
    default: return nil
    }
    let times = [1, 1, 2, 5][Int.random(in: 0..<4, using: &random)]
    return .failing(step, codes.randomElement(using: &random) ?? EIO, times)
  }

  /// What must go wrong so that a step is taken at all.
  static func leading(
    to step: Step, using random: inout some RandomNumberGenerator
  ) -> [Fault] {
    let code = [ENOSPC, EIO][Int.random(in: 0..<2, using: &random)]
    switch step {
    case .restOfBlock: return [.short(.block), .short(.firstBlock)]
    case .cutBack, .soughtBack:
      if Bool.random(using: &random) {
        return [.failing(.block, code), .failing(.firstBlock, code)]
      }
      return [.short(.block), .short(.firstBlock), .failing(.restOfBlock, code)]
    case .nextRemoved:
      let steps: [Step] = [.nextHeader, .oldSynced, .nextSynced, .linked, .takenOver]
      return [.failing(steps.randomElement(using: &random) ?? .linked, EIO)]
    case .movedAway: return [.failing(.linked, EPERM, 9)]
    case .movedBack: return [.failing(.linked, EPERM, 9), .failing(.takenOver, EIO)]
    case .writtenAgain: return [.failing(.logSynced, EIO)]
    default: return []
    }
  }
}
