import LifecycleModel
import TraceText

extension TimeText {
  /// An instant in four digits; what is nearer to the origin than a microsecond is at it.
  package static func instant(_ instant: Instant) -> String {
    instant.nanoseconds.magnitude < 1000 ? "0s" : InstantText.rounded(instant.nanoseconds)
  }

  /// An event in notation, its instant in few digits: `12.6s     main  task.begin    task:1`.
  package static func line(_ notation: String, at instant: Instant) -> String {
    let exact = InstantText.print(instant.nanoseconds)
    guard notation.hasPrefix(exact) else { return notation }
    return pad(self.instant(instant), 10) + notation.dropFirst(exact.count).drop { $0 == " " }
  }
}
