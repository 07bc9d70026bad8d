#if canImport(UIKit) && !os(watchOS)
  import Foundation
  import TraceLog

  /// The mark of the copy of the library that traces this process.
  ///
  /// Linked into the app and into a framework of it, the library has two copies, each with statics of its own.
  /// Foundation has one, whose dictionary of the main thread, the current one here, both see.
  @MainActor
  struct TracingMark {
    private static let key = "dev.tracectl.tracing"
    /// The mark of this copy.
    static let own = TracingMark()

    private let copy = UUID().uuidString

    /// Marks the process as traced into `log`.
    ///
    /// It throws ``LogError/inUseHere(path:)`` with the log of another copy that traces it.
    func take(_ log: String) throws {
      let marks = Thread.current.threadDictionary
      if let other = marks[TracingMark.key] as? [String], other[0] != copy {
        throw LogError.inUseHere(path: other[1])
      }
      marks[TracingMark.key] = [copy, log]
    }

    /// Takes the mark away, if it is this copy's.
    func remove() {
      let marks = Thread.current.threadDictionary
      guard let mark = marks[TracingMark.key] as? [String], mark[0] == copy else { return }
      marks.removeObject(forKey: TracingMark.key)
    }
  }
#endif
