import Foundation
import Testing

/// A Markdown file of the package.
struct MarkdownFile: CustomTestStringConvertible, Sendable {
  /// A fenced block.
  struct Block: Sendable {
    /// What stands behind the opening fence, such as `swift`.
    let language: String
    let text: String
    /// The line of the opening fence, from 1.
    let line: Int
  }

  /// A link to another file, or to a heading.
  struct Link: Sendable {
    let target: String
    let line: Int
  }

  /// The path from the root of the package.
  let path: String
  let blocks: [Block]
  let links: [Link]
  /// What links to headings name, as GitHub makes it of their words.
  let anchors: Set<String>
  /// The names of the articles that `<doc:…>` links to.
  let articleLinks: [Link]
  /// The files of sources that it names in its text, such as `Sources/TraceLog/LogReader.swift`.
  let sourcePaths: [String]

  var testDescription: String { path }

  /// Every Markdown file, but for those in folders of tools, such as `.build`.
  static let all: [MarkdownFile] = paths(ending: ".md").compactMap { MarkdownFile(path: $0) }

  /// The paths of the package's files with this ending, from its root, in order.
  static func paths(ending: String) -> [String] {
    let root = CommandRun.root.path
    var found: [String] = []
    var folders = [""]
    while let folder = folders.popLast() {
      let names = (try? FileManager.default.contentsOfDirectory(atPath: "\(root)/\(folder)")) ?? []
      for name in names where name == ".github" || !name.hasPrefix(".") {
        let path = folder.isEmpty ? name : "\(folder)/\(name)"
        var isFolder: ObjCBool = false
        let isThere = FileManager.default.fileExists(
          atPath: "\(root)/\(path)", isDirectory: &isFolder)
        if isThere && isFolder.boolValue {
          folders.append(path)
        } else if name.hasSuffix(ending) {
          found.append(path)
        }
      }
    }
    return found.sorted()
  }

  init?(path: String) {
    let file = CommandRun.root.appendingPathComponent(path)
    guard let text = try? String(contentsOf: file, encoding: .utf8) else { return nil }
    var reader = Reader()
    for line in text.components(separatedBy: "\n") { reader.take(line) }

    self.path = path
    (blocks, links, anchors) = (reader.blocks, reader.links, reader.anchors)
    (articleLinks, sourcePaths) = (reader.articleLinks, reader.sourcePaths)
  }

  /// Reads a file line by line.
  private struct Reader {
    var blocks: [Block] = []
    var links: [Link] = []
    var articleLinks: [Link] = []
    var anchors: Set<String> = []
    var sourcePaths: [String] = []
    private var number = 0
    /// The block that is open.
    private var open: (language: String, lines: [String], line: Int)?

    mutating func take(_ line: String) {
      number += 1
      if line.hasPrefix("```") {
        if let block = open {
          let text = block.lines.joined(separator: "\n")
          blocks.append(Block(language: block.language, text: text, line: block.line))
          open = nil
        } else {
          open = (String(line.dropFirst(3)), [], number)
        }
      } else if open != nil {
        open?.lines.append(line)
      } else {
        takeProse(line)
      }
    }

    private mutating func takeProse(_ line: String) {
      if let heading = line.firstMatch(of: /^#{1,6} (.+)$/)?.1 { addAnchor(heading) }
      for match in line.matches(of: /`(Sources\/[A-Za-z\/+.]+\.[a-z]+)`/) {
        sourcePaths.append(String(match.1))
      }

      // What stands between backticks is no link.
      let prose = line.replacing(/`[^`]*`/, with: "")
      for match in prose.matches(of: /\]\(([^)\s]+)\)/) {
        links.append(Link(target: String(match.1), line: number))
      }
      for match in prose.matches(of: /<doc:([^>#]+)[^>]*>/) {
        articleLinks.append(Link(target: String(match.1), line: number))
      }
    }

    private mutating func addAnchor(_ heading: Substring) {
      let kept = heading.lowercased().filter { $0.isLetter || $0.isNumber || " -_".contains($0) }
      let anchor = kept.replacing(" ", with: "-")
      let count = anchors.count { $0 == anchor || $0.wholeMatch(of: /(.+)-\d+/)?.1 == anchor[...] }
      anchors.insert(count == 0 ? anchor : "\(anchor)-\(count)")
    }
  }
}
