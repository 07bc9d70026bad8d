import Platform

/// The parts of a path.
package enum PathText {
  /// The last part; empty when there is none.
  static func name(_ path: String) -> String {
    path.split(separator: "/").last.map(String.init) ?? ""
  }

  /// All parts but the last; empty when a relative path has one part.
  static func folder(_ path: String) -> String {
    let parts = path.split(separator: "/").dropLast()
    return (path.hasPrefix("/") ? "/" : "") + parts.joined(separator: "/")
  }

  /// The path of something in a folder; an empty folder is this directory.
  static func join(_ folder: String, _ name: String) -> String {
    folder.isEmpty || folder.hasSuffix("/") ? folder + name : "\(folder)/\(name)"
  }

  /// The path from the root, without `.` and `..`; links stay.
  package static func absolute(_ path: String) -> String {
    var whole = path
    if !path.hasPrefix("/"), let here = getcwd(nil, 0) {
      defer { free(here) }
      whole = join(String(cString: here), path)
    }
    var parts: [Substring] = []
    for part in whole.split(separator: "/") where part != "." {
      if part == ".." { _ = parts.popLast() } else { parts.append(part) }
    }
    return "/" + parts.joined(separator: "/")
  }

  /// Whether there is a file or a folder; a link to nothing is none.
  static func exists(_ path: String) -> Bool { access(path, F_OK) == 0 }
}
