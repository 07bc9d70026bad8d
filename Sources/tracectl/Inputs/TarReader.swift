/// Reads a tar archive file by file while its bytes come: v7, ustar, GNU or pax.
///
/// It believes nothing that is not checked. Memory: a chunk of bytes, and the longest name.
struct TarReader {
  /// What an archive may hold at the most.
  struct Limits {
    /// The bytes of all files together.
    var bytes = 4 << 30
    /// The headers, also those of what is skipped.
    var entries = 1_000_000
    /// The bytes of a name, with its folders.
    var name = 1024
  }

  /// A regular file of an archive.
  struct File {
    /// Its name, without needless dots and slashes.
    let name: String
    /// How many bytes it has.
    let size: Int
    /// Why its name leads to no file in a folder; `nil` when it does.
    let refusal: String?
  }

  /// Why an archive is not read any further.
  struct Damage: Error, CustomStringConvertible {
    let description: String
  }

  private let limits: Limits
  /// The next bytes; `nil` at the end.
  private let next: () throws -> ArraySlice<UInt8>?
  private var chunk: ArraySlice<UInt8> = []
  /// How many bytes of the archive were read.
  private(set) var offset = 0
  /// Where the header begins that was read last.
  private var place = 0
  /// The bytes of the file that were not read yet, and those that fill its last block.
  private var rest = 0
  private var filling = 0
  private var entryCount = 0
  private var byteCount = 0
  /// What a pax header says of all files behind it.
  private var global = TarAttributes()
  /// How many entries were no regular files, by what they are.
  private(set) var skipped: [String: Int] = [:]

  /// Reads the bytes that `next` returns until it returns `nil`.
  init(limits: Limits = Limits(), next: @escaping () throws -> ArraySlice<UInt8>?) {
    (self.limits, self.next) = (limits, next)
  }

  // MARK: Files

  /// Goes to the next regular file; `nil` behind the last.
  ///
  /// Throws ``Damage``, which says where.
  mutating func nextFile() throws -> File? {
    try skipContent()
    var attributes = global
    while let header = try nextHeader() {
      switch header.kind {
      case "x", "X": try add(extended(header), to: &attributes)
      case "g": try add(extended(header), to: &global)
      case "L": attributes.name = try TarHeader.text(extended(header)[...])
      case "K": _ = try extended(header)
      default:
        if let file = try file(header, attributes) { return file }
        attributes = global
      }
    }
    return nil
  }

  /// Passes the bytes of the file on, in pieces.
  mutating func readContent(_ body: (ArraySlice<UInt8>) throws -> Void) throws {
    while rest > 0 {
      guard try fill() else { throw truncated("\(rest) bytes more of a file") }
      let piece = chunk.prefix(rest)
      take(piece.count)
      rest -= piece.count
      try body(piece)
    }
  }

  private mutating func skipContent() throws {
    try readContent { _ in }
    // What fills a block holds no file.
    _ = try read(filling, "the end of a block of 512")
    filling = 0
  }

  /// The regular file of a header; `nil` when it is something else, whose content is skipped.
  private mutating func file(_ header: TarHeader, _ attributes: TarAttributes) throws -> File? {
    let name = attributes.name ?? header.name
    guard let size = attributes.size ?? header.size else {
      throw damage("a file's size is no number; expected octal digits")
    }

    if let what = header.skipped(name, isSparse: attributes.isSparse) {
      skipped[what, default: 0] += 1
      if header.isSparse { try skipSparseMaps(header) }
      if header.hasContent { begin(size) }
      try skipContent()
      return nil
    }

    guard size <= limits.bytes - byteCount else {
      throw damage(
        "a file of \(size) bytes, with which all files have more than \(limits.bytes); expected fewer: "
          + "make several archives")
    }
    byteCount += size
    begin(size)
    let (path, refusal) = TarHeader.path(name, limit: limits.name)
    return File(name: path, size: size, refusal: refusal.map { "offset \(place): \($0)" })
  }

  private mutating func begin(_ size: Int) {
    rest = size
    filling = (512 - size % 512) % 512
  }

  /// The blocks behind the header of a sparse file of GNU, of which each says whether one more follows.
  private mutating func skipSparseMaps(_ header: TarHeader) throws {
    var isContinued = header.block[482] != 0
    while isContinued { isContinued = try read(512, "a sparse file's map")[504] != 0 }
  }

  // MARK: Headers

  /// The longest header of pax and the longest name of GNU, by their bytes.
  private static let longestExtension = 1 << 20

  /// The next header; `nil` at the end of the archive.
  private mutating func nextHeader() throws -> TarHeader? {
    place = offset
    let block = try read(512, "a file's header, or the zeros at the archive's end")
    if block.allSatisfy({ $0 == 0 }) {
      try checkEnd()
      return nil
    }

    guard let header = TarHeader(block) else {
      throw damage("a header's checksum is wrong; expected that of its 512 bytes")
    }
    entryCount += 1
    guard entryCount <= limits.entries else {
      throw damage("more than \(limits.entries) entries; expected fewer: make several archives")
    }
    return header
  }

  private func add(_ records: [UInt8], to attributes: inout TarAttributes) throws {
    if let problem = attributes.add(pax: records) { throw damage(problem) }
  }

  /// The content of a header that tells of the next one.
  private mutating func extended(_ header: TarHeader) throws -> [UInt8] {
    guard let size = header.size, size <= TarReader.longestExtension else {
      throw damage("a name or a pax header is too long; expected at most 1 MiB")
    }
    let content = try read(size, "\(size) bytes of a name or a pax header")
    begin(size)
    rest = 0
    try skipContent()
    return content
  }

  /// Behind the end only zeros stand: else there is another archive, which nobody would see.
  private mutating func checkEnd() throws {
    while try fill() {
      if let index = chunk.firstIndex(where: { $0 != 0 }) {
        take(index - chunk.startIndex)
        throw Damage(
          description: "offset \(offset): bytes behind the archive's end; expected zeros: "
            + "of archives that were put together the first was read")
      }
      take(chunk.count)
    }
  }

  // MARK: Bytes

  /// As many bytes; throws when the archive ends before.
  private mutating func read(_ count: Int, _ expected: String) throws -> [UInt8] {
    var bytes: [UInt8] = []
    while bytes.count < count {
      guard try fill() else { throw truncated(expected) }
      let piece = chunk.prefix(count - bytes.count)
      bytes += piece
      take(piece.count)
    }
    return bytes
  }

  /// Gets bytes if there are none; returns whether there are.
  private mutating func fill() throws -> Bool {
    while chunk.isEmpty {
      guard let more = try next() else { return false }
      chunk = more
    }
    return true
  }

  private mutating func take(_ count: Int) {
    chunk.removeFirst(count)
    offset += count
  }

  /// What is wrong with the header that was read last.
  private func damage(_ what: String) -> Damage {
    Damage(description: "offset \(place): \(what)")
  }

  private func truncated(_ expected: String) -> Damage {
    Damage(description: "offset \(offset): the archive ends; expected \(expected)")
  }
}
