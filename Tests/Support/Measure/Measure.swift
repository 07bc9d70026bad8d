import Foundation
import Tidy

/// Prints how large the files and functions of a working copy are.
@main struct Measure {
  static func main() throws {
    let path = CommandLine.arguments.dropFirst().first ?? "."
    let tree = try SourceTree(root: URL(fileURLWithPath: path))
    for folder in ["Sources", "Tests"] { print("\(folder)\n\(TreeMeasure(tree, folder))\n") }
    print("Lines of tests for each line of source\n\(TestRatio(tree))")
  }
}
