import Foundation

/// A run of the built `tracectl`, of another program that was built, or of one of the machine.
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

  /// Runs `tracectl` with these arguments, in `folder`.
  ///
  /// `environment` is added to that of the tests.
  init(
    _ arguments: [String], input: String = "", in folder: URL = CommandRun.root,
    environment: [String: String] = [:]
  ) throws {
    try self.init(
      program: [CommandRun.command.path] + arguments, input: input, in: folder,
      environment: environment)
  }

  /// Runs a program, by its path or as the machine finds it, with its arguments.
  init(
    program words: [String], input: String = "", in folder: URL = CommandRun.root,
    environment: [String: String] = [:]
  ) throws {
    let scratch = try ScratchFolder()
    let outputFile = try scratch.file("stdout")
    let errorFile = try scratch.file("stderr")
    let program = StartedProgram(words, in: folder, environment: environment)
    program.process.standardOutput = try FileHandle(forWritingTo: outputFile)
    program.process.standardError = try FileHandle(forWritingTo: errorFile)

    let pipe = Pipe()
    program.process.standardInput = pipe
    try program.start()
    try pipe.fileHandleForWriting.write(contentsOf: Data(input.utf8))
    try pipe.fileHandleForWriting.close()
    status = program.waitForEnd()
    output = String(decoding: try Data(contentsOf: outputFile), as: UTF8.self)
    errors = String(decoding: try Data(contentsOf: errorFile), as: UTF8.self)
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
