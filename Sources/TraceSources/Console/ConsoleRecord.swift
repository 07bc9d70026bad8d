import LifecycleModel

/// What a console tool printed as one message, whatever its framing.
struct ConsoleRecord {
  /// The line on which it begins, from 1.
  var line: Int
  /// When.
  var stamp: ConsoleStamp
  /// The name of the process that printed it.
  var process: String
  /// The number of that process, where the framing prints it.
  var pid: Int32?
  /// The thread that printed it, where the framing prints it.
  var thread: UInt64?
  /// The subsystem or the library that printed it, where the framing prints it.
  var subsystem: String?
  /// How grave it is, in the words of the tool, which may be localized.
  var level: String?
  /// The message: in a multi-line record all lines, joined by LF.
  var message: ArraySlice<UInt8>
}

extension ArraySlice<UInt8> {
  /// The bytes as text, with what is not UTF-8 replaced.
  var text: String { String(decoding: self, as: UTF8.self) }

  /// Where `needle` lies for the first time.
  ///
  /// Cost: linear but for pathological input.
  func firstRange(of needle: [UInt8]) -> Range<Int>? {
    guard let first = needle.first, count >= needle.count else { return nil }
    return withUnsafeBufferPointer { hay -> Range<Int>? in
      let last = hay.count - needle.count
      var at = 0
      while at <= last {
        if hay[at] == first {
          var matched = 1
          while matched < needle.count, hay[at + matched] == needle[matched] { matched += 1 }
          if matched == needle.count {
            return startIndex + at..<startIndex + at + needle.count
          }
        }
        at += 1
      }
      return nil
    }
  }

  /// The bytes after `prefix`; `nil` when they do not begin with it.
  func dropping(prefix: [UInt8]) -> ArraySlice<UInt8>? {
    starts(with: prefix) ? dropFirst(prefix.count) : nil
  }

  /// The bytes after `prefix`; `nil` when they do not begin with it.
  func dropping(prefix: String) -> ArraySlice<UInt8>? {
    starts(with: prefix.utf8) ? dropFirst(prefix.utf8.count) : nil
  }
}
