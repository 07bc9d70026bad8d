import LifecycleModel

/// Every constant of the ring's format; the article `RingFileFormat` explains them.
public enum RingFormat {
  package static let magic: [UInt8] = [0x89, 0x54, 0x43, 0x52, 0x0d, 0x0a, 0x1a, 0x0a]
  package static let version: UInt32 = 5
  package static let page = 4096
  /// What is put behind a log's path to make its ring's.
  package static let pathEnding = ".ring"

  /// Places in the ring's header.
  package enum Header {
    package static let version = 8
    package static let clock = 12
    package static let logID = 16
    package static let bootID = 32
    package static let origin = 48
    package static let firstTicks = 56
    package static let firstNanoseconds = 64
    package static let lanes = 88
    package static let capacity = 92
    package static let wordsCapacity = 96
    package static let wordsHead = 104
    package static let process = 112
    package static let homeless = 120
    package static let homelessTold = 128
    package static let processStart = 136
    package static let ownLog = 144
    package static let homelessInLog = 152
    package static let homelessPlace = 160
    package static let failedSync = 168
    package static let bell = 176
    package static let isBellAwaited = 180
    package static let pairs = 256
    package static let pairSlots = 264
    package static let pairSlotBytes = 16
    package static let otherProcesses = 296
    package static let otherProcess = 304
  }

  /// Places in a lane's header.
  @usableFromInline package enum Lane {
    package static let owner = 0
    package static let writer = 8
    @inlinable package static var head: Int { 16 }
    package static let refused = 24
    package static let sequenceBefore = 32
    package static let freed = 40
    @inlinable package static var alarm: Int { 48 }
    package static let tails = 64
    package static let tailSlots = 72
    package static let tailSlotBytes = 24
    package static let depth = 128
    package static let openCalls = 136
    package static let maxOpenCalls = 16
  }

  /// What stands for the word of a lane's writer when the ring had no room for its name: `unnamed!`, which no
  /// damage leaves there.
  package static let unnamed: UInt64 = 0x2164_656d_616e_6e75

  /// The name that the writer of a lane has without one of its own.
  package static func usualName(ofLane index: Int) -> String {
    index == 0 ? Vocabulary.mainWriter : "thread-\(index)"
  }

  /// Who has a lane.
  package enum Owner {
    package static let free: UInt64 = 0
    package static let taken: UInt64 = 1
    package static let givenBack: UInt64 = 2
  }

  /// The fields of a record's content, by their lowest bit and their largest value.
  public enum Content {
    /// Where the verb stands; 0 is an extension.
    package static var verbMask: UInt64 { 0x3f }
    /// Where the kind of subject stands, behind the verb; three bits.
    @inlinable public static var kindShift: UInt64 { 6 }
    /// Set when extensions stand before the record.
    @inlinable public static var extendedBit: UInt64 { 1 << 9 }
    /// Where the name stands.
    @inlinable public static var nameShift: UInt64 { 10 }
    /// The largest name that fits.
    @inlinable public static var nameLimit: UInt64 { 0x3fff }
    /// Where the label stands.
    @inlinable public static var labelShift: UInt64 { 24 }
    /// The largest label that fits.
    @inlinable public static var labelLimit: UInt64 { 0xf_ffff }
    /// Where the number of the subject stands.
    @inlinable public static var numberShift: UInt64 { 44 }
    /// The largest number that fits.
    @inlinable public static var numberLimit: UInt64 { 0xf_ffff }
    /// Where an extension's operand stands; 32 bits.
    @inlinable public static var operandShift: UInt64 { 32 }
  }

  /// The mark of the lap in which a record was written: one that is left from another lap, because the
  /// machine lost power before it was written over on the disk, does not have it.
  public enum Lap {
    /// Where the mark of a fact stands in its ticks, combined by exclusive or.
    @inlinable public static var ticksShift: UInt64 { 58 }
    /// Where the mark of an extension stands in its content; eight bits.
    @inlinable public static var extensionShift: UInt64 { 24 }
    /// The bits of the lap that an extension has.
    @inlinable public static var extensionMask: UInt64 { 0xff }
  }

  /// The types of extension.
  public enum Extension {
    /// The value of the event.
    @inlinable public static var value: UInt64 { 1 }
    /// Name, label and number that do not fit.
    @inlinable public static var wide: UInt64 { 2 }
    /// The word that holds the attributes.
    @inlinable public static var attributes: UInt64 { 3 }
    /// How many events were refused before.
    @inlinable public static var refused: UInt64 { 4 }
    /// Twelve bytes of text that is the label.
    @inlinable public static var text: UInt64 { 5 }
  }

  package static let maxLanes = 128
  package static let maxCapacity = 1 << 22
  package static let maxWordsCapacity = 8 << 20
  /// How many bytes of text a record holds.
  package static let textBytes = 12
  /// A word, or a text, is cut at so many bytes.
  package static let maxWordBytes = 4096
}
