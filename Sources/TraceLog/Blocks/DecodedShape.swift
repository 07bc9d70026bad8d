import LifecycleModel

/// A shape of the block that is decoded, with all that a row of it needs side by side: 64 bytes.
///
/// A place is one in the table ``Running``.
struct DecodedShape {
  /// What a row begins as.
  var event: Event
  /// The bits of ``ShapeLayout``.
  let layout: UInt8
  /// The place of where the times of its group are.
  var times: UInt8 = UInt8(Running.times)
  /// The place of its writer's next sequence.
  var sequence: UInt8 = UInt8(Running.uncounted)
  /// Ones if the rows have a numbered subject: what is read for a row that has none is no number.
  let numberMask: UInt32
  /// The place of the last number of its kind of subject.
  let number: UInt8
  /// The place of the writer in the block's header.
  var writer: UInt8 = 0
  /// The shape whose last value a value is the difference to.
  var reference: UInt16
  /// How many events of the block have the shape.
  var eventRows: UInt16 = 0
  /// The second counter, while they are counted.
  var otherEventRows: UInt16 = 0
  /// How many events of the block's checkpoint have it.
  var checkpointRows: UInt16 = 0

  @inline(__always)
  init(event: Event, layout: UInt8, reference: UInt16) {
    self.event = event
    self.layout = layout
    numberMask = layout & ShapeLayout.number != 0 ? .max : 0
    number = UInt8(Running.numbers) &+ layout &>> ShapeLayout.kindShift
    self.reference = reference
  }

  /// Whether the rows have what `column` of ``ShapeLayout`` says.
  @inline(__always)
  func has(_ column: UInt8) -> Bool { layout & column != 0 }

  /// How many rows of the block have the shape.
  var rows: Int { Int(eventRows) + Int(checkpointRows) }
}

/// Where a shape's words are among the texts of the block.
struct ShapeTexts {
  var name: UInt32 = 0
  var label: UInt32 = 0
}

/// The table of what runs on from row to row while a block is decoded; a row finds each by its place.
enum Running {
  /// The last number of each kind of subject.
  static let numbers = 0
  /// The next sequence of each writer.
  static let sequences = 8
  /// What counts the events outside of their writers' counts, of no meaning.
  static let uncounted = sequences + LogFormat.maxWriters
  /// Where the next time class of each group is among all of them.
  static let times = uncounted + 1
  /// The last value of each shape; that of the one behind the last shape is always 0.
  static let values = times + LogFormat.timeGroups

  /// How long the table is for the most shapes.
  static let count = values + LogFormat.maxRows + 1

  /// Begins a block with so many shapes.
  static func begin(_ table: UnsafeMutablePointer<Int64>, shapes: Int) {
    table.update(repeating: 0, count: values + shapes + 1)
  }
}
