import Foundation
import Testing

/// The picture of a page in the documents is made of what lies in the tree.
@Suite struct PagePictureTests {
  private func bytes(_ path: String) throws -> [UInt8] {
    try Array(Data(contentsOf: CommandRun.root.appendingPathComponent(path)))
  }

  @Test(.enabled(if: CommandRun.machineHas("sha256sum"))) func thePictureIsNotStale() throws {
    let list = String(decoding: try bytes("docs/images/page.inputs"), as: UTF8.self)
    let inputs = list.split(separator: "\n").map { $0.components(separatedBy: "  ") }
    let scripts = try FileManager.default
      .contentsOfDirectory(atPath: CommandRun.root.appendingPathComponent("Sources/CPage").path)
      .filter { $0.hasSuffix(".js") || ["page.css", "page.html"].contains($0) }.map {
        "Sources/CPage/\($0)"
      }

    let named = Set(inputs.map { $0[1] })
    #expect(named == Set(scripts + ["samples/traces/slow-background.trace"]))
    let check = try CommandRun(program: [
      "sha256sum", "--check", "--quiet", "docs/images/page.inputs",
    ])
    #expect(
      check.status == 0,
      "\(check.output): run Tests/Support/Page/picture .build/debug/tracectl")
  }

  @Test func thePictureIsSmall() throws {
    let picture = try bytes("docs/images/page.png")
    #expect(picture.starts(with: [0x89, 0x50, 0x4E, 0x47]))
    #expect(picture.count < 200_000)
  }
}
