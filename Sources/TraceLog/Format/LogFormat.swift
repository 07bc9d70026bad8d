import LifecycleModel

/// Every constant of the log's format; `TraceLog.docc/LogFormat.md` says what they mean.
package enum LogFormat {
  /// The version that this library writes.
  package static let majorVersion: UInt16 = 0
  /// The version that this library writes.
  package static let minorVersion: UInt16 = 1

  /// What stands in the place of the first block of a head whose events the limits have removed.
  package static let cutMark: UInt8 = 0x52
  /// High bit, `TCL`, CR LF, control-Z, LF: any transfer that is not binary breaks it.
  package static let magic: [UInt8] = [0x89, 0x54, 0x43, 0x4C, 0x0D, 0x0A, 0x1A, 0x0A]
  /// What every block begins with.
  package static let marker: [UInt8] = [0xC7, 0x42, 0x4C, 0x4B, 0x9E, 0xF3, 0x0D, 0xB1]

  /// magic 8, version 2 + 2, length 4, log id 16, three clocks 24, boot id 16, limits 8, CRC 4.
  package static let fileHeaderLength = 8 + 4 + 4 + 16 + 24 + 16 + 8 + 4
  /// part 4, events before 8, writers 2: what a later part of a log has besides.
  package static let partFixedLength = 4 + 8 + 2
  /// marker 8, length 4, tag 4, number 8, chain 4, codec 1, flags 1, writers 2, events before 8,
  /// counts 8, instants 16, verbs 8, lengths 12, payload CRC 4.
  package static let blockHeaderFixedLength =
    8 + 4 + 4 + 8 + 4 + 1 + 1 + 2 + 8 + 8 + 16 + 8 + 12 + 4
  /// A header ends in its own CRC-32.
  package static let checksumLength = 4
  /// name length 2, first 8, last 8, count 4; the name's bytes come on top.
  package static let writerSpanFixedLength = 2 + 8 + 8 + 4

  /// The only codec: columns in one raw deflate stream, then the mantissas.
  package static let codecColumns: UInt8 = 1
  /// The block has no checkpoint, since it would have been over the limits.
  package static let flagCheckpointOmitted: UInt8 = 1
  /// Bits that must be zero.
  package static let reservedFlags: UInt8 = ~flagCheckpointOmitted

  /// Into how many groups the shapes are sorted by the time before them.
  package static let timeGroups = 8
  /// A block with fewer rows has one group: a writer's choice, no part of the format.
  package static let minRowsForTimeGroups = 2048

  /// The code of the first unknown verb of a block, and of a verb in the header's bitmap.
  package static let firstUnknownVerb = 64
  package static let maxUnknownVerbs = 192

  package static let maxFileHeaderBytes = 160 << 10
  /// name length 2, last sequence 8; the name's bytes come on top.
  package static let writerMarkFixedLength = 2 + 8
  package static let maxBlockHeaderBytes = 160 << 10
  package static let maxEvents = 16 << 10
  package static let maxCheckpointEvents = 16 << 10
  package static let maxRows = maxEvents + maxCheckpointEvents
  /// No log comes near these: sums of what a header says do not overflow.
  package static let maxPart = UInt32(Int32.max)
  package static let maxNumber = Gap.maxSequence
  package static let maxWriters = 128
  package static let maxCheckpointWriters = 64
  package static let maxWriterNameBytes = 1024
  package static let maxTextBytes = 65_535
  package static let maxAttributeTextBytes = 16 << 10
  package static let maxAttributes = 64
  /// Six for each event: what a reader holds of a block's words grows with them.
  package static let maxTexts = 96 << 10
  package static let maxLists = maxRows
  package static let maxListedAttributes = 96 << 10
  package static let maxPlainBytes = 8 << 20
  package static let maxDeflatedBytes = maxPlainBytes + 64 << 10
  package static let maxMantissaBytes = 1 << 20
  package static let maxPayloadBytes = maxDeflatedBytes + maxMantissaBytes
  /// A block that has this much text takes no further event: the next one may bring 2.2 MiB.
  package static let fullTextBytes = 2 << 20
  /// A block that has so many texts, or attributes in its lists, takes no further event, either.
  package static let fullWords = 64 << 10
  /// How far into a file without a file header a block is looked for.
  package static let maxSearchBytes = 1 << 20
}

/// The bits of a shape's `layout` byte: which columns hold something for its events.
package enum ShapeLayout {
  package static let value: UInt8 = 1
  package static let number: UInt8 = 2
  package static let line: UInt8 = 4
  package static let list: UInt8 = 8
  /// A `gap`, which stands outside its writer's count.
  package static let uncounted: UInt8 = 16
  package static let kindShift: UInt8 = 5
}
