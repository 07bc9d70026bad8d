import Foundation
import Testing

/// What the libraries declare public stands in `docs/reference/api`, a line a declaration, so that a change of it
/// is seen in review: `UPDATE_SNAPSHOTS=1` rewrites the files.
@Suite("Public API", .enabled(if: isLinux, "other platforms declare more"))
struct PublicAPITests {
  /// The products that are libraries, as the package names them.
  private static let libraries: [String] = {
    let manifest = CommandRun.root.appendingPathComponent("Package.swift")
    let text = (try? String(contentsOf: manifest, encoding: .utf8)) ?? ""
    let names = text.matches(of: /\.library\(name: "([A-Za-z]+)"/).map { String($0.output.1) }
    // Where there is no UIKit, this one is empty.
    return names.filter { !$0.hasPrefix("TraceUIKit") }
  }()

  private static let folder = CommandRun.root.appendingPathComponent("docs/reference/api")

  @Test("each library's public declarations are those of its file", arguments: libraries)
  func matchesFile(_ library: String) throws {
    let lines = try PublicAPITests.declarations(of: library)
    #expect(lines.count > 3, "nothing was extracted")
    let head = """
      # \(library): what is public, a line a declaration.
      # Generated: UPDATE_SNAPSHOTS=1 swift test --filter PublicAPITests

      """
    try Snapshot.expect(
      head + lines.joined(separator: "\n") + "\n",
      at: PublicAPITests.folder.appendingPathComponent(library + ".txt"))
  }

  @Test("there is a file for each library and none besides")
  func filesMatchLibraries() throws {
    #expect(PublicAPITests.libraries.count > 10)
    let files = try FileManager.default.contentsOfDirectory(atPath: PublicAPITests.folder.path)
    #expect(files.sorted() == PublicAPITests.libraries.map { $0 + ".txt" }.sorted())
  }

  // MARK: Extracting

  private struct Graph: Decodable {
    struct Symbol: Decodable {
      struct Fragment: Decodable { var spelling: String }
      var pathComponents: [String]
      var declarationFragments: [Fragment]

      /// `AppState.active: case active`.
      var line: String {
        let words = declarationFragments.map(\.spelling).joined().split(
          whereSeparator: \.isWhitespace)
        return pathComponents.joined(separator: ".") + ": " + words.joined(separator: " ")
      }
    }
    var symbols: [Symbol]
  }

  /// The public declarations of a library that was built beside the command, in order.
  private static func declarations(of library: String) throws -> [String] {
    let output = FileManager.default.temporaryDirectory
      .appendingPathComponent("api-\(library)-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: output, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: output) }

    let modules = CommandRun.built("Modules")
    var program = ["swift-symbolgraph-extract", "-module-name", library, "-I", modules]
    for folder in headers { program += ["-I", folder] }
    program += ["-target", target, "-minimum-access-level", "public", "-skip-synthesized-members"]
    let run = try CommandRun(program: program + ["-output-dir", output.path])
    try #require(run.status == 0, "\(run.errors)")

    let graphs = try FileManager.default.contentsOfDirectory(
      at: output, includingPropertiesForKeys: nil)
    let lines = try graphs.flatMap { file in
      try JSONDecoder().decode(Graph.self, from: Data(contentsOf: file)).symbols.map(\.line)
    }
    return Set(lines).sorted()
  }

  /// Where the C modules are that the libraries' modules ask for.
  private static let headers: [String] = {
    let checkouts = CommandRun.command.deletingLastPathComponent().resolvingSymlinksInPath()
      .deletingLastPathComponent().deletingLastPathComponent().appendingPathComponent("checkouts")
    let packages = (try? FileManager.default.contentsOfDirectory(atPath: checkouts.path)) ?? []
    let sources = packages.map { checkouts.appendingPathComponent("\($0)/Sources") }
    let all = (sources + [CommandRun.root.appendingPathComponent("Sources")]).flatMap { folder in
      let modules = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
      return modules.flatMap { module in
        [folder.appendingPathComponent(module), folder.appendingPathComponent("\(module)/include")]
      }
    }
    return all.map { $0.appendingPathComponent("module.modulemap") }
      .filter { FileManager.default.fileExists(atPath: $0.path) }
      .map { $0.deletingLastPathComponent().path } + generated
  }()

  /// Where the build wrote module maps of its own.
  private static let generated: [String] = {
    let folder = CommandRun.command.deletingLastPathComponent()
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
    return names.map { folder.appendingPathComponent("\($0)/module.modulemap") }
      .filter { FileManager.default.fileExists(atPath: $0.path) }
      .map { $0.deletingLastPathComponent().path }
  }()

  private static let target: String = {
    #if arch(arm64)
      "aarch64-unknown-linux-gnu"
    #else
      "x86_64-unknown-linux-gnu"
    #endif
  }()
}

private let isLinux: Bool = {
  #if os(Linux)
    true
  #else
    false
  #endif
}()
