/// The fields of one event, from its extensions and its record.
struct RingRecord {
  var ticks: UInt64 = 0
  var verb: UInt8 = 0
  var kind: UInt8 = 0
  var name: UInt64 = 0
  var label: UInt64 = 0
  var number: UInt32 = 0
  var value: Int64?
  var attributes: UInt64 = 0
  /// How many events the lane had refused before this one, since ever.
  var refused: UInt64 = 0
  /// The label, when it is no word.
  var text: [UInt8] = []
  var isComplete = false
  /// The content of the record that completed the event.
  private(set) var content: UInt64 = 0
  private var isWide = false

  @inline(__always)
  static func number(_ content: UInt64) -> UInt32 {
    UInt32(
      truncatingIfNeeded: content >> RingFormat.Content.numberShift
        & RingFormat.Content.numberLimit)
  }

  /// Takes the next record: an extension, or the one that completes the event.
  mutating func take(ticks: UInt64, content: UInt64) {
    typealias Content = RingFormat.Content
    verb = UInt8(content & 0x3f)
    guard verb == 0 else {
      self.ticks = ticks
      self.content = content
      kind = UInt8(content >> Content.kindShift & 7)
      isComplete = true
      guard !isWide else { return }
      name = content >> Content.nameShift & Content.nameLimit
      label = content >> Content.labelShift & Content.labelLimit
      number = RingRecord.number(content)
      return
    }

    let operand = content >> Content.operandShift
    switch content >> Content.kindShift & 7 {
    case RingFormat.Extension.value: value = Int64(bitPattern: ticks)
    case RingFormat.Extension.wide:
      isWide = true
      label = operand
      name = ticks & 0xffff_ffff
      number = UInt32(ticks >> 32)
    case RingFormat.Extension.attributes: attributes = operand
    case RingFormat.Extension.refused: refused = ticks
    case RingFormat.Extension.text: takeText(ticks, content)
    default: break
    }
  }

  private mutating func takeText(_ ticks: UInt64, _ content: UInt64) {
    let count = Int(content >> RingFormat.Content.nameShift & 0xf)
    let operand = content >> RingFormat.Content.operandShift
    guard count <= RingFormat.textBytes, text.count < RingFormat.maxWordBytes else { return }
    for place in 0..<count {
      let byte = place < 8 ? ticks >> (8 * UInt64(place)) : operand >> (8 * UInt64(place - 8))
      text.append(UInt8(truncatingIfNeeded: byte))
    }
  }
}
