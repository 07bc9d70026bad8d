import LifecycleModel

/// The last long text and the last list of attributes that were printed, as they were printed: a trace
/// may say the same thousands of times.
final class PrintedTexts {
  private var text = ""
  private var textBytes: [UInt8] = []
  private var list: [Attribute] = []
  private var listBytes: [UInt8] = []

  /// Below this size a text is printed faster than it is remembered.
  private static let longText = 256

  /// Appends what `print` makes of `text`, which is asked once for a long text that comes again.
  func append(
    _ text: String, to bytes: inout [UInt8], _ print: (String, inout [UInt8]) -> Void
  ) {
    guard text.utf8.count >= PrintedTexts.longText else { return print(text, &bytes) }
    if text != self.text {
      textBytes.removeAll(keepingCapacity: true)
      print(text, &textBytes)
      self.text = text
    }
    bytes.append(contentsOf: textBytes)
  }

  /// Appends what `print` makes of `list`, which is asked once for a list that comes again.
  func append(
    _ list: [Attribute], to bytes: inout [UInt8], _ print: ([Attribute], inout [UInt8]) -> Void
  ) {
    // Lists of one vocabulary share their memory, so that this compares two addresses.
    if list != self.list {
      listBytes.removeAll(keepingCapacity: true)
      print(list, &listBytes)
      self.list = list
    }
    bytes.append(contentsOf: listBytes)
  }
}
