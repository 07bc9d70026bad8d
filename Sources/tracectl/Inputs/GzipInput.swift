import CZlib
import Platform

/// Inflates a gzip file on a thread of its own into a pipe, so that all readers see plain bytes.
///
/// Memory: two buffers, whatever the file's length. A file of several members is read to its end.
final class GzipInput: Sendable {
  /// The first bytes of a gzip file, and of each of its members.
  static let magic: [UInt8] = [0x1f, 0x8b]
  /// Where the plain bytes can be read; the reader closes it.
  let output: Int32
  private let failure = Lock<String?>(nil)

  /// Begins to inflate what `descriptor` holds after `first`; `advance` receives how many bytes of the
  /// file were read.
  init(
    _ descriptor: Int32, first: [UInt8], advance: @escaping @Sendable (Int) -> Void
  ) throws {
    let (reading, input) = try ByteInput.makePipe()
    output = reading
    let thread = SideThread { [self] in
      let problem = GzipInput.inflate(descriptor, first, to: input, advance)
      failure.withLock { $0 = problem }
      close(input)
    }
    if thread == nil {
      for end in [reading, input] { close(end) }
      throw CommandError.unreadable("cannot start a thread to unpack it; close other programs")
    }
  }

  /// What was wrong with the file; asked after the output has ended.
  var problem: String? { failure.withLock { $0 } }

  private static func inflate(
    _ descriptor: Int32, _ first: [UInt8], to output: Int32, _ advance: (Int) -> Void
  ) -> String? {
    // A reader that has seen enough closes its end; that is no reason to die.
    var signals = sigset_t()
    sigemptyset(&signals)
    sigaddset(&signals, SIGPIPE)
    pthread_sigmask(SIG_BLOCK, &signals, nil)

    var stream = z_stream()
    guard tracectl_gunzip_init(&stream) == Z_OK else { return "there is no memory to unpack it" }

    defer { inflateEnd(&stream) }
    let plain = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: 1 << 17)
    defer { plain.deallocate() }
    var chunk = first
    var isBetweenMembers = false

    while true {
      var problem: String?
      let isOpen = chunk.withUnsafeMutableBufferPointer { bytes in
        stream.next_in = bytes.baseAddress
        stream.avail_in = UInt32(bytes.count)
        while stream.avail_in > 0 {
          if isBetweenMembers {
            // Zeros behind the last member are padding.
            if stream.next_in.pointee == 0 {
              stream.next_in += 1
              stream.avail_in -= 1
              continue
            }
            guard stream.next_in.pointee == magic[0] else {
              problem = "its compressed data is followed by something else"
              return false
            }
            inflateReset(&stream)
            isBetweenMembers = false
          }
          stream.next_out = plain.baseAddress
          stream.avail_out = UInt32(plain.count)
          let status = CZlib.inflate(&stream, Z_NO_FLUSH)
          let count = plain.count - Int(stream.avail_out)
          guard Terminal.write(Array(plain[..<count]), to: output) else { return false }
          if status == Z_STREAM_END {
            isBetweenMembers = true
          } else if status != Z_OK {
            problem = "its compressed data is damaged"
            return false
          }
        }
        return true
      }
      advance(chunk.count)
      if !isOpen { return problem }
      chunk = [UInt8](repeating: 0, count: 1 << 17)
      var count = read(descriptor, &chunk, chunk.count)
      while count < 0 && errno == EINTR { count = read(descriptor, &chunk, chunk.count) }
      if count < 0 { return "cannot be read: \(String(cString: strerror(errno)))" }
      if count == 0 { return isBetweenMembers ? nil : "its compressed data is truncated" }
      chunk.removeLast(chunk.count - count)
    }
  }
}
