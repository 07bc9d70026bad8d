import LifecycleModel
import Platform

/// The words that this process has put into the ring, found without a lock.
///
/// Two tables of entries that are written once: one by the address of a static string, one by the
/// content of any other. A thread that loses a race puts the word in twice, which costs room and
/// nothing else. When a table or the ring's room is full, further words are 0: no label.
@usableFromInline
package struct WordTable: @unchecked Sendable {
  @usableFromInline package static var entryCount: Int { 1 << 14 }
  @usableFromInline package static var siteCount: Int { 1 << 13 }
  /// Set in a name while no fact of its hook was recorded; no site is known of such a name.
  @usableFromInline package static var unusedMark: UInt64 { 1 << 31 }

  private let ring: Unmanaged<RingMapping>
  /// Pairs of an address and its word; an address is published after its word.
  @usableFromInline package let addresses: UnsafeMutablePointer<UInt64>
  /// The upper half of a hash and a word, in one entry.
  private let contents: UnsafeMutablePointer<UInt64>
  /// Pairs of a call site, and of a name with the word that holds both, between them a bit that says
  /// that they are written.
  @usableFromInline package let sites: UnsafeMutablePointer<UInt64>

  package init(_ mapping: RingMapping) {
    ring = Unmanaged.passUnretained(mapping)
    addresses = .allocate(capacity: 2 * WordTable.entryCount)
    addresses.initialize(repeating: 0, count: 2 * WordTable.entryCount)
    contents = .allocate(capacity: WordTable.entryCount)
    contents.initialize(repeating: 0, count: WordTable.entryCount)
    sites = .allocate(capacity: 2 * WordTable.siteCount)
    sites.initialize(repeating: 0, count: 2 * WordTable.siteCount)
  }

  /// Gives up the tables.
  package func deallocate() {
    addresses.deallocate()
    contents.deallocate()
    sites.deallocate()
  }

  /// Forgets all words, for a ring that was emptied.
  package func removeAll() {
    addresses.update(repeating: 0, count: 2 * WordTable.entryCount)
    contents.update(repeating: 0, count: WordTable.entryCount)
    sites.update(repeating: 0, count: 2 * WordTable.siteCount)
  }

  /// Where the entry of an address is looked for first.
  @inlinable
  @inline(__always)
  package static func slot(_ address: UInt64) -> Int {
    Int(truncatingIfNeeded: (address &* 0x9e37_79b9_7f4a_7c15) >> 32) & (entryCount - 1)
  }

  /// The word of a string that lies in the program itself.
  @inlinable
  @inline(__always)
  package func word(_ text: StaticString) -> UInt64 {
    guard text.hasPointerRepresentation else { return slowWord(text) }
    if text.utf8CodeUnitCount == 0 { return 0 }
    let address = UInt64(UInt(bitPattern: text.utf8Start))
    let entry = addresses + 2 * WordTable.slot(address)
    guard platform_load_acquire(entry) == address else { return slowWord(text) }
    let word = platform_load_acquire(entry + 1)
    return word != 0 ? word : slowWord(text)
  }

  /// The word of a string whose address is not where it is looked for first.
  @usableFromInline
  @inline(never)
  package func slowWord(_ text: StaticString) -> UInt64 {
    guard text.hasPointerRepresentation else { return word(text.description) }
    let address = UInt64(UInt(bitPattern: text.utf8Start))
    let mask = WordTable.entryCount - 1
    var slot = WordTable.slot(address)

    for _ in 0..<64 {
      let entry = addresses + 2 * slot
      let known = platform_load_acquire(entry)
      if known == address {
        let word = platform_load_acquire(entry + 1)
        // Another thread has taken the entry and not written its word yet.
        return word != 0 ? word : find(text)
      }
      if known == 0 {
        let word = find(text)
        if word != 0, platform_compare_exchange(entry, 0, address) != 0 {
          platform_store_release(entry + 1, word)
          return word
        }
        if word == 0 { return 0 }
        continue
      }
      slot = (slot + 1) & mask
    }
    return find(text)
  }

  private func find(_ text: StaticString) -> UInt64 {
    word(UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
  }

  // MARK: Call sites

  /// A call site in 64 bits: the address of its file's name, and its line.
  @inlinable
  @inline(__always)
  package static func key(_ file: StaticString, _ line: UInt32) -> UInt64 {
    UInt64(UInt(bitPattern: file.utf8Start)) ^ UInt64(line) << 48
  }

  /// Where the entry of a name at a call site is looked for first.
  @inlinable
  @inline(__always)
  package static func siteSlot(_ key: UInt64, _ name: UInt64) -> Int {
    Int(truncatingIfNeeded: ((key ^ name << 24) &* 0x9e37_79b9_7f4a_7c15) >> 40) & (siteCount - 1)
  }

  /// The word that holds the word `name` and the call site; `nil` when it is not where it is looked
  /// for first.
  @inlinable
  @inline(__always)
  package func site(_ name: UInt64, _ file: StaticString, _ line: UInt32) -> UInt64? {
    let key = WordTable.key(file, line)
    let entry = sites + 2 * WordTable.siteSlot(key, name)
    guard platform_load_acquire(entry) == key else { return nil }
    let names = platform_load_acquire(entry + 1)
    return names >> 31 == name << 1 | 1 ? names & 0x7fff_ffff : nil
  }

  /// The word that holds the word `name` and the call site; `name` itself when there is no room, or
  /// when the call site is no code of an app.
  package func slowSite(_ name: UInt64, _ file: StaticString, _ line: UInt32) -> UInt64 {
    // Above that a line does not fit beside the address.
    guard file.hasPointerRepresentation, line <= 0xffff else { return name }

    let key = WordTable.key(file, line)
    var slot = WordTable.siteSlot(key, name)
    for _ in 0..<64 {
      let entry = sites + 2 * slot
      let known = platform_load_acquire(entry)
      let names = platform_load_acquire(entry + 1)
      if known == key, names >> 31 == name << 1 | 1 { return names & 0x7fff_ffff }
      if known == 0 {
        let word = makeSite(name, file.description, line)
        guard platform_compare_exchange(entry, 0, key) != 0 else { return word }
        platform_store_release(entry + 1, name << 32 | 1 << 31 | word)
        return word
      }
      slot = (slot + 1) & (WordTable.siteCount - 1)
    }
    return makeSite(name, file.description, line)
  }

  /// The word that holds the word `name` and a call site whose file is named at run time.
  ///
  /// Cost: a hash over both, and a copy at the first time.
  package func makeSite(_ name: UInt64, _ file: String, _ line: UInt32) -> UInt64 {
    let module = file.prefix { $0 != "/" }
    guard !file.isEmpty, !WordTable.modulesWithoutSites.contains(String(module)) else {
      return name
    }
    let word = word("\(text(name))\0\(file):\(line)")
    return word == 0 ? name : word
  }

  /// The modules that play an app, or watch one: their lines say nothing about it.
  private static let modulesWithoutSites: Set<String> = [
    "AnalysisTestSupport", "AppLifecycle", "LifecycleTraceLogging", "Scenarios", "TraceRecorder",
    "TraceTestSupport", "TraceUIKit",
  ]

  /// The text of a word that this process has put into the ring.
  package func text(_ word: UInt64) -> String {
    guard word != 0 else { return "" }
    let start = ring._withUnsafeGuaranteedRef { $0.words } + 8 * Int(word)
    let length = start.load(as: UInt32.self)
    return String(
      decoding: UnsafeRawBufferPointer(start: start + 8, count: Int(length)), as: UTF8.self)
  }

  // MARK: Inside

  /// The word of any string.
  ///
  /// Cost: a hash over it, and a copy at the first time.
  package func word(_ text: String) -> UInt64 {
    var text = text
    return text.withUTF8 { word($0) }
  }

  private func word(_ text: UnsafeBufferPointer<UInt8>) -> UInt64 {
    if text.isEmpty { return 0 }
    let bytes = UnsafeBufferPointer(rebasing: text.prefix(RingFormat.maxWordBytes))
    let hash = WordTable.hash(UnsafeRawBufferPointer(bytes))
    let tag = (hash >> 32 | 1) << 32
    let mask = WordTable.entryCount - 1
    var slot = Int(truncatingIfNeeded: hash) & mask

    for _ in 0..<64 {
      let known = platform_load_acquire(contents + slot)
      if known & 0xffff_ffff_0000_0000 == tag, isWord(known & 0xffff_ffff, bytes) {
        return known & 0xffff_ffff
      }
      if known == 0 {
        let word = append(bytes)
        if word != 0 { _ = platform_compare_exchange(contents + slot, 0, tag | word) }
        return word
      }
      slot = (slot + 1) & mask
    }
    return append(bytes)
  }

  private func isWord(_ word: UInt64, _ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
    let start = ring._withUnsafeGuaranteedRef { $0.words } + 8 * Int(word)
    let length = start.load(as: UInt32.self)
    guard length == UInt32(bytes.count) else { return false }
    return UnsafeRawBufferPointer(start: start + 8, count: bytes.count).elementsEqual(bytes)
  }

  /// Puts a word into the ring; 0 when there is no room.
  private func append(_ bytes: UnsafeBufferPointer<UInt8>) -> UInt64 {
    ring._withUnsafeGuaranteedRef { WordTable.append(bytes, to: $0) }
  }

  /// Puts a word into a ring of which this process has no table; 0 when there is no room.
  package static func append(_ text: String, to ring: RingMapping) -> UInt64 {
    var text = text
    return text.withUTF8 {
      append(UnsafeBufferPointer(rebasing: $0.prefix(RingFormat.maxWordBytes)), to: ring)
    }
  }

  private static func append(
    _ bytes: UnsafeBufferPointer<UInt8>, to ring: RingMapping
  ) -> UInt64 {
    let room = UInt64((8 + bytes.count + 7) & ~7)
    let head = (ring.base + RingFormat.Header.wordsHead).assumingMemoryBound(to: UInt64.self)
    // Refused words leave the head where it is, so that it cannot run over.
    // A head that is damaged gives no place.
    let limit = UInt64(ring.size.wordsCapacity) - room
    guard platform_load_acquire(head) <= limit else { return 0 }

    let offset = platform_fetch_add(head, room)
    guard offset <= limit, offset > 0, offset % 8 == 0, let source = bytes.baseAddress else {
      return 0
    }

    let start = ring.words + Int(offset)
    (start + 8).copyMemory(from: source, byteCount: bytes.count)
    platform_store_release(
      start.assumingMemoryBound(to: UInt64.self), lengthWord(of: UnsafeRawBufferPointer(bytes)))
    return offset / 8
  }

  /// What stands in front of a word: its length, and in the upper half what its bytes must give, since a
  /// power loss may leave the one without the others.
  static func lengthWord(of bytes: UnsafeRawBufferPointer) -> UInt64 {
    UInt64(bytes.count) | (hash(bytes) & ~0xffff_ffff)
  }

  /// The hash FNV-1a, of 64 bits.
  private static func hash(_ bytes: UnsafeRawBufferPointer) -> UInt64 {
    var hash: UInt64 = 0xcbf2_9ce4_8422_2325
    for byte in bytes { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01b3 }
    return hash
  }
}
