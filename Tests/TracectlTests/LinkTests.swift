import Foundation
import Testing

/// Links between documents lead somewhere; `tools/docs` checks those between symbols.
@Suite struct LinkTests {
  @Test func everyDocumentIsRead() {
    let paths = Set(MarkdownFile.all.map(\.path))
    #expect(
      paths.isSuperset(of: ["README.md", "CONTRIBUTING.md", "docs/reference/rules/README.md"]))
    #expect(MarkdownFile.all.reduce(0) { $0 + $1.links.count } > 200)
  }

  @Test func everyRelativeLinkLeadsToAFileAndAHeading() throws {
    let files = Dictionary(uniqueKeysWithValues: MarkdownFile.all.map { ($0.path, $0) })
    for file in MarkdownFile.all {
      for link in file.links where !link.target.contains("://") {
        let parts = link.target.split(
          separator: "#", maxSplits: 1, omittingEmptySubsequences: false)
        let target = parts[0].isEmpty ? file.path : resolve(String(parts[0]), from: file.path)
        let place = CommandRun.root.appendingPathComponent(target).path
        #expect(
          FileManager.default.fileExists(atPath: place),
          "\(file.path):\(link.line): there is no \(target)")
        if parts.count == 2, let page = files[target] {
          #expect(
            page.anchors.contains(String(parts[1])),
            "\(file.path):\(link.line): \(target) has no heading #\(parts[1])")
        }
      }
    }
  }

  @Test func everyArticleLinkLeadsToAnArticle() {
    for file in MarkdownFile.all {
      for link in file.articleLinks {
        let article = resolve("\(link.target).md", from: file.path)
        #expect(
          MarkdownFile.all.contains { $0.path == article },
          "\(file.path):\(link.line): there is no article \(link.target)")
      }
    }
  }

  @Test func everySourceFileThatADocumentNamesIsThere() throws {
    for file in MarkdownFile.all {
      // `Name` stands for a name that somebody will choose.
      for path in file.sourcePaths where !path.contains("/Name") {
        let place = CommandRun.root.appendingPathComponent(path).path
        #expect(FileManager.default.fileExists(atPath: place), "\(file.path): there is no \(path)")
      }
    }
  }

  @Test func everyDocumentCanBeReachedFromTheReadme() {
    var reached: Set<String> = ["README.md"]
    var waiting = ["README.md"]
    while let path = waiting.popLast() {
      for link in MarkdownFile.all.first(where: { $0.path == path })?.links ?? [] {
        let target = resolve(String(link.target.prefix { $0 != "#" }), from: path)
        if reached.insert(target).inserted { waiting.append(target) }
      }
    }
    let documents = MarkdownFile.all.map(\.path).filter { $0.hasPrefix("docs/") }
    #expect(documents.filter { !reached.contains($0) } == [])
  }

  /// The path from the package's root that a link in the file at `path` names.
  private func resolve(_ target: String, from path: String) -> String {
    var parts = path.split(separator: "/").dropLast().map(String.init)
    for part in target.split(separator: "/") where part != "." {
      if part == ".." { _ = parts.popLast() } else { parts.append(String(part)) }
    }
    return parts.joined(separator: "/")
  }
}
