import Foundation
import Testing

@testable import TraceReport

/// The picture of a page in the documents is made of what lies in the tree.
@Suite struct PagePictureTests {
  private static let root = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent()

  private func bytes(_ path: String) throws -> [UInt8] {
    try Array(Data(contentsOf: Self.root.appendingPathComponent(path)))
  }

  @Test func thePictureIsNotStale() throws {
    let list = String(decoding: try bytes("docs/images/page.inputs"), as: UTF8.self)
    let inputs = list.split(separator: "\n").map { $0.components(separatedBy: "  ") }
    let scripts = try FileManager.default
      .contentsOfDirectory(atPath: Self.root.appendingPathComponent("Sources/CPage").path)
      .filter { $0.hasSuffix(".js") || $0 == "page.css" }.map { "Sources/CPage/\($0)" }

    let named = Set(inputs.map { $0[1] })
    #expect(named == Set(scripts + ["samples/traces/slow-background.trace"]))
    for input in inputs {
      let hash = SHA256.hash(try bytes(input[1])).map {
        ($0 < 16 ? "0" : "") + String($0, radix: 16)
      }.joined()
      #expect(
        hash == input[0],
        "\(input[1]) has changed: run Tests/Support/Page/picture .build/debug/tracectl")
    }
  }

  @Test func thePictureIsSmall() throws {
    let picture = try bytes("docs/images/page.png")
    #expect(picture.starts(with: [0x89, 0x50, 0x4E, 0x47]))
    #expect(picture.count < 200_000)
  }
}
