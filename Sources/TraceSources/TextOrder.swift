import LifecycleModel
import TraceText

/// Finds out whether the lines of a text are in order, before it is read.
///
/// It reads only the instants, which takes a fraction of the time of reading the lines.
public struct TextOrder {
  private let form: TextSource.Form
  private var splitter = LineSplitter()
  private var latest = Instant.distantPast
  private var isOrdered = true

  /// Looks at text in `form`.
  public init(form: TextSource.Form) {
    self.form = form
  }

  /// Takes the next bytes; false once a line is out of order, and the rest makes no difference.
  public mutating func take(_ bytes: ArraySlice<UInt8>) -> Bool {
    let form = form
    var (latest, isOrdered) = (latest, isOrdered)
    splitter.take(bytes) { _, line in
      guard let instant = form.instant(of: line) else { return }
      if instant < latest { isOrdered = false }
      latest = max(latest, instant)
    }
    (self.latest, self.isOrdered) = (latest, isOrdered)
    return isOrdered
  }

  /// How the text has to be read so that each event is in its place.
  public mutating func finish() -> TextSource.Order {
    let (form, latest) = (form, latest)
    var isOrdered = isOrdered
    splitter.finish { _, line in
      if let instant = form.instant(of: line), instant < latest { isOrdered = false }
    }
    return isOrdered ? .inOrder : .nearby
  }
}

extension TextSource.Form {
  /// The instant of a line; `nil` when it has none, or cannot be read.
  fileprivate func instant(of line: LineSplitter.Line) -> Instant? {
    guard case .whole(let bytes) = line else { return nil }
    return switch self {
    case .notation: TraceNotation.instant(ofLine: bytes)
    case .ndjson: NDJSON.instant(ofLine: bytes)
    }
  }
}
