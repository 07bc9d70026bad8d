import Platform

/// The files of a tar archive in a private folder, which goes when this object does.
///
/// They keep their names, so that the parts and the ring of a log lie beside it. An interrupt leaves the
/// folder behind.
final class TarFolder {
  /// A file of the archive.
  struct File: Equatable {
    /// Where it lies.
    let path: String
    /// What reports call it: the archive, `!`, and its name there.
    let name: String
  }

  /// A file of the archive that was not unpacked.
  struct Refusal: Equatable {
    /// What reports call it.
    let name: String
    /// Where in the archive it stands, and what is wrong with it.
    let reason: String
  }

  private let folder: PrivateFolder
  /// The folder.
  var path: String { folder.path }
  /// The files, in the archive's order.
  private(set) var files: [File] = []
  /// The files that could not be unpacked, also the second of one name.
  private(set) var refused: [Refusal] = []
  /// How many entries were no regular files, by what they are, such as `symbolic link`.
  private(set) var skipped: [String: Int] = [:]
  /// Why the archive was not read to its end; the files before that are there.
  private(set) var problem: String?
  private let name: String

  /// Unpacks the archive that an input holds, which ``ByteInput/recognize(_:_:archives:)`` found.
  ///
  /// `name` is what reports call it. Throws when the folder cannot be written; nothing is left then.
  convenience init(_ input: ByteInput, name: String? = nil, limits: TarReader.Limits = .init())
    throws
  {
    try self.init(name: name ?? input.name, limits: limits) {
      if let bytes = try input.nextBytes() { return bytes }
      try input.checkEnd()
      return nil
    }
  }

  /// Unpacks the archive whose bytes `next` returns until it returns `nil`.
  ///
  /// The folder is made in `parent`, or in that for temporary files.
  init(
    name: String, limits: TarReader.Limits = .init(), in parent: String? = nil,
    next: @escaping () throws -> ArraySlice<UInt8>?
  ) throws {
    self.name = name
    folder = try PrivateFolder(in: parent)

    var reader = TarReader(limits: limits) {
      // What cannot be read ends the archive, and not the command.
      do { return try next() } catch { throw TarReader.Damage(description: "\(error)") }
    }
    do {
      while let file = try reader.nextFile() { try unpack(file, &reader) }
    } catch let damage as TarReader.Damage {
      problem = damage.description
    }
    skipped = reader.skipped
  }

  private func unpack(_ file: TarReader.File, _ reader: inout TarReader) throws {
    let (place, name) = ("\(path)/\(file.name)", "\(name)!\(file.name)")
    let start = reader.offset - 512
    if let refusal = file.refusal { return refused.append(Refusal(name: name, reason: refusal)) }
    makeFolders(of: file.name)
    let descriptor = open(place, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else {
      let reason = try TarFolder.refusal(errno, place)
      return refused.append(Refusal(name: name, reason: "offset \(start): \(reason)"))
    }

    defer { close(descriptor) }
    do {
      try reader.readContent { bytes in
        if !Terminal.write(Array(bytes), to: descriptor) { throw TarFolder.failure(errno, place) }
      }
    } catch {
      // A part of a log would tell of an end that never was.
      unlink(place)
      if error is TarReader.Damage { refused.append(Refusal(name: name, reason: "\(error)")) }
      throw error
    }
    files.append(File(path: place, name: name))
  }

  /// Makes the folders of a name; when one cannot be made, the file cannot either.
  private func makeFolders(of name: String) {
    var folder = path
    for part in name.unicodeScalars.split(separator: "/").dropLast() {
      folder += "/\(String(part))"
      mkdir(folder, 0o700)
    }
  }

  /// Why a file cannot be made that fits no other; throws when no file can.
  private static func refusal(_ code: Int32, _ path: String) throws -> String {
    switch code {
    case EEXIST, EISDIR: "an entry before has the same name; expected another"
    case ENOTDIR: "an entry before is a file of the name of its folder; expected a folder"
    case ENOENT, ENAMETOOLONG, EILSEQ, EINVAL: "its name fits no file here; expected a shorter one"
    default: throw failure(code, path)
    }
  }

  private static func failure(_ code: Int32, _ path: String) -> CommandError {
    .unreadable(
      "\(path): cannot be written: \(String(cString: strerror(code))); "
        + "set TMPDIR to a folder with room")
  }
}
