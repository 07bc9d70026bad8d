import Platform
import TraceLog
import TraceSources
import TraceText

/// Finds logs: the article `Baseline`, §3, says what is taken for one.
struct LogFinder {
  private static let endings = [".bin", ".trace", ".ndjson"]
  /// The endings of reports, which are read when their first bytes are those of a report on an end.
  private static let reportEndings = [".ips", ".crash"]
  /// The endings of files that are read when they are reports: what people and syncing make of reports.
  private static let looseEndings = [".json", ".txt", ".synced", ".beta"]
  /// The endings of files that may be meant, and are read only when they are named.
  private static let otherEndings = [".log", ".gz", ".json"]
  private var found: Set<String> = []

  /// The files, in the order of their names; the parts of a rotated log are one, and a file that
  /// was found by several names has the first.
  var logs: [String] {
    var seen: Set<[UInt64]> = []
    return found.filter { !isPart($0) }.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
      .filter { path in
        guard let status = FileStatus(path) else { return true }
        return seen.insert([status.device, status.number]).inserted
      }
  }

  /// The files of the logs that were named, in the order of their names; `-` alone is standard input.
  static func paths(_ named: [String]) throws -> [String] {
    if named == ["-"] { return named }
    var finder = LogFinder()
    for name in named { try finder.add(name) }
    return finder.logs
  }

  /// Whether the path names no file and has the marks of a pattern.
  static func isPattern(_ path: String) -> Bool {
    path.contains(where: "*?[".contains) && access(path, F_OK) != 0
  }

  /// Takes a file, what is in a directory, or what a pattern matches.
  mutating func add(_ argument: String) throws {
    if argument == "-" {
      throw CommandError.usage("- reads one log from standard input; name no other logs with it")
    }

    if LogFinder.isPattern(argument) {
      let matches = LogFinder.matches(argument)
      if matches.isEmpty {
        throw CommandError.unreadable("\(argument): no file matches; check the pattern")
      }
      for match in matches {
        // Nobody named it by itself.
        do { try addPath(match) } catch  where matches.count > 1 { Terminal.printError("\(error)") }
      }
    } else {
      try addPath(argument)
    }
  }

  private mutating func addPath(_ path: String) throws {
    guard LogFinder.isDirectory(path) else {
      found.insert(path)
      return
    }

    if let form = InputForm.directory(path) {
      throw CommandError.unreadable("\(path): is \(form)")
    }
    let logs = try walk(path)
    if logs.isEmpty {
      throw CommandError.unreadable(
        "\(path): this directory contains no log; logs end in "
          + (LogFinder.endings + LogFinder.reportEndings).joined(separator: ", ")
          + ", or start as a binary log does; name a text that was pasted to read it")
    }
    found.formUnion(logs)
  }

  /// The logs in a directory.
  private func walk(_ directory: String) throws -> [String] {
    guard let names = LogFinder.names(in: directory) else {
      throw CommandError.unreadable(
        "\(directory): cannot read the directory; check its owner and mode")
    }

    var logs: [String] = []
    var unread: [String] = []
    for name in names {
      let path = (directory.hasSuffix("/") ? directory : directory + "/") + name
      if LogFinder.isDirectory(path) {
        // A link may lead back to where it lies.
        if FileStatus(path, followsLinks: false)?.kind == .link { continue }
        do {
          logs += try walk(path)
        } catch {
          // Told in a line of its own, as a file that cannot be read.
          logs.append(path)
        }
      } else if !LogFinder.isRegularFile(path) {
        let isNamed = !name.unicodeScalars.contains("\u{fffd}") || LogFinder.isThere(path)
        skip(
          path,
          isNamed
            ? "is not a regular file; name it to read it"
            : "has a name that is not UTF-8; rename it to read it")
      } else if LogFinder.endings.contains(where: name.hasSuffix) || LogFinder.isBinaryLog(path) {
        let log = LogFinder.log(ofPart: path)?.path
        // All parts are one log, also where its own file is lost.
        logs.append(log.flatMap { LogFinder.isThere($0) ? nil : $0 } ?? path)
      } else if LogFinder.reportEndings.contains(where: name.hasSuffix) {
        let head = LogFinder.head(of: path, InputForm.sampleLength)
        if let what = ReportForm.refused(head[...]) {
          skip(path, "is \(what); it is not read")
        } else {
          logs.append(path)
        }
      } else if LogFinder.looseEndings.contains(where: name.hasSuffix), LogFinder.isReport(path) {
        logs.append(path)
      } else if LogFinder.otherEndings.contains(where: name.hasSuffix) {
        unread.append(name)
      }
    }

    if let first = unread.first {
      let others = unread.count > 1 ? " and \(unread.count - 1) more" : ""
      skip(
        directory,
        """
        \(first)\(others) \(unread.count > 1 ? "are" : "is") not read; name such files to read \
        them
        """
      )
    }
    return logs
  }

