import CSQLite

/// The system's files for SQLite, of which those that a query sorts or gathers in have a limit.
///
/// SQLite itself bounds only memory: a recursion without an end would fill the disk.
enum TemporaryFiles {
  /// At most so many bytes are written to each.
  static let mostBytes: Int64 = 1 << 30
  /// The name by which a connection opens them.
  static let name: String? = register()

  private static let kinds = SQLITE_OPEN_TRANSIENT_DB | SQLITE_OPEN_TEMP_JOURNAL

  /// What SQLite calls for a file, with what the system does for it.
  private struct Methods {
    var limited: sqlite3_io_methods
    let system: UnsafePointer<sqlite3_io_methods>

    static func of(
      _ file: UnsafeMutablePointer<sqlite3_file>?
    ) -> UnsafeMutablePointer<Methods>? {
      file?.pointee.pMethods.map {
        UnsafeMutableRawPointer(mutating: $0).assumingMemoryBound(to: Methods.self)
      }
    }
  }

  private static func register() -> String? {
    let name: StaticString = "limited"
    guard let system = sqlite3_vfs_find(nil) else { return nil }
    // SQLite keeps it for the life of the process.
    let files = UnsafeMutablePointer<sqlite3_vfs>.allocate(capacity: 1)
    files.initialize(to: system.pointee)
    files.pointee.pNext = nil
    files.pointee.zName = UnsafeRawPointer(name.utf8Start).assumingMemoryBound(to: CChar.self)
    files.pointee.xOpen = { _, name, file, kind, opened in
      guard let system = sqlite3_vfs_find(nil), let open = system.pointee.xOpen else {
        return SQLITE_CANTOPEN
      }
      let status = open(system, name, file, kind, opened)
      if status == SQLITE_OK, kind & TemporaryFiles.kinds != 0 { TemporaryFiles.limit(file) }
      return status
    }
    return sqlite3_vfs_register(files, 0) == SQLITE_OK ? "\(name)" : nil
  }

  private static func limit(_ file: UnsafeMutablePointer<sqlite3_file>?) {
    guard let file, let system = file.pointee.pMethods else { return }
    var limited = system.pointee
    limited.xWrite = { file, bytes, count, place in
      guard let methods = Methods.of(file) else { return SQLITE_IOERR }
      if place + Int64(count) > TemporaryFiles.mostBytes { return SQLITE_FULL }
      return methods.pointee.system.pointee.xWrite(file, bytes, count, place)
    }
    limited.xClose = { file in
      guard let file, let methods = Methods.of(file) else { return SQLITE_IOERR }
      let system = methods.pointee.system
      file.pointee.pMethods = system
      methods.deallocate()
      return system.pointee.xClose(file)
    }

    let methods = UnsafeMutablePointer<Methods>.allocate(capacity: 1)
    methods.initialize(to: Methods(limited: limited, system: system))
    file.pointee.pMethods = UnsafeRawPointer(methods).assumingMemoryBound(
      to: sqlite3_io_methods.self)
  }
}
