extension [UInt8] {
  /// Takes all bytes out, and their memory with them.
  ///
  /// To remove them while the caller has them would make room for as many again, and for a page more each time.
  package mutating func takeAll() -> [UInt8] {
    defer { self = [] }
    return self
  }
}
