import Platform

/// A file that is written whole: it has its old content or all of the new one, whatever happens in between.
struct ReportFile {
  let path: String
  /// Where the content goes: behind a symbolic link.
  private let target: String
  /// Whether it is a pipe or a device, which cannot be replaced.
  private let isSpecial: Bool

  /// Finds out what can be known before there is anything to write; `inputs` are not overwritten by `what`.
  init(_ path: String, inputs: [String], what: String = "the report") throws {
    self.path = path
    var status = stat()
    let exists = stat(path, &status) == 0
    if !exists && errno != ENOENT { throw ReportFile.error(path) }
    isSpecial = exists && status.st_mode & S_IFMT != S_IFREG
    if exists && status.st_mode & S_IFMT == S_IFDIR {
      throw CommandError.unreadable("\(path): cannot be written: it is a directory")
    }

    if inputs.contains(where: { ReportFile.isSame($0, path) }) {
      throw CommandError.usage(
        "\(path): \(what) would overwrite one of its inputs; name another file")
    }

    target = exists ? ReportFile.resolved(path) : path
    let folder = ReportFile.folder(of: target)
    if access(isSpecial ? target : folder, isSpecial ? W_OK : W_OK | X_OK) != 0 {
      throw ReportFile.error(path)
    }
  }

  /// Whether both paths name one regular file that is there, by whatever spelling or link.
  static func isSame(_ one: String, _ other: String) -> Bool {
    var (first, second) = (stat(), stat())
    return stat(one, &first) == 0 && stat(other, &second) == 0
      && first.st_mode & S_IFMT == S_IFREG
      && first.st_dev == second.st_dev && first.st_ino == second.st_ino
  }

  /// Puts `bytes` in place of what is there.
  func write(_ bytes: [UInt8]) throws {
    let draft = try begin()
    try draft.append(bytes)
    try draft.finish()
  }

  /// Begins to write what takes the place of what is there, once it is finished.
  func begin() throws -> Draft {
    if isSpecial { return try Draft(path, open(target, O_WRONLY | O_CLOEXEC)) }
    let draft = "\(target).\(getpid()).tmp"
    unlink(draft)
    let flags = O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC
    return try Draft(path, open(draft, flags, 0o666), moved: (draft, target))
  }

  /// Appends `bytes` to the file.
  static func append(_ bytes: [UInt8], to path: String) throws {
    let draft = try Draft(path, open(path, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0o666))
    try draft.append(bytes)
    try draft.finish()
  }

  /// A file that is being written; without ``finish()`` nothing of it is left.
  final class Draft {
    private let path: String
    /// Where it lies until it is finished.
    var place: String { moved?.from ?? path }
    private var descriptor: Int32
    /// Where it lies, and where it goes; `nil` for a pipe, a device, or what is appended to.
    private let moved: (from: String, to: String)?

    /// Writes to what was opened; fails if nothing was.
    fileprivate init(
      _ path: String, _ descriptor: Int32, moved: (from: String, to: String)? = nil
    ) throws {
      (self.path, self.descriptor, self.moved) = (path, descriptor, moved)
      if descriptor < 0 { throw ReportFile.error(path) }
    }

    deinit {
      guard descriptor >= 0 else { return }
      close(descriptor)
      if let moved { unlink(moved.from) }
    }

    /// Appends `bytes`.
    func append(_ bytes: [UInt8]) throws {
      if !Terminal.write(bytes, to: descriptor) { throw ReportFile.error(path) }
    }

    /// Puts what was appended in its place.
    func finish() throws {
      let isClosed = close(descriptor) == 0
      descriptor = -1
      if isClosed, moved.map({ rename($0.from, $0.to) == 0 }) ?? true { return }
      let error = ReportFile.error(path)
      if let moved { unlink(moved.from) }
      throw error
    }
  }

  private static func error(_ path: String) -> CommandError {
    .unreadable("\(path): cannot be written: \(String(cString: strerror(errno)))")
  }

  private static func folder(of path: String) -> String {
    guard let slash = path.lastIndex(of: "/") else { return "." }
    return slash == path.startIndex ? "/" : String(path[..<slash])
  }

  private static func resolved(_ path: String) -> String {
    guard let real = realpath(path, nil) else { return path }
    defer { free(real) }
    return String(cString: real)
  }
}

extension ReportFile.Draft? {
  /// Appends `bytes` to the file, or to standard output where there is none.
  func append(_ bytes: [UInt8]) throws {
    if let self { try self.append(bytes) } else { try Terminal.write(bytes) }
  }
}
