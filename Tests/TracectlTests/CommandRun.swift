import Foundation

/// A run of the built `tracectl`.
struct CommandRun {
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
    let process = Process()
    if !environment.isEmpty {
      process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
    }
    process.executableURL = CommandRun.command
    process.arguments = arguments
    process.currentDirectoryURL = folder
    let scratch = try ScratchFolder()
    let outputFile = try scratch.file("stdout")
    let errorFile = try scratch.file("stderr")
    process.standardOutput = try FileHandle(forWritingTo: outputFile)
    process.standardError = try FileHandle(forWritingTo: errorFile)
    let pipe = Pipe()
    process.standardInput = pipe
    try process.run()
    try pipe.fileHandleForWriting.write(contentsOf: Data(input.utf8))
    try pipe.fileHandleForWriting.close()
    process.waitUntilExit()
    status =
      process.terminationReason == .exit
      ? process.terminationStatus : 128 + process.terminationStatus
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
