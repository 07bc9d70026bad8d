import COwnFiles
import Foundation
import Platform

@testable import tracectl

/// A run of `tracectl`, of another program that was built, or of one of the machine.
struct CommandRun {
  /// As a shell says it: 127 when there is no such program of the machine, 128 and the signal that
  /// ended it.
  let status: Int32
  let output: String
  let errors: String

  /// The root of the package.
  static let root = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

  /// The command that was built beside the tests.
  static let command: URL = {
    let tests = URL(fileURLWithPath: CommandLine.arguments[0]).resolvingSymlinksInPath()
    let folders = sequence(first: tests.deletingLastPathComponent()) { folder in
      folder.path == "/" ? nil : folder.deletingLastPathComponent()
    }
    let candidates = folders.map { $0.appendingPathComponent("tracectl") }
    let built = candidates.first { candidate in
      var isDirectory: ObjCBool = false
      return FileManager.default.fileExists(atPath: candidate.path, isDirectory: &isDirectory)
        && !isDirectory.boolValue
    }
    return built ?? root.appendingPathComponent(".build/debug/tracectl")
  }()

  /// A program that was built beside the command.
  static func built(_ name: String) -> String {
    command.deletingLastPathComponent().appendingPathComponent(name).path
  }

  /// Whether the machine has a program.
  static func machineHas(_ name: String) -> Bool {
    let path = ProcessInfo.processInfo.environment["PATH"] ?? ""
    return path.split(separator: ":").contains {
      FileManager.default.isExecutableFile(atPath: "\($0)/\(name)")
    }
  }

  /// Runs `tracectl` with these arguments, in `folder`.
  init(_ arguments: String..., input: String = "", in folder: URL = CommandRun.root) throws {
    try self.init(arguments, input: input, in: folder)
  }

  /// Runs `tracectl` with these arguments, in `folder`: on a thread of this process with a working directory and
  /// standard streams of its own, or else as the program that was built.
  ///
  /// `environment` is added to that of the tests: a process has one, so that the program is started.
  init(
    _ arguments: [String], input: String = "", in folder: URL = CommandRun.root,
    environment: [String: String] = [:]
  ) throws {
    let scratch = try ScratchFolder()
    if environment.isEmpty, CommandRun.processWords.isDisjoint(with: arguments),
      let status = CommandRun.call(arguments, input: input, in: folder, scratch)
    {
      try self.init(status: status, scratch)
    } else {
      try self.init(
        program: [CommandRun.command.path] + arguments, input: input, in: folder,
        environment: environment)
    }
  }

  /// Words with which the command needs a process of its own: it starts programs, goes on until a signal, or plays
  /// an app on the main thread.
  private static let processWords: Set = [
    "--", "--attach", "--device", "--open", "--simulator", "tail", "simulate",
  ]

  /// The status of `tracectl` on a thread of this process, which leaves its output in `scratch`; `nil` where a thread
  /// cannot have files of its own.
  private static func call(
    _ arguments: [String], input: String, in folder: URL, _ scratch: ScratchFolder
  ) -> Int32? {
    let status = Lock<Int32?>(nil)
    let thread = SideThread {
      guard own_files_begin(folder.path) == 0 else { return }
      for (descriptor, name) in [(STDOUT_FILENO, "stdout"), (STDERR_FILENO, "stderr")] {
        let file = open(scratch.path(name), O_WRONLY | O_CREAT, 0o600)
        dup2(file, descriptor)
        close(file)
      }
      let writer = CommandRun.pipeIn(Array(input.utf8))
      status.withLock { $0 = Tracectl.run(arguments) }
      close(STDIN_FILENO)
      writer?.wait()
    }
    thread?.wait()
    return status.withLock { $0 }
  }

  /// Makes a pipe with these bytes the standard input; returns the thread that writes them, until nobody reads.
  private static func pipeIn(_ bytes: [UInt8]) -> SideThread? {
    var ends: [Int32] = [0, 0]
    pipe(&ends)
    dup2(ends[0], STDIN_FILENO)
    close(ends[0])
    let end = ends[1]
    let write: @Sendable () -> Void = {
      _ = Terminal.write(bytes, to: end)
      close(end)
    }
    let writer = bytes.isEmpty ? nil : SideThread(write)
    if writer == nil { close(end) }
    return writer
  }

  /// Runs a program, by its path or as the machine finds it, with its arguments.
  init(
    program words: [String], input: String = "", in folder: URL = CommandRun.root,
    environment: [String: String] = [:]
  ) throws {
    let scratch = try ScratchFolder()
    let program = StartedProgram(words, in: folder, environment: environment)
    let pipe = Pipe()
    program.process.standardInput = pipe
    try program.start(outputIn: scratch)
    try pipe.fileHandleForWriting.write(contentsOf: Data(input.utf8))
    try pipe.fileHandleForWriting.close()
    try self.init(status: program.waitForEnd(), scratch)
  }

  /// Runs programs beside one another, which is for those that wait most of their time.
  static func together(_ programs: [[String]], in folder: URL = CommandRun.root) throws
    -> [CommandRun]
  {
    let started = try programs.map { words in
      let (program, scratch) = (StartedProgram(words, in: folder), try ScratchFolder())
      try program.start(outputIn: scratch)
      return (program, scratch)
    }
    return try started.map { try CommandRun(status: $0.waitForEnd(), $1) }
  }

  /// A run that left its output in `scratch`.
  private init(status: Int32, _ scratch: ScratchFolder) throws {
    func text(_ name: String) throws -> String {
      let file = scratch.url.appendingPathComponent(name)
      return String(decoding: try Data(contentsOf: file), as: UTF8.self)
    }
    self.status = status
    output = try text("stdout")
    errors = try text("stderr")
  }
}

/// A folder that goes when its owner does.
final class ScratchFolder: Sendable {
  let url: URL

  /// Makes it in `folder`, or in that for temporary files.
  init(in folder: String? = nil) throws {
    url = (folder.map { URL(fileURLWithPath: $0) } ?? FileManager.default.temporaryDirectory)
      .appendingPathComponent("tracectl-tests-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(at: url) }

  /// The path of a file in the folder.
  func path(_ name: String) -> String { url.appendingPathComponent(name).path }

  /// A file with this content.
  @discardableResult
  func file(_ name: String, _ content: String = "") throws -> URL {
    let file = url.appendingPathComponent(name)
    try Data(content.utf8).write(to: file)
    return file
  }
}
