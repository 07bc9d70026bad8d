/// A header of a tar archive, whose checksum fits.
struct TarHeader {
  /// Its 512 bytes.
  let block: [UInt8]

  /// Whether an archive begins with these bytes, as all do but those of v7.
  static func begins(_ bytes: ArraySlice<UInt8>) -> Bool {
    bytes.dropFirst(257).starts(with: "ustar".utf8)
  }

  /// Takes a block; `nil` when its checksum does not fit.
  ///
  /// The sum counts the bytes of the checksum as blanks. Old programs took bytes for numbers with a sign.
  init?(_ block: [UInt8]) {
    self.block = block
    var (sum, signed) = (0, 0)
    for (index, byte) in block.enumerated() {
      let byte = (148..<156).contains(index) ? 0x20 : byte
      sum += Int(byte)
      signed += Int(Int8(bitPattern: byte))
    }
    guard let told = TarHeader.number(block[148..<156]), told == sum || told == signed else {
      return nil
    }
  }

  /// The letter of what the entry is.
  var kind: Unicode.Scalar { Unicode.Scalar(block[156]) }

  /// The bytes of its content; `nil` when that is no number.
  var size: Int? { TarHeader.number(block[124..<136]) }

  /// The name as the block has it: the rest of a long one stands in front, by POSIX.
  var name: String {
    let name = TarHeader.text(block[0..<100])
    guard block[257..<263].elementsEqual("ustar\0".utf8) else { return name }
    let folder = TarHeader.text(block[345..<500])
    return folder.isEmpty ? name : "\(folder)/\(name)"
  }

  /// Whether it is a file of GNU of which zeros are left out.
  var isSparse: Bool { kind == "S" }

  /// Whether blocks with content follow; links, devices and directories have none, whatever size they say.
  var hasContent: Bool { !("1"..."6").contains(kind) }

  /// What it is instead of a regular file, or of one that is as it was; `nil` when it is one.
  func skipped(_ name: String, isSparse: Bool) -> String? {
    switch kind {
    case "0", "\0", "7":
      isSparse ? "sparse file" : name.utf8.last == UInt8(ascii: "/") ? "directory" : nil
    case "1": "hard link"
    case "2": "symbolic link"
    case "3", "4": "device"
    case "5": "directory"
    case "6": "pipe"
    case "S": "sparse file"
    default: "entry of another type"
    }
  }

  // MARK: Names

  /// A name without needless dots and slashes, and why it leads to no file in a folder; `nil` when it does.
  static func path(_ name: String, limit: Int) -> (path: String, refusal: String?) {
    // By scalars: a mark behind a slash joins it to one character, which is no slash.
    let parts = name.unicodeScalars.split(separator: "/").map(String.init).filter { $0 != "." }
    let path = parts.joined(separator: "/")
    let refusal: String? =
      if name.utf8.contains(0) {
        "its name holds NUL; expected none"
      } else if name.utf8.first == UInt8(ascii: "/") {
        "its name is absolute; expected a relative one"
      } else if parts.contains("..") {
        "its name leads out of the archive; expected one without .."
      } else if name.utf8.count > limit || parts.contains(where: { $0.utf8.count > 255 }) {
        "its name is too long; expected at most \(limit) bytes, and 255 of a folder"
      } else if parts.isEmpty {
        "it has no name; expected one"
      } else {
        nil
      }
    return (refusal == nil ? path : name, refusal)
  }

  // MARK: Fields

  /// The text of a field, up to a NUL.
  static func text(_ field: ArraySlice<UInt8>) -> String {
    String(decoding: field.prefix { $0 != 0 }, as: UTF8.self)
  }

  /// The number of a field: octal digits between blanks, or behind 0x80 bytes with the greatest first.
  static func number(_ field: ArraySlice<UInt8>) -> Int? {
    if field.first == 0x80 {
      return field.dropFirst().reduce(0 as Int?) { number, byte in
        number.flatMap { $0 >> 55 == 0 ? $0 << 8 | Int(byte) : nil }
      }
    }

    let isBlank = { (byte: UInt8) in byte == 0x20 || byte == 0 }
    let start = field.drop { $0 == 0x20 }
    let digits = start.prefix { !isBlank($0) }
    guard start.dropFirst(digits.count).allSatisfy(isBlank) else { return nil }
    return digits.isEmpty ? 0 : number(digits, radix: 8)
  }

  /// The number that digits alone say; `nil` when it is too large, too.
  fileprivate static func number(_ digits: ArraySlice<UInt8>, radix: Int) -> Int? {
    guard digits.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
    return Int(String(decoding: digits, as: UTF8.self), radix: radix)
  }
}

/// What headers of pax, or of GNU, say of the file behind them.
struct TarAttributes {
  /// Its name, however long.
  var name: String?
  /// Its bytes, however many.
  private(set) var size: Int?
  /// Whether zeros of it are left out.
  private(set) var isSparse = false

  /// Takes the records of a pax header, each its own length, a blank, a key, `=`, a value and a new line;
  /// returns what is wrong with them.
  mutating func add(pax content: [UInt8]) -> String? {
    var rest = content[...]
    while !rest.isEmpty {
      let digits = rest.prefix { $0 != 0x20 }
      guard let length = TarHeader.number(digits, radix: 10), length <= rest.count,
        length > digits.count + 2, rest.dropFirst(length - 1).first == 0x0a
      else { return "a pax header is damaged; expected records, each with its length" }

      let record = rest.prefix(length - 1).dropFirst(digits.count + 1)
      let key = record.prefix { $0 != UInt8(ascii: "=") }
      let value = record.dropFirst(key.count + 1)
      switch String(decoding: key, as: UTF8.self) {
      case "path": name = String(decoding: value, as: UTF8.self)
      case "size":
        size = TarHeader.number(value, radix: 10)
        if size == nil { return "a pax header's size is no number; expected digits" }
      case let key: isSparse = isSparse || key.hasPrefix("GNU.sparse.")
      }
      rest = rest.dropFirst(length)
    }
    return nil
  }
}
