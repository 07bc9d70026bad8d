import Platform
import TraceLog

/// A file that is written whole: it has its old content or all of the new one, whatever happens in between.
///
/// It is its owner's alone, or has the mode of the file that it replaces.
struct ReportFile {
  let path: String
  /// Where the content goes: behind a symbolic link that the user named.
  private let target: String
  /// Whether it is a pipe or a device, which cannot be replaced.
  private let isSpecial: Bool
  private let mode: mode_t

  /// Finds out what can be known before there is anything to write; `inputs` are not overwritten by `what`.
  ///
  /// A link is followed where it was named, and not where only the folder was: there it is replaced.
  init(
    _ path: String, inputs: [String] = [], what: String = "the report", isNamed: Bool = true
  ) throws {
    self.path = path
    let status = FileStatus(path, followsLinks: isNamed)
    if status == nil && errno != ENOENT { throw CommandError.notWritten(path) }
    let kind = status?.kind ?? .file
    isSpecial = kind != .file && kind != .link
    mode = kind == .file ? status.map { mode_t($0.mode & 0o777) } ?? 0o600 : 0o600
    if kind == .directory {
      throw CommandError.unreadable("\(path): cannot be written: it is a directory")
    }

    if inputs.contains(where: { ReportFile.isOf($0, path) }) {
      throw CommandError.usage(
        "\(path): \(what) would overwrite one of its inputs; name another file")
    }

    if kind == .file, status != nil, SystemCalls.isFileLocked(path) {
      throw CommandError.usage("\(path): is being recorded; name another file")
    }
    target = isNamed ? try ReportFile.place(of: path) : path
    let folder = ReportFile.folder(of: target)
    if access(isSpecial ? target : folder, isSpecial ? W_OK : W_OK | X_OK) != 0 {
      throw CommandError.notWritten(path)
    }
  }

  /// The most links that a system follows.
  private static let mostLinks = 40

  /// Where the content of a file goes that the user named: behind a link, also to a file that does not exist yet,
  /// unless another user made it, such as one that waits in a folder for all.
  static func place(of path: String) throws -> String {
    var place = path
    var links = 0
    while let status = FileStatus(place, followsLinks: false), status.kind == .link {
      links += 1
      if links > mostLinks {
        errno = ELOOP
        throw CommandError.notWritten(path)
      }
      if status.owner != geteuid() && status.owner != 0 {
        throw CommandError.unreadable(
          "\(path): is a link of another user, which is not followed; name another file")
      }
      let next = try destination(of: place)
      // The destination of a descriptor's link, such as `pipe:[7]`, names no file: the link itself is opened.
      if FileStatus(place) != nil, FileStatus(next, followsLinks: false) == nil { return place }
      place = next
    }

    guard let real = realpath(place, nil) else { return place }
    defer { free(real) }
    return String(cString: real)
  }

  /// What a link leads to, from where it stands.
  private static func destination(of link: String) throws -> String {
    var bytes = [CChar](repeating: 0, count: Int(PATH_MAX))
    let count = readlink(link, &bytes, bytes.count)
    if count < 0 { throw CommandError.notWritten(link) }
    let target = String(decoding: bytes[..<count].map(UInt8.init(bitPattern:)), as: UTF8.self)
    return target.hasPrefix("/") ? target : "\(folder(of: link))/\(target)"
  }

  /// Whether both paths name one regular file that is there, by whatever spelling or link.
  static func isSame(_ one: String, _ other: String) -> Bool {
    guard let first = FileStatus(one), let second = FileStatus(other) else { return false }
    return first.kind == .file && first.isSame(as: second)
  }

  /// Whether a path is that of an input, or of a part of a log that is one, or of its ring.
  static func isOf(_ input: String, _ path: String) -> Bool {
    if isSame(input, path) { return true }
    guard let dot = path.lastIndex(of: "."), LogReader.beginsLikeLog(input) else { return false }
    let ending = path[dot...]
    return isSame(input, String(path[..<dot]))
      && (ending == RingFormat.pathEnding
        || ending.count > 1 && ending.dropFirst().allSatisfy(\.isNumber))
  }

  /// Puts `bytes` in place of the old content.
  func write(_ bytes: [UInt8]) throws {
    let draft = try begin()
    try draft.append(bytes)
    try draft.finish()
  }

  /// Begins to write what takes the place of the old content, once it is finished.
  func begin() throws -> Draft {
    if isSpecial {
      do {
        return try Draft(path, FileOpening.write(target))
      } catch let refusal as FileOpening.Refusal {
        guard case .system(let code) = refusal else {
          throw CommandError.unreadable("\(path): \(refusal)")
        }
        errno = code
        throw CommandError.notWritten(path)
      }
    }
    return try Draft(path, in: ReportFile.folder(of: target), as: target, mode)
  }

  /// Appends `bytes` to the file.
  static func append(_ bytes: [UInt8], to path: String) throws {
    let flags = O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC | O_NONBLOCK
    let draft = try Draft(path, open(path, flags, 0o600))
    try draft.append(bytes)
    try draft.finish()
  }

  /// A file that is being written; without ``finish()`` nothing of it is left.
  final class Draft {
    /// Where it lies, and where it goes: names in one folder, which is held.
    private struct Move {
      let folder: Int32
      let from: String
      let to: String
    }

    private let path: String
    /// Where it lies until it is finished, as a path.
    let place: String
    private var descriptor: Int32
    /// `nil` for a pipe, a device, or what is appended to.
    private let move: Move?

    /// Writes to what was opened; fails if nothing was.
    fileprivate init(_ path: String, _ descriptor: Int32) throws {
      (self.path, place, self.descriptor, move) = (path, path, descriptor, nil)
      if descriptor < 0 { throw CommandError.notWritten(path) }
    }

    /// Makes a file beside `target`, under a name that nothing has.
    fileprivate init(
      _ path: String, in folder: String, as target: String, _ mode: mode_t
    ) throws {
      let held = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
      if held < 0 { throw CommandError.notWritten(path) }
      let name = ".tracectl-\(getpid())-\(UInt32.random(in: .min ... .max)).tmp"
      let flags = O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC
      let last = target.split(separator: "/").last.map(String.init) ?? target
      self.path = path
      place = "\(folder)/\(name)"
      move = Move(folder: held, from: name, to: last)
      descriptor = openat(held, name, flags, 0o600)
      if descriptor < 0 { throw CommandError.notWritten(path) }
      if mode != 0o600 { fchmod(descriptor, mode) }
    }

    deinit {
      if descriptor >= 0 { close(descriptor) }
      guard let move else { return }
      if descriptor >= 0 { unlinkat(move.folder, move.from, 0) }
      close(move.folder)
    }

    /// Appends `bytes`.
    func append(_ bytes: [UInt8]) throws {
      if !Terminal.write(bytes, to: descriptor) { throw CommandError.notWritten(path) }
    }

    /// Puts what was appended in its place.
    func finish() throws {
      let isClosed = close(descriptor) == 0
      descriptor = -1
      guard let move else {
        if isClosed { return }
        throw CommandError.notWritten(path)
      }
      if isClosed, renameat(move.folder, move.from, move.folder, move.to) == 0 { return }
      let error = CommandError.notWritten(path)
      unlinkat(move.folder, move.from, 0)
      throw error
    }
  }

  private static func folder(of path: String) -> String {
    guard let slash = path.lastIndex(of: "/") else { return "." }
    return slash == path.startIndex ? "/" : String(path[..<slash])
  }
}
