import TraceReport

/// How large a log is, and what its limits left of it.
enum KeptText {
  /// `2048 bytes`, or `2048 bytes, which hold the last 90 events` of more.
  static func of(_ kept: (events: UInt64, bytes: Int), outOf events: UInt64) -> String {
    let last = ", which hold the last \(CountText.of(kept.events, "event"))"
    return "\(kept.bytes) bytes" + (kept.events < events ? last : "")
  }
}
