import Foundation
import Testing

@testable import tracectl

/// Archives of logs: what tools make is unpacked, and what is hostile or cut harms nothing.
@Suite struct TarFolderTests {
  private let scratch: ScratchFolder

  init() throws { scratch = try ScratchFolder() }

  private func unpack(
    _ bytes: [UInt8], chunk: Int = 1000, limits: TarReader.Limits = .init()
  ) throws -> TarFolder {
    var rest = bytes[...]
    return try TarFolder(name: "a.tar", limits: limits, in: scratch.url.path) {
      let piece = rest.prefix(chunk)
      rest = rest.dropFirst(chunk)
      return piece.isEmpty ? nil : piece
    }
  }

  /// The files by the names that reports call them.
  private func contents(_ folder: TarFolder) throws -> [String: [UInt8]] {
    let pairs = try folder.files.map { file in
      (file.name, Array(try Data(contentsOf: URL(fileURLWithPath: file.path))))
    }
    return try Dictionary(pairs) { _, _ in throw CocoaError(.fileReadUnknown) }
  }

  // MARK: What tools make

  private static let long =
    String(repeating: "folder-with-a-long-name/", count: 7) + String(repeating: "n", count: 120)

  /// Makes files in the folder `in`; returns them by the names that reports call them.
  private func makeFiles(_ names: [String]) throws -> [String: [UInt8]] {
    var files: [String: [UInt8]] = [:]
    for (index, name) in names.enumerated() {
      let url = scratch.url.appendingPathComponent("in/\(name)")
      try FileManager.default.createDirectory(
        at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
      let length = [0, 1, 511, 512, 513, 100_000][index % 6]
      let bytes = (0..<length).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ index) }
      try Data(bytes).write(to: url)
      files["a.tar!\(name)"] = bytes
    }
    return files
  }

  private func run(_ program: String...) throws {
    let run = try CommandRun(program: program, in: scratch.url)
    #expect(run.status == 0, "\(program): \(run.errors)")
  }

  private func bytes(_ name: String) throws -> [UInt8] {
    Array(try Data(contentsOf: URL(fileURLWithPath: scratch.path(name))))
  }

  @Test(
    .enabled(if: CommandRun.machineHas("tar")),
    arguments: ["v7", "ustar", "oldgnu", "gnu", "posix"])
  func archivesOfTarAreUnpacked(format: String) throws {
    var names = ["x.bin.1", "x.bin.ring", "x.bin", "a/y.bin", "a/b/z.bin", "ü 😀.bin"]
    // Names that are too long for the others: 155 and 100 bytes, or 99.
    if ["oldgnu", "gnu", "posix"].contains(format) { names.append(Self.long) }
    let files = try makeFiles(names)
    let inside = scratch.url.appendingPathComponent("in").path
    try FileManager.default.createSymbolicLink(
      atPath: "\(inside)/soft", withDestinationPath: "/etc/passwd")
    #expect(link("\(inside)/x.bin", "\(inside)/a/hard") == 0)
    try run("tar", "--format=\(format)", "--sort=name", "-C", "in", "-cf", "a.tar", ".")

    let folder = try unpack(bytes("a.tar"))
    #expect(folder.problem == nil && folder.refused == [])
    let hard = folder.files.contains { $0.name == "a.tar!a/hard" } ? "a/hard" : "x.bin"
    var expected = files
    // Of two names of one file the first is the file.
    if hard == "a/hard" { expected["a.tar!a/hard"] = expected.removeValue(forKey: "a.tar!x.bin") }
    #expect(try contents(folder) == expected)
    #expect(folder.skipped["symbolic link"] == 1 && folder.skipped["hard link"] == 1)
    #expect(folder.skipped["directory"] == (names.count == 7 ? 10 : 3))
  }

  @Test(
    .enabled(if: CommandRun.machineHas("python3")),
    arguments: ["USTAR_FORMAT", "GNU_FORMAT", "PAX_FORMAT"])
  func archivesOfPythonAreUnpacked(format: String) throws {
    let names = ["x.bin", "a/ü.bin", "a/b/z.bin", "y.bin"]
    let files = try makeFiles(format == "USTAR_FORMAT" ? names : names + [Self.long])
    let script = """
      import sys, tarfile
      with tarfile.open("a.tar.gz", "w:gz", format=getattr(tarfile, sys.argv[1])) as tar:
        tar.add("in", arcname=".")
      """
    try run("python3", "-c", script, format)
    let (input, form) = try ByteInput.recognize(
      scratch.path("a.tar.gz"), tracectl.Progress("reading", isQuiet: true), archives: true)
    #expect(form == .tar)
    let folder = try TarFolder(input, name: "a.tar")
    #expect(folder.problem == nil && folder.refused == [])
    #expect(try contents(folder) == files)
  }

  @Test(.enabled(if: CommandRun.machineHas("tar"))) func aSparseFileIsNotTakenForItsParts() throws {
    for (index, option) in ["--format=gnu", "--format=posix"].enumerated() {
      let file = try scratch.file("sparse\(index)")
      #expect(truncate(file.path, 1 << 20) == 0)
      try scratch.file("z.bin", "log")
      try run("tar", option, "-S", "-cf", "s.tar", "sparse\(index)", "z.bin")
      let folder = try unpack(bytes("s.tar"))
      #expect(folder.problem == nil && folder.skipped == ["sparse file": 1])
      #expect(try contents(folder) == ["a.tar!z.bin": Array("log".utf8)])
    }
  }

  // MARK: The folder

  @Test func theFolderIsPrivateAndGoes() throws {
    var folder: TarFolder? = try unpack(tar(("a/x.bin", "log")))
    let path = try #require(folder?.path)
    func mode(_ name: String) throws -> Int {
      let facts = try FileManager.default.attributesOfItem(atPath: "\(path)/\(name)")
      return try #require(facts[.posixPermissions] as? Int)
    }
    #expect(try mode("") == 0o700 && mode("a") == 0o700 && mode("a/x.bin") == 0o600)
    folder = nil
    #expect(!FileManager.default.fileExists(atPath: path))
  }

  @Test func aFolderThatCannotBeMadeIsSaid() throws {
    let error = #expect(throws: CommandError.self) {
      try TarFolder(name: "a.tar", in: scratch.path("missing")) { nil }
    }
    #expect(error?.description.contains("set TMPDIR to a writable one") == true)
  }

  // MARK: What is hostile

  /// The header of a file, with its content, in whole blocks.
  private func member(
    _ name: String, _ content: [UInt8] = [], kind: Character = "0", link: String = "",
    size: [UInt8]? = nil, checksum: Int = 0
  ) -> [UInt8] {
    var block = [UInt8](repeating: 0, count: 512)
    func put(_ bytes: some Collection<UInt8>, at place: Int) {
      block.replaceSubrange(place..<place + bytes.count, with: bytes)
    }
    func octal(_ number: Int, _ width: Int) -> [UInt8] {
      let digits = String(number, radix: 8)
      return Array((String(repeating: "0", count: width - digits.count) + digits).utf8)
    }

    put(Array(name.utf8.prefix(100)), at: 0)
    put(size ?? octal(content.count, 11), at: 124)
    put(Array("        ".utf8), at: 148)
    put([kind.asciiValue ?? 0], at: 156)
    put(Array(link.utf8), at: 157)
    put(Array("ustar\u{0}00".utf8), at: 257)
    put(octal(block.reduce(checksum) { $0 + Int($1) }, 6) + [0], at: 148)
    return block + content + [UInt8](repeating: 0, count: (512 - content.count % 512) % 512)
  }

  private func pax(_ key: String, _ value: String, kind: Character = "x") -> [UInt8] {
    let rest = " \(key)=\(value)\n"
    var length = rest.utf8.count + 1
    while "\(length)\(rest)".utf8.count > length { length += 1 }
    return member("pax", Array("\(length)\(rest)".utf8), kind: kind)
  }

  private let end = [UInt8](repeating: 0, count: 1024)

  private func tar(_ files: (name: String, text: String)...) -> [UInt8] {
    files.flatMap { member($0.name, Array($0.text.utf8)) } + end
  }

  @Test(arguments: [
    ("../x", "leads out"), ("a/../../x", "leads out"), ("..", "leads out"), ("a/..", "leads out"),
    ("/etc/x", "is absolute"), ("//x", "is absolute"), (".", "has no name"), ("", "has no name"),
    ("a\u{0}b", "holds NUL"), (String(repeating: "n", count: 256), "too long"),
    (String(repeating: "n/", count: 600) + "n", "too long"),
    // A mark behind the slash makes both one character.
    ("../\u{301}/../x", "leads out"), ("/\u{301}x", "is absolute"),
  ])
  func aNameThatLeadsElsewhereIsRefused(name: String, reason: String) throws {
    let before = try FileManager.default.subpathsOfDirectory(atPath: scratch.url.path)
    let begin = member("first", [1]) + pax("path", name)
    let folder = try unpack(begin + member("x", [2]) + member("last", [3]) + end)
    #expect(folder.files.map(\.name) == ["a.tar!first", "a.tar!last"])
    #expect(folder.problem == nil && folder.refused.map(\.name) == ["a.tar!\(name)"])
    let refusal = try #require(folder.refused.first?.reason)
    #expect(refusal.hasPrefix("offset \(begin.count): ") && refusal.contains(reason), "\(refusal)")
    let inside = try FileManager.default.subpathsOfDirectory(atPath: folder.path)
    #expect(inside.sorted() == ["first", "last"])
    let after = try FileManager.default.subpathsOfDirectory(atPath: scratch.url.path)
    #expect(after.count == before.count + 3)
  }

  @Test func theSecondOfANameIsRefused() throws {
    let folder = try unpack(tar(("a", "1"), ("./a", "2"), ("a/b", "3"), ("c/d", "4"), ("c", "5")))
    #expect(
      try contents(folder) == ["a.tar!a": Array("1".utf8), "a.tar!c/d": Array("4".utf8)])
    #expect(
      folder.refused == [
        TarFolder.Refusal(
          name: "a.tar!a",
          reason: "offset 1024: an entry before has the same name; expected another"),
        TarFolder.Refusal(
          name: "a.tar!a/b",
          reason:
            "offset 2048: an entry before is a file of the name of its folder; expected a folder"),
        TarFolder.Refusal(
          name: "a.tar!c",
          reason: "offset 4096: an entry before has the same name; expected another"),
      ])
  }

  /// A link cannot lead what comes behind it elsewhere: it is not made.
  @Test func linksAreNotMade() throws {
    let link = member("a", kind: "2", link: "/tmp")
    let folder = try unpack(link + member("a/x", [1]) + end)
    #expect(folder.skipped == ["symbolic link": 1] && folder.problem == nil)
    #expect(try contents(folder) == ["a.tar!a/x": [1]])
  }

  @Test func aSizeThatCannotBeEndsTheArchive() throws {
    let overflow = [0x80] + [UInt8](repeating: 0xff, count: 11)
    let sizes: [([UInt8], String)] = [
      (Array("77777777777".utf8), "more than"), (overflow, "is no number"),
      ([UInt8](repeating: 0xff, count: 12), "is no number"),
      (Array("0000000008 ".utf8), "no number"),
      (Array("-0000000001".utf8), "no number"),
      ([0x80, 0, 0, 0, 0x7f] + overflow.suffix(7), "more than"),
    ]
    for (size, reason) in sizes {
      let folder = try unpack(member("good", [1]) + member("bad", size: size) + end)
      #expect(folder.files.map(\.name) == ["a.tar!good"])
      let problem = try #require(folder.problem)
      #expect(problem.hasPrefix("offset 1024: ") && problem.contains(reason), "\(problem)")
    }
    for size in ["9999999999999999999999", "-1", "1e3", ""] {
      let folder = try unpack(member("good", [1]) + pax("size", size) + member("bad") + end)
      #expect(folder.files.map(\.name) == ["a.tar!good"])
      #expect(folder.problem?.contains("offset 1024: a pax header's size is no number") == true)
    }
  }

  @Test func limitsHold() throws {
    let bytes = tar(("a", "12345"), ("b", "12345"), ("c", "1"))
    let few = try unpack(bytes, limits: .init(entries: 2))
    #expect(few.files.count == 2)
    #expect(
      few.problem == "offset 2048: more than 2 entries; expected fewer: make several archives")
    let small = try unpack(bytes, limits: .init(bytes: 9))
    #expect(small.files.count == 1)
    #expect(small.problem?.hasPrefix("offset 1024: a file of 5 bytes") == true)
    #expect(try unpack(bytes, limits: .init(bytes: 11, entries: 3)).problem == nil)
    let long = try unpack(member("L", kind: "L", size: Array("00004000001".utf8)) + end)
    #expect(long.problem?.hasPrefix("offset 0: a name or a pax header is too long") == true)
  }

  @Test func aWrongChecksumEndsTheArchive() throws {
    let folder = try unpack(member("good", [1]) + member("bad", checksum: 1) + end)
    #expect(folder.files.map(\.name) == ["a.tar!good"])
    #expect(
      folder.problem == "offset 1024: a header's checksum is wrong; expected that of its 512 bytes")
    let text = try unpack(Array(String(repeating: "no archive", count: 100).utf8))
    #expect(text.files.isEmpty && text.problem?.hasPrefix("offset 0: ") == true)
  }

  @Test func aSecondArchiveBehindTheFirstIsSaid() throws {
    let folder = try unpack(tar(("a", "1")) + tar(("b", "2")))
    #expect(folder.files.map(\.name) == ["a.tar!a"])
    #expect(folder.problem?.hasPrefix("offset 2048: bytes behind the archive's end") == true)
  }

  /// What stands before the cut is whole, and nothing is there of what the cut goes through.
  @Test(arguments: [1, 512, 4096]) func aCutArchiveKeepsWhatIsWhole(chunk: Int) throws {
    let files = [("a", 0), ("b/c", 1500), ("d", 512), ("e", 3), ("f", 2000)]
    var (bytes, ends) = ([UInt8](), [(String, Int)]())
    for (name, size) in files {
      bytes += pax("path", "\(name).bin")
      bytes += member("x", [UInt8](repeating: 7, count: size))
      ends.append(("a.tar!\(name).bin", bytes.count - (512 - size % 512) % 512))
    }
    let whole = bytes.count
    bytes += end
    for cut in stride(from: 0, through: bytes.count, by: 97) {
      let folder = try unpack(Array(bytes[..<cut]), chunk: chunk)
      #expect(folder.files.map(\.name) == ends.filter { $0.1 <= cut }.map(\.0), "cut at \(cut)")
      #expect(try contents(folder).values.allSatisfy { $0.allSatisfy { $0 == 7 } })
      #expect((folder.problem == nil) == (cut >= whole + 512), "cut at \(cut)")
      if let problem = folder.problem {
        #expect(problem.hasPrefix("offset ") && problem.contains("; expected "), "\(problem)")
      }
    }
  }

  @Test(arguments: [UInt64(1), 2, 3]) func noByteOfAnArchiveMakesItFail(seed: UInt64) throws {
    let bytes = pax("path", "long.bin") + tar(("a", "12345"), ("b/c", "1"))
    for place in stride(from: 0, to: bytes.count, by: 7) {
      var damaged = bytes
      damaged[place] ^= UInt8(truncatingIfNeeded: seed &* 0x5b &+ UInt64(place))
      let folder = try unpack(damaged)
      #expect(folder.files.count <= 3 && folder.files.allSatisfy { $0.path.hasPrefix(folder.path) })
    }
  }

  @Test(.enabled(if: CommandRun.machineHas("gzip"))) func aDamagedGzipFileKeepsWhatIsWhole() throws
  {
    try Data(tar(("a", "1"), ("b", "2"))).write(to: URL(fileURLWithPath: scratch.path("a.tar")))
    try run("gzip", "a.tar")
    let whole = try bytes("a.tar.gz")
    try Data(whole.dropLast(4)).write(to: URL(fileURLWithPath: scratch.path("cut.tar.gz")))
    let (input, _) = try ByteInput.recognize(
      scratch.path("cut.tar.gz"), tracectl.Progress("reading", isQuiet: true), archives: true)
    let folder = try TarFolder(input)
    #expect(folder.files.count == 2)
    #expect(folder.problem?.contains("its compressed data is truncated") == true)
  }

  // MARK: Other commands

  @Test(.enabled(if: CommandRun.machineHas("gzip"))) func otherCommandsSayThatItIsAnArchive() throws
  {
    try Data(tar(("BZh.bin", "1"))).write(to: URL(fileURLWithPath: scratch.path("a.tar")))
    try run("gzip", "-k", "a.tar")
    for name in ["a.tar", "a.tar.gz"] {
      let run = try CommandRun(["analyze", name], in: scratch.url)
      #expect(run.status == 3)
      #expect(run.errors.contains("\(name): is a tar archive; tracectl query"), "\(run.errors)")
    }
  }
}
