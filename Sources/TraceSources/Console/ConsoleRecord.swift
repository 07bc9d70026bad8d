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
  /// The message: in a multi-line record all lines, joined by LF.
  var message: ArraySlice<UInt8>
}
