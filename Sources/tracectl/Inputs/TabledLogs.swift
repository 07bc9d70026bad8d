import LifecycleModel
import Platform
import TraceReport
import TraceText

/// The logs that commands about tables were pointed at: files, directories, patterns, and tar archives,
/// which are directories of logs.
///
/// Archives are unpacked into private folders, which go when this object does.
final class TabledLogs {
  /// The logs, in the order of their names.
  private(set) var logs: [TabledLog] = []
  /// What an archive holds and cannot be unpacked, with the reason: rows of logs that cannot be read.
  private(set) var refused: [(name: String, reason: String)] = []
  private var folders: [TarFolder] = []
  private var spool: SpooledInput?
  /// What was named, and the archives in directories that were: none of it is overwritten.
  private(set) var inputs: [String]

  /// Finds the logs that were named, and those that the file `list` names, a name a line.
  init(_ arguments: [String], listedIn list: String? = nil) throws {
    // An end that comes in between leaves no folder behind.
    Interrupt.catchSignals()
    signal(SIGPIPE, SIG_IGN)
    inputs = arguments + [list].compactMap(\.self)
    let progress = Progress("unpacking", isQuiet: false)
    defer { progress.clear() }
    let listed = try list.map { try TabledLogs.names(in: $0) } ?? []
    if arguments == ["-"] {
      try addStandardInput(progress)
    } else {
      if list == "-" && arguments.contains("-") {
        throw CommandError.usage(
          "- is both the list of logs and a log; write the list into a file, and name that")
      }
      for path in try LogsArgument.paths(arguments + listed) { try add(path, progress) }
    }
    logs.sort { $0.name.utf8.lexicographicallyPrecedes($1.name.utf8) }
  }

  private static func names(in list: String) throws -> [String] {
    let input = try ByteInput(list)
    let bytes = try WholeFile.read(input, limit: 1 << 30)
    let names = bytes.split(separator: 0x0a).map { String(decoding: $0, as: UTF8.self) }
    if names.isEmpty {
      throw CommandError.unreadable("\(input.name): names no log; expected a name a line")
    }
    return names
  }

  /// Adds a log, or what an archive holds.
  private func add(_ path: String, _ progress: Progress) throws {
    // A file that is no archive, or cannot be read at all, is told by who reads it.
    guard TabledLogs.mayBeArchive(path),
      let (input, form) = try? ByteInput.recognize(path, progress, archives: true), form == .tar
    else { return logs.append(TabledLog(path)) }
    inputs.append(path)
    try unpack(input, named: path)
  }

  private func addStandardInput(_ progress: Progress) throws {
    let (input, form) = try ByteInput.recognize("-", progress, archives: true)
    if form == .tar { return try unpack(input, named: "-") }
    // Its first bytes were read, and where findings name their events all are read twice.
    let spool = try SpooledInput(input)
    self.spool = spool
    logs.append(TabledLog(spool.path, named: "-"))
  }

  /// Whether the first bytes of a file are those of an archive, or of a compressed file.
  private static func mayBeArchive(_ path: String) -> Bool {
    let head = LogFinder.head(of: path, 512)
    return head.starts(with: [0x1f, 0x8b]) || TarHeader.begins(head[...])
  }

  private func unpack(_ input: ByteInput, named name: String) throws {
    let folder = try TarFolder(input, name: name)
    folders.append(folder)
    refused += folder.refused.map { ($0.name, $0.reason) }
    if let problem = folder.problem { refused.append((name, problem)) }
    for (what, count) in folder.skipped.sorted(by: { $0.key < $1.key }) where what != "directory" {
      Terminal.printError(
        "\(InertText.word(name)): \(CountText.of(count, "entry", plural: "entries")) not read: \(what)"
      )
    }

    // As in a directory: parts and rings belong to their logs, and what is no log is passed over.
    var finder = LogFinder()
    do {
      try finder.add(folder.path)
    } catch let error as CommandError where error.status == .unreadable {
      if folder.refused.isEmpty && folder.problem == nil {
        refused.append((name, "the archive contains no log"))
      }
      return
    }
    let start = folder.path.utf8.count + 1
    logs += finder.logs.map { path in
      TabledLog(
        path, named: "\(name)!\(String(decoding: path.utf8.dropFirst(start), as: UTF8.self))")
    }
  }
}

/// Standard input, kept in a file that goes when this object does.
private final class SpooledInput {
  private let folder: PrivateFolder
  /// The file.
  var path: String { folder.path + "/input" }

  init(_ input: ByteInput) throws {
    folder = try PrivateFolder()
    let file = try ReportFile(path, inputs: [], what: "standard input").begin()
    while let bytes = try input.nextBytes() { try file.append(Array(bytes)) }
    if Interrupt.isRequested { throw ChildStatus.interrupted }
    try input.checkEnd()
    try file.finish()
  }
}
