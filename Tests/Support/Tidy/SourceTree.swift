import Foundation

/// The files of a working copy that people write.
package struct SourceTree {
  /// All files of text, in the order of their paths.
  package let files: [SourceFile]

  /// Reads the tree at `root`; what tools make is left out.
  package init(root: URL) throws {
    var files: [SourceFile] = []
    try SourceTree.read(root, "", &files)
    self.files = files
  }

  private static let hiddenFolders: Set<String> = [".ci", ".github"]
  private static let endings: Set<String> = [
    "swift", "c", "h", "md", "yml", "yaml", "json", "trace", "log", "txt",
  ]

  private static func read(_ root: URL, _ folder: String, _ files: inout [SourceFile]) throws {
    let manager = FileManager.default
    let place = folder.isEmpty ? root : root.appendingPathComponent(folder)
    for name in try manager.contentsOfDirectory(atPath: place.path).sorted() {
      let path = folder.isEmpty ? name : "\(folder)/\(name)"
      let url = root.appendingPathComponent(path)
      var isFolder: ObjCBool = false
      guard manager.fileExists(atPath: url.path, isDirectory: &isFolder) else { continue }
      if isFolder.boolValue {
        if !name.hasPrefix(".") || hiddenFolders.contains(name) { try read(root, path, &files) }
      } else if isWritten(name, in: folder) {
        files.append(SourceFile(path: path, text: try String(contentsOf: url, encoding: .utf8)))
      }
    }
  }

  private static func isWritten(_ name: String, in folder: String) -> Bool {
    if folder == "tools" || hiddenFolders.contains(folder) { return true }
    guard let ending = name.split(separator: ".").last, !name.hasPrefix(".") else { return false }
    return endings.contains(String(ending)) && name != "Package.resolved"
  }

  /// The files of code in a folder at the root.
  package func code(in folder: String) -> [SourceFile] {
    files.filter { $0.isCode && $0.path.hasPrefix("\(folder)/") }
  }
}
