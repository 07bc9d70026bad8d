import Platform

/// Follows the calls of one thread of a recorder: which step of its work each of them is.
struct Course {
  private enum Stage { case working, making, joining, rotating, endings }

  /// Which part the thread plays.
  private(set) var place: State.Place
  private let log: String
  private var stage = Stage.working
  /// How far a rotation is.
  private var isNextSynced = false
  private var isOldSynced = false
  private var isTakenOver = false
  private var isMovedAway = false
  /// Whether the next block is the first of a part.
  private var isPartNew = false
  /// Whether a write was short or failed, and what is written again.
  private var isTorn = false
  private var isCut = false
  private var writesAgain = false
  /// Whether the ring that is there is the process's own.
  private var hasRing: Bool

  init(_ place: State.Place, log: String) {
    (self.place, self.log) = (place, log)
    hasRing = place == .attached || place == .drain
  }

  /// The step that the thread is about to take; `nil` for a call that is none.
  mutating func step(_ call: TracedCall) -> Step? {
    let file = call.file(log)
    switch call.kind {
    case .open: return open(file, call.flags)
    case .write: return write(file)
    case .sync: return sync(file)
    case .truncate, .seek: return move(file, call)
    case .lock: return lock(file, call.flags)
    case .link: return file == .log ? .linked : nil
    case .rename: return rename(file, TracedCall.file(call.other, log))
    case .unlink: return unlink(file)
    case .flush: return hasRing && call.length > 8192 ? .ringSynced : nil
    case .allocate: return file == .ring ? .ringAllocated : nil
    case .map:
      guard file == .ring, call.flags & MAP_SHARED != 0, !hasRing else { return nil }
      hasRing = true
      return .ringMapped
    case .close: return close(file)
    case .other, .sleep: return nil
    }
  }

  /// Notes what a step came to.
  mutating func end(_ step: Step, _ result: Int64, of length: Int) {
    let hasFailed = result < 0
    switch step {
    case .block, .firstBlock, .restOfBlock:
      isTorn = result < length
      if !isTorn { isPartNew = false }
    case .cutBack: (isCut, isTorn) = (true, false)
    case .logSought: stage = .working
    case .soughtBack: isCut = false
    case .writtenAgain where result == length: writesAgain = false
    case .takenOver: isTakenOver = !hasFailed
    case .oldClosed: (stage, isPartNew) = (.working, true)
    case .movedAway: isMovedAway = !hasFailed
    case .nextRemoved: stage = .working
    case .ringTaken: if place != .attached { place = .drain }
    default: break
    }
  }

  private mutating func open(_ file: TracedCall.File, _ flags: Int32) -> Step? {
    switch (file, flags & O_CREAT != 0) {
    case (.log, true):
      stage = .making
      return .logMade
    case (.log, false):
      if flags & O_ACCMODE == O_RDWR {
        (stage, writesAgain) = (.joining, false)
        return .logOpened
      }
      // A log that is read while it is written is one that is written again.
      if stage == .working, hasRing, place != .launch, place != .relaunch { writesAgain = true }
      return nil
    case (.next, true):
      stage = .rotating
      (isOldSynced, isNextSynced, isTakenOver, isMovedAway) = (false, false, false, false)
      return .nextMade
    case (.ring, true):
      stage = .working
      return .ringMade
    default: return nil
    }
  }

  private mutating func write(_ file: TracedCall.File) -> Step? {
    if file == .next { return .nextHeader }
    guard file == .log else { return nil }
    if stage == .making { return .logHeader }
    if stage == .rotating { (stage, isPartNew) = (.working, isTakenOver) }
    if writesAgain { return .writtenAgain }
    if isTorn { return .restOfBlock }
    return isPartNew ? .firstBlock : .block
  }

  private mutating func sync(_ file: TracedCall.File) -> Step? {
    guard stage == .rotating else {
      switch file {
      case .log:
        writesAgain = false
        return .logSynced
      case .folder: return .folderSynced
      default: return nil
      }
    }

    switch file {
    case .log, .part:
      isOldSynced = true
      return isTakenOver ? nil : .oldSynced
    case .next:
      isNextSynced = true
      return .nextSynced
    case .folder:
      if isTakenOver { return .nameSynced }
      return isNextSynced ? .nextFolderSynced : .oldFolderSynced
    default: return nil
    }
  }

  private mutating func move(_ file: TracedCall.File, _ call: TracedCall) -> Step? {
    guard file == .log else { return nil }
    if stage == .making { return nil }
    if call.kind == .truncate { return stage == .joining ? .logCut : .cutBack }
    guard call.flags == SEEK_SET else { return nil }
    if stage == .joining { return .logSought }
    return isCut ? .soughtBack : nil
  }

  private func lock(_ file: TracedCall.File, _ flags: Int32) -> Step? {
    guard flags & LOCK_EX != 0 else { return nil }
    if file == .log, stage == .joining { return .logLocked }
    return file == .ring ? .ringTaken : nil
  }

  private func rename(_ file: TracedCall.File, _ other: TracedCall.File) -> Step? {
    switch (file, other) {
    case (.part, .log): stage == .rotating ? .movedBack : .undone
    case (.log, .part): .movedAway
    case (.next, .log): .takenOver
    default: nil
    }
  }

  private mutating func unlink(_ file: TracedCall.File) -> Step? {
    switch file {
    case .next: return stage == .rotating ? .nextRemoved : .leftRemoved
    case .part: return .oldestRemoved
    case .ring: return stage == .endings ? .ringRemoved : .oldRingRemoved
    default: return nil
    }
  }

  private mutating func close(_ file: TracedCall.File) -> Step? {
    switch file {
    case .part where stage == .rotating && isTakenOver: return .oldClosed
    case .log
    where stage == .working && hasRing && !writesAgain
      && (place == .recorder
        || place == .attached || place == .drain):
      stage = .endings
      return .logClosed
    default: return nil
    }
  }
}
