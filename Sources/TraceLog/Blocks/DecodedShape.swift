import LifecycleModel

/// A shape of the block that is decoded, with all that a row of it needs side by side: 64 bytes.
struct DecodedShape {
  /// What a row begins as; its value is the last one of the shape.
  var event: Event
  /// The bits of ``ShapeLayout``.
  let layout: UInt8
  /// The group whose times are those of the shape.
  var group: UInt8
  /// The place of the writer in the block's header.
  var writer: UInt8
  /// Ones if the rows have a value, else zeros: what is read for a row that has none is no number.
  let valueMask: UInt8
  /// Ones if the rows have a numbered subject.
  let numberMask: UInt8
  /// The shape whose last value a value is the difference to.
  var reference: UInt16
  /// How many events of the block have the shape.
  var eventRows: UInt16 = 0
  /// How many events of the block's checkpoint have it.
  var checkpointRows: UInt16 = 0
  /// The number of the name among the texts of the block.
  var nameText: UInt32 = 0
  /// The number of the label among the texts of the block.
  var labelText: UInt32 = 0

  init(event: Event, layout: UInt8, reference: UInt16) {
    self.event = event
    self.layout = layout
    (group, writer) = (0, 0)
    valueMask = layout & ShapeLayout.value != 0 ? .max : 0
    numberMask = layout & ShapeLayout.number != 0 ? .max : 0
    self.reference = reference
  }

  /// Whether the rows have what `column` of ``ShapeLayout`` says.
  @inline(__always)
  func has(_ column: UInt8) -> Bool { layout & column != 0 }

  /// How many rows of the block have the shape.
  var rows: Int { Int(eventRows) + Int(checkpointRows) }
}

/// What two columns say of a row; ordered by the time class.
struct RowCode: Comparable {
  private let bits: UInt32

  @inline(__always)
  init(shape: UInt16, time: UInt8 = 0) { bits = UInt32(shape) | UInt32(time) &<< 16 }

  /// The number of its shape.
  @inline(__always)
  var shape: Int { Int(bits & 0xFFFF) }

  @inline(__always)
  static func < (one: RowCode, other: RowCode) -> Bool { one.bits < other.bits }

  /// Its time class.
  @inline(__always)
  var time: Int { Int(bits &>> 16) }
}
