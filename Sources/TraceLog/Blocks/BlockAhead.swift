import LifecycleModel
import Platform

/// Decodes a block on another thread, while the caller uses the one before.
///
/// ```
///   caller      begin(2)   uses the events of 1   finish ▶ events of 2   begin(3) …
///   thread              ▶ unpacks and decodes 2
/// ```
///
/// Memory: two decoders beside the reader's own, and the payloads and events of two blocks.
final class BlockAhead {
  private let thread: SideThread
  /// The block that is decoded; the other one holds what the caller still asks about.
  private var next: Decoding
  private var last: Decoding
  /// Whether a block was begun and not finished.
  private(set) var isBusy = false

  /// `nil` when there is no thread, or nothing to gain from one.
  init?() {
    guard platform_core_count() > 1, let thread = SideThread(),
      let next = try? Decoding(), let last = try? Decoding()
    else { return nil }
    (self.thread, self.next, self.last) = (thread, next, last)
  }

  // The thread may still read what the decoders own.
  deinit { thread.wait() }

  /// Begins with a block whose payload has the right CRC; the payload is copied.
  func begin(_ header: BlockHeader, _ payload: UnsafeRawBufferPointer) {
    let decoding = next
    decoding.take(header, payload)
    isBusy = true
    thread.start { decoding.decode() }
  }

  /// Waits for the block, exchanges `events` for its events, and returns what decoded it.
  func finish(
    into events: inout [Event], in vocabulary: Vocabulary
  ) throws(BlockDamage) -> BlockDecoder {
    thread.wait()
    isBusy = false
    swap(&next, &last)
    try last.finish(into: &events, in: vocabulary)
    return last.decoder
  }
}

/// A block on its way through the other thread.
private final class Decoding: @unchecked Sendable {
  // Sound because the caller lets go of it from `begin` to the wait in `finish`.
  let decoder: BlockDecoder
  private var header = BlockHeader()
  private var payload = UnsafeMutableRawBufferPointer.allocate(byteCount: 0, alignment: 8)
  private var events: [Event] = []
  private var damage: BlockDamage?

  init() throws {
    decoder = BlockDecoder(inflater: try Inflater(expecting: Libdeflate.worthwhileBytes))
  }

  deinit { payload.deallocate() }

  func take(_ header: BlockHeader, _ bytes: UnsafeRawBufferPointer) {
    self.header = header
    if payload.count < bytes.count {
      payload.deallocate()
      payload = .allocate(byteCount: bytes.count, alignment: 8)
    }
    payload.copyMemory(from: bytes)
  }

  func decode() {
    let bytes = UnsafeRawBufferPointer(rebasing: payload[..<header.payloadLength])
    events.resize(to: Int(header.eventCount))
    damage = events.withUnsafeMutableBufferPointer { events in
      do throws(BlockDamage) {
        try decoder.decodeUnnamed(header, bytes, to: events)
        return nil
      } catch {
        return error
      }
    }
  }

  func finish(into events: inout [Event], in vocabulary: Vocabulary) throws(BlockDamage) {
    swap(&events, &self.events)
    if let damage { throw damage }
    let named = events.withUnsafeMutableBufferPointer { events -> BlockDamage? in
      do throws(BlockDamage) {
        try decoder.name(events, header, in: vocabulary)
        return nil
      } catch {
        return error
      }
    }
    if let named { throw named }
  }
}

extension [Event] {
  /// Makes the array this long without giving up its memory; the contents are of no meaning.
  mutating func resize(to count: Int) {
    if self.count > count { removeLast(self.count - count) }
    if self.count < count {
      append(
        contentsOf: repeatElement(
          Event(instant: .origin, writer: .system, verb: .note),
          count: count - self.count))
    }
  }
}
