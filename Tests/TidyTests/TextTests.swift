import Foundation
import Testing
import Tidy

/// What stands in the files of the tree, whatever it is about.
@Suite struct TextTests {
  /// Files whose bytes are what they are about.
  private static func isCapture(_ file: SourceFile) -> Bool {
    ["log", "txt", "trace", "json"].contains(file.ending)
  }

  @Test func blanksAreNoTabsAndEndNoLine() throws {
    for file in try Tree.files where !Self.isCapture(file) {
      for (index, line) in file.lines.enumerated() {
        if line.contains("\t") {
          Tree.complain(file, index + 1, "write blanks in place of the tab")
        }
        if line.hasSuffix(" ") && !file.isText[index] {
          Tree.complain(file, index + 1, "take away the blanks at the end of the line")
        }
      }
    }
  }

  @Test func whatIsLeftToDoIsSaid() throws {
    let marks = ["TO" + "DO", "FIX" + "ME"]
    for file in try Tree.files where !Self.isCapture(file) {
      for (index, line) in file.lines.enumerated() {
        guard let mark = marks.lazy.compactMap({ line.range(of: $0) }).first else { continue }
        let rest = line[mark.upperBound...]
        if !rest.hasPrefix(": ") || rest.count < 12 {
          Tree.complain(file, index + 1, "say behind the mark, after a colon, what is left to do")
        }
      }
    }
  }

  /// What is true on one machine alone has no place in a text for all.
  @Test func noTextSpeaksOfOneMachine() throws {
    let places = ["/wo" + "rk/", "/ho" + "me/", "/ro" + "ot/", "/Us" + "ers/"]
    for file in try Tree.files where !Self.isCapture(file) && !file.path.contains("TraceSources") {
      for (index, line) in file.lines.enumerated() {
        let isDocument = file.ending == "md" || line.withoutIndent.hasPrefix("//")
        let mustNot = places + (isDocument ? ["/tm" + "p/"] : [])
        for place in mustNot where line.contains(place) {
          Tree.complain(
            file, index + 1, "this is a path of one machine: \(place); name no such place")
        }
      }
    }
  }

  /// A paragraph of a document can be read in an editor, and its changes in a diff.
  @Test func linesOfDocumentsAreShort() throws {
    let longest = 240
    for file in try Tree.files where file.ending == "md" && !Self.isGenerated(file) {
      var isQuoted = false
      for (index, line) in file.lines.enumerated() {
        if line.hasPrefix("```") { isQuoted.toggle() }
        let isTable = line.withoutIndent.hasPrefix("|")
        if !isQuoted && !isTable && line.count > longest {
          Tree.complain(
            file, index + 1, "the line has \(line.count) characters; break it at \(longest)")
        }
      }
    }
  }

  private static func isGenerated(_ file: SourceFile) -> Bool {
    file.path.hasPrefix("docs/reference/rules/")
  }

  @Test func everyDocumentHasATitle() throws {
    for file in try Tree.files where file.ending == "md" && !file.path.contains(".github/") {
      if file.lines.first?.hasPrefix("# ") != true {
        Tree.complain(file, 1, "begin with a title, as # Title")
      }
    }
  }
}
