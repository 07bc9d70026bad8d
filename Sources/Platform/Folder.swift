/// What a folder contains.
package enum Folder {
  /// The names in a folder in no order, with `.` and `..`, at most `limit` of them; `nil` when it cannot
  /// be opened.
  package static func names(in folder: String, atMost limit: Int = .max) -> [String]? {
    guard let stream = opendir(folder) else { return nil }
    defer { closedir(stream) }
    var names: [String] = []
    let offset = MemoryLayout<dirent>.offset(of: \dirent.d_name) ?? 0
    while names.count < limit, let entry = readdir(stream) {
      let name = UnsafeRawPointer(entry) + offset
      names.append(String(cString: name.assumingMemoryBound(to: CChar.self)))
    }
    return names
  }
}
