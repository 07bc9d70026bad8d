import Platform

/// How far a long work is: bytes, per cent where the length is known, and the rate.
///
/// It shows itself on standard error when that is a terminal, after ``delay``, and takes itself away
/// at the end. It can be advanced on any thread.
final class Progress: Sendable {
  /// Works that are shorter show nothing.
  static let delay: Int64 = 300_000_000
  private static let interval: Int64 = 100_000_000

  private struct State {
    var done = 0
    var total: Int?
    var shownAt: Int64?
  }

  private let isShown: Bool
  private let verb: String
  private let start = Progress.now
  private let state = Lock(State())

  /// Begins work of unknown length, to which `expect(_:)` adds; `verb` says what is done, such as `reading`.
  init(_ verb: String, isQuiet: Bool = false) {
    self.verb = verb
    isShown = Terminal.isErrorTerminal && !isQuiet
  }

  /// Makes the work larger by so many bytes.
  func expect(_ bytes: Int) {
    state.withLock { $0.total = ($0.total ?? 0) + bytes }
  }

  /// So many more bytes are done.
  ///
  /// Cost: a lock and a look at the clock, so it is called for a batch and not for an event.
  func advance(_ bytes: Int) {
    guard isShown else { return }
    let now = Progress.now
    state.withLock { state in
      state.done += bytes
      guard now - start >= Progress.delay, now - (state.shownAt ?? 0) >= Progress.interval else {
        return
      }
      state.shownAt = now
      Terminal.printStatus("\r\(text(state, now))\u{1b}[K")
    }
  }

  /// Takes what is shown away.
  func clear() {
    state.withLock { state in
      if state.shownAt != nil { Terminal.printStatus("\r\u{1b}[K") }
      state.shownAt = nil
    }
  }

  private func text(_ state: State, _ now: Int64) -> String {
    var text = "\(verb): \(Progress.size(state.done))"
    if let total = state.total, total >= state.done, total > 0 {
      text += " of \(Progress.size(total)), \(state.done * 100 / total)%"
    }
    let rate = Double(state.done) * 1e9 / Double(max(1, now - start))
    return text + ", \(Progress.size(Int(rate)))/s"
  }

  /// `850 KB`, `12.3 MB`, `345 MB`: in thousands, as disks are sold.
  private static func size(_ bytes: Int) -> String {
    var (value, unit) = (Double(bytes), "bytes")
    for larger in ["KB", "MB", "GB"] where value >= 1000 {
      (value, unit) = (value / 1000, larger)
    }
    if unit == "bytes" || value >= 100 { return "\(Int(value)) \(unit)" }
    let tenths = Int(value * 10)
    return "\(tenths / 10).\(tenths % 10) \(unit)"
  }

  private static var now: Int64 { Int64(clamping: platform_nanoseconds()) }
}
