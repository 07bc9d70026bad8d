import TraceText

extension EventReference {
  /// Why there is no such event, given the writer's last sequence.
  func missing(last: UInt64) -> CommandError {
    .usage(
      "there is no event \(text); "
        + (last == 0
          ? "\(InertText.word(writer)) recorded nothing"
          : "\(InertText.word(writer)) has events up to #\(last)"))
  }
}
