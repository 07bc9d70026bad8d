import Foundation
import Testing
import Tidy

/// The tree that these tests look at, read once.
enum Tree {
  static let root = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

  static let whole = Result { try SourceTree(root: root) }

  /// All files that people write.
  static var files: [SourceFile] {
    get throws { try whole.get().files }
  }

  /// The files of code.
  static var code: [SourceFile] {
    get throws { try files.filter(\.isCode) }
  }

  /// The files of the test targets, without the programs and tools that tests use.
  static var tests: [SourceFile] {
    get throws {
      try files.filter { file in
        let folders = file.path.split(separator: "/").dropLast()
        return file.ending == "swift"
          && folders.contains { $0.hasSuffix("Tests") && $0 != "Tests" }
      }
    }
  }

  /// Fails, and says where and what to do.
  static func complain(_ file: SourceFile, _ line: Int, _ advice: String) {
    Issue.record("\(file.path):\(line): \(advice)")
  }
}
