import LifecycleModel

/// The shapes of one block while it is encoded.
///
/// A shape is all that events have in common but for time, sequence, numbers and attributes: verb,
/// writer, name, label, kind of subject, and which columns they use. Most events repeat one of some
/// hundred shapes.
///
/// The memory is allocated once for the most rows a block can have; it never leaves the encoder, which is
/// used by one thread at a time.
final class ShapeTable {
  private let slots: UnsafeMutablePointer<Int32>
  private let slotMask: Int
  private let keys: UnsafeMutablePointer<(UInt64, UInt64)>
  /// An event of each shape.
  let examples: UnsafeMutablePointer<Event>
  /// The layout byte of each shape, ``ShapeLayout``.
  let layouts: UnsafeMutablePointer<UInt8>
  /// The number of each shape's writer in the block.
  let writers: UnsafeMutablePointer<UInt8>
  private(set) var count = 0
  private let memory = OwnedMemory()

  init(rows: Int) {
    var size = 64
    while size < 2 * rows { size *= 2 }
    slots = memory.allocate(size)
    slotMask = size - 1
    keys = memory.allocate(rows)
    examples = memory.allocate(rows)
    layouts = memory.allocate(rows)
    writers = memory.allocate(rows)
    removeAll()
  }

  func removeAll() {
    slots.update(repeating: -1, count: slotMask + 1)
    count = 0
  }

  /// Writes the shape of each event to `ids`, and its words to `words`; stops before the first one with
  /// words that the block has no room for, and returns how many events have a shape.
  func assign(
    _ events: UnsafeBufferPointer<Event>, to ids: UnsafeMutablePointer<UInt16>,
    _ words: inout BlockWords, maxWriters: Int
  ) -> Int {
    var lastList = AttributesID.none
    for index in 0..<events.count {
      let event = events[index]
      let layout = ShapeTable.layout(of: event)
      let key = ShapeTable.key(event, layout)
      var slot = ShapeTable.hash(key) & slotMask
      while true {
        let shape = slots[slot]
        if shape < 0 {
          guard let writer = words.take(event, maxWriters: maxWriters, isFirst: count == 0) else {
            return index
          }
          add(event, key, layout, writer, slot: slot)
          ids[index] = UInt16(truncatingIfNeeded: count &- 1)
          break
        }
        if keys[Int(shape)] == key {
          // An attribute list is no part of the shape, and may be new to the block.
          if layout & ShapeLayout.list != 0, event.attributes != lastList {
            guard words.take(event.attributes) else { return index }
            lastList = event.attributes
          }
          ids[index] = UInt16(truncatingIfNeeded: shape)
          break
        }
        slot = (slot &+ 1) & slotMask
      }
    }
    return events.count
  }

  private func add(
    _ event: Event, _ key: (UInt64, UInt64), _ layout: UInt8, _ writer: UInt8, slot: Int
  ) {
    slots[slot] = Int32(count)
    keys[count] = key
    examples[count] = event
    layouts[count] = layout
    writers[count] = writer
    count += 1
  }

  /// Where the number of the shape with this key stands, or would stand.
  private func slot(of key: (UInt64, UInt64)) -> Int {
    var slot = ShapeTable.hash(key) & slotMask
    while slots[slot] >= 0, keys[Int(slots[slot])] != key { slot = (slot + 1) & slotMask }
    return slot
  }

  /// The shape that differs from `shape` only in its verb; `nil` when the block has none.
  func sibling(of shape: Int, verb: Verb) -> Int? {
    var event = examples[shape]
    event.verb = verb
    let found = slots[slot(of: ShapeTable.key(event, layouts[shape]))]
    return found < 0 ? nil : Int(found)
  }

  @inline(__always)
  private static func layout(of event: Event) -> UInt8 {
    var layout = event.subjectKind.rawValue << ShapeLayout.kindShift
    if event.hasValue { layout |= ShapeLayout.value }
    let kind = event.subjectKind
    if kind == .scene || kind == .session || kind == .task { layout |= ShapeLayout.number }
    if !event.attributes.isNone {
      layout |= event.attributes.line == nil ? ShapeLayout.list : ShapeLayout.line
    }
    if event.verb == .gap { layout |= ShapeLayout.uncounted }
    return layout
  }

  @inline(__always)
  private static func key(_ event: Event, _ layout: UInt8) -> (UInt64, UInt64) {
    (
      UInt64(event.name.rawValue) | UInt64(event.label.rawValue) << 32,
      UInt64(event.writer.rawValue) | UInt64(event.verb.code) << 16 | UInt64(layout) << 24
    )
  }

  @inline(__always)
  private static func hash(_ key: (UInt64, UInt64)) -> Int {
    let mixed = (key.0 ^ key.1 &* 0x9E37_79B9_7F4A_7C15) &* 0xD6E8_FEB8_6659_FD93
    return Int(truncatingIfNeeded: mixed &>> 32)
  }
}