  /// Says that a path in a directory is not read.
  private func skip(_ path: String, _ reason: String) {
    Terminal.printError("\(InertText.word(path)): \(reason)")
  }

  // MARK: Files

  static func isDirectory(_ path: String) -> Bool { FileStatus(path)?.kind == .directory }

  /// Whether a path names anything, which a name does not whose bytes were repaired.
  private static func isThere(_ path: String) -> Bool {
    FileStatus(path, followsLinks: false) != nil
  }

  /// Whether a path names a file and no pipe: to open a pipe is to wait for its writer.
  static func isRegularFile(_ path: String) -> Bool { FileStatus(path)?.kind == .file }

  /// Whether a file begins as a binary log does; one that cannot be opened does not.
  static func isBinaryLog(_ path: String) -> Bool {
    let first = head(of: path, 64)
    return !first.isEmpty && LogReader.isLog(first[...])
  }

  /// Whether the first bytes of a file are a report about the end of a process.
  static func isReport(_ path: String) -> Bool {
    let form = InputForm(head(of: path, InputForm.sampleLength)[...], name: path, isWhole: true)
    if case .report = form { return true }
    return false
  }

  /// Whether a name ends as those of logs and reports do.
  static func isNamedAsLog(_ name: String) -> Bool {
    (endings + reportEndings).contains(where: name.hasSuffix)
  }

  /// The names in a directory, in order, without hidden ones; `nil` when it cannot be read.
  static func names(in directory: String) -> [String]? {
    Folder.names(in: directory)?.filter { !$0.hasPrefix(".") }.sorted()
  }

  /// The first bytes of a file; none of what cannot be read.
  static func head(of path: String, _ length: Int) -> [UInt8] {
    guard isRegularFile(path) else { return [] }
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    if descriptor < 0 { return [] }
    defer { close(descriptor) }
    var first = [UInt8](repeating: 0, count: length)
    let count = read(descriptor, &first, first.count)
    return Array(first.prefix(max(0, count)))
  }

  private static func matches(_ pattern: String) -> [String] {
    var result = glob_t()
    defer { globfree(&result) }
    guard glob(pattern, 0, nil, &result) == 0 else { return [] }
    return (0..<Int(result.gl_pathc)).compactMap { index in
      result.gl_pathv[index].map { String(cString: $0) }
    }
  }

  /// The log's path and id, when `path` is one of its later parts; `nil` for another file.
  private static func log(ofPart path: String) -> (path: String, id: [UInt8])? {
    guard let dot = path.lastIndex(of: "."),
      let number = UInt32(path[path.index(after: dot)...]), isRegularFile(path),
      let part = try? LogReader(path: path, joinsRing: false), part.part.number == number,
      let identity = part.identity
    else { return nil }
    return (String(path[..<dot]), identity.logID)
  }

  /// Whether a file is another part, or the ring, of a log that was found.
  private func isPart(_ path: String) -> Bool {
    if path.hasSuffix(".ring"), found.contains(String(path.dropLast(5))) { return true }
    guard let part = LogFinder.log(ofPart: path), found.contains(part.path),
      LogFinder.isRegularFile(part.path)
    else { return false }
    return (try? LogReader(path: part.path, joinsRing: false))?.identity?.logID == part.id
  }
}
