/// Where a process can be killed: in a step, in a process that plays a part.
struct State: Hashable, CustomStringConvertible {
  /// Which part the process plays, and which of its threads is meant.
  enum Place: String, CaseIterable {
    /// `tracectl record` of an app that it starts.
    case recorder
    /// `tracectl record --attach`, which goes on for a recorder that was killed.
    case attached
    /// An app that opens a log of its own, where there is none.
    case launch
    /// An app that opens the log of the run before.
    case relaunch
    /// The thread that empties the ring of such an app.
    case drain
    /// A thread that states facts.
    case fact
  }

  let place: Place
  let step: Step

  var description: String { "\(place.rawValue): \(step.rawValue)" }

  /// All that a storm must meet, in the order of a recording.
  static let all: [State] = Place.allCases.flatMap { place in
    place.steps.map { State(place: place, step: $0) }
  }
}

/// What a process does between two others.
enum Step: String {
  // A log is made, and its ring.
  case logMade = "the log is made"
  case logHeader = "its header is written"
  case oldRingRemoved = "the old ring is removed"
  case ringMade = "the ring is made"
  case ringAllocated = "its blocks are taken"
  case ringMapped = "it is mapped"
  case ringTaken = "it is taken"

  // A log is taken up.
  case undone = "a half rotation is undone"
  case logOpened = "the log is opened"
  case logLocked = "it is locked"
  case logCut = "what is torn is cut off"
  case logSought = "its end is sought"

  // A block is written.
  case block = "a block is written"
  case firstBlock = "a part's first block is written"
  case restOfBlock = "a block's rest is written"
  case cutBack = "a torn block is cut back"
  case soughtBack = "its beginning is sought"

  // A part begins.
  case leftRemoved = "a .next that was left is removed"
  case nextMade = "the .next is made"
  case nextHeader = ".next: its header is written"
  case oldSynced = "the old part is synced"
  case oldFolderSynced = "the old part's folder is synced"
  case nextSynced = "the .next is synced"
  case nextFolderSynced = "the folder of .next is synced"
  case linked = "the old part gets its second name"
  case movedAway = "the old part is moved, without links"
  case movedBack = "the old part is moved back"
  case takenOver = "the path is taken over"
  case nameSynced = "the folder is synced behind that"
  case oldClosed = "the old part is closed"
  case nextRemoved = "the .next is removed after a failure"
  case oldestRemoved = "the oldest part is removed"

  // What is written is brought to the disk.
  case logSynced = "the log is synced"
  case folderSynced = "the folder is synced"
  case ringSynced = "the ring is synced"
  case writtenAgain = "what a failed sync may have lost is written again"

  // A recording ends.
  case logClosed = "the log is closed"
  case ringRemoved = "the ring is removed"

  // A fact is stated.
  case plainFact = "a plain fact"
  case wideFact = "a fact with a value"
  case newWord = "a fact with a new word"
  case text = "a note's text"
  case attributes = "a fact with attributes"
  case newLane = "a thread's first fact"
  case fullRing = "a fact that a full ring refuses"

  /// The facts by their numbers in what the app acknowledges.
  static let facts: [Step] = [.plainFact, .wideFact, .newWord, .text, .attributes, .newLane]

  /// Whether it is a write, which can be torn.
  var isWrite: Bool {
    [.logHeader, .block, .firstBlock, .restOfBlock, .nextHeader, .writtenAgain].contains(self)
  }
}

extension State.Place {
  private static let making: [Step] = [
    .logMade, .logHeader, .ringMade, .ringAllocated, .ringMapped,
  ]
  private static let joining: [Step] = [.undone, .logOpened, .logLocked, .logCut, .logSought]
  private static let blocks: [Step] = [.block, .firstBlock, .restOfBlock, .cutBack, .soughtBack]
  private static let rotation: [Step] = [
    .nextMade, .nextHeader, .oldSynced, .oldFolderSynced, .nextSynced, .nextFolderSynced, .linked,
    .movedAway, .movedBack, .takenOver, .nameSynced, .oldClosed, .nextRemoved,
  ]
  private static let syncs: [Step] = [.logSynced, .ringSynced, .writtenAgain]
  private static let end: [Step] = [.logClosed, .ringRemoved]

  /// The steps that a process of this part takes.
  var steps: [Step] {
    switch self {
    case .recorder:
      Self.making + Self.blocks + Self.rotation + [.oldestRemoved, .folderSynced] + Self.syncs
        + Self.end
    case .attached:
      Self.joining + Self.blocks + [.leftRemoved] + Self.rotation + [.oldestRemoved] + Self.syncs
        + Self.end
    case .launch: Self.making + [.ringTaken]
    case .relaunch:
      Self.joining + [.block, .restOfBlock, .cutBack, .soughtBack, .leftRemoved] + Self.rotation
        + [.oldRingRemoved, .ringMade, .ringAllocated, .ringMapped, .ringTaken]
    case .drain:
      Self.blocks + Self.rotation + [.oldestRemoved] + Self.syncs + Self.end
    case .fact: Step.facts + [.fullRing]
    }
  }
}

/// When in a step a process is killed.
enum Moment: String, CaseIterable {
  /// Before the call is made.
  case before
  /// When a part of the bytes is written.
  case torn
  /// When the call has returned.
  case after
  /// Some instructions later, before the next call.
  case behind
}

/// A state and a moment: a cell of the table.
struct Cell: Hashable, CustomStringConvertible {
  let state: State
  let moment: Moment

  init(_ place: State.Place, _ step: Step, _ moment: Moment) {
    (state, self.moment) = (State(place: place, step: step), moment)
  }

  var description: String { "\(state), \(moment.rawValue)" }

  /// All cells that a storm must meet.
  static let all: [Cell] = State.all.flatMap { state in
    moments(of: state).map { Cell(state.place, state.step, $0) }
  }

  /// In which moments a step can be met: a fact is not a call.
  static func moments(of state: State) -> [Moment] {
    if state.place == .fact { return [.behind] }
    return Moment.allCases.filter { $0 != .torn || state.step.isWrite }
  }
}
