import ArgumentParser
import LifecycleModel
import Platform
import TraceConfiguration
import TraceReport

/// A moment that an option names: an instant of the log, such as `4.2s` or `1h 2min 3s`, or the time of
/// a clock on the wall, such as `17:30:31` or `2026-11-22T17:30:31.5`.
struct MomentArgument: ExpressibleByArgument {
  private enum Form {
    case instant(Instant)
    /// Nanoseconds since 1970, in universal time.
    case wall(Int64)
    /// Nanoseconds since midnight, in universal time.
    case timeOfDay(Int64)
  }

  private static let dayLength: Int64 = 86_400_000_000_000

  let text: String
  private let form: Form?

  init(argument: String) {
    text = argument
    let length = InstantText.parse(ArraySlice(argument.utf8)) ?? MomentArgument.length(argument)
    if let nanoseconds = length {
      form = .instant(Instant(nanoseconds: nanoseconds))
    } else if let time = MomentArgument.time(argument[...]) {
      form = .timeOfDay(time)
    } else if let match = argument.wholeMatch(of: /(\d{4}-\d{2}-\d{2})[T ]([0-9:.]+)Z?/),
      let midnight = MomentArgument.midnight(String(match.1)),
      let time = MomentArgument.time(match.2)
    {
      form = .wall(midnight + time)
    } else {
      form = nil
    }
  }

  /// Whether the text is a moment.
  var isValid: Bool { form != nil }

  /// Throws for a text that is no moment.
  func check(_ option: String) throws {
    if form != nil { return }
    throw ValidationError(
      "\(option) takes a time such as 4.2s, 12ms, 7us, 30ns or 1h2min, or a wall-clock time such as "
        + "17:30:31 or 2026-11-22T17:30:31, not \(text)\(near)")
  }

  /// The question whether seconds are meant, where a number stands alone.
  var near: String { Double(text).map { _ in "; did you mean \(text)s?" } ?? "" }

  /// The instant, when it needs no wall clock.
  var plainInstant: Instant? {
    if case .instant(let instant)? = form { instant } else { nil }
  }

  /// The instant in a log that has this clock.
  ///
  /// A time without a day is the first one at or after the origin.
  func instant(by clock: WallClock?, _ option: String) throws -> Instant {
    if let plainInstant { return plainInstant }
    guard let clock else {
      throw CommandError.usage(
        "\(option) \(text): the log does not state its wall-clock start; give a time such as 4.2s"
      )
    }

    if case .wall? = form, !clock.isDated {
      throw CommandError.usage(
        """
        \(option) \(text): the log has times of day but no date; give only the time, such as \
        17:30:31
        """
      )
    }

    let origin = clock.origin
    switch form {
    case .wall(let wall)?:
      let (since, overflow) = wall.subtractingReportingOverflow(origin)
      return overflow ? (origin < 0 ? .distantFuture : .distantPast) : Instant(nanoseconds: since)
    case .timeOfDay(let time)?:
      let sinceMidnight = (origin % Self.dayLength + Self.dayLength) % Self.dayLength
      let wait = time - sinceMidnight
      return Instant(nanoseconds: wait < 0 ? wait + Self.dayLength : wait)
    case .instant?, nil: return .origin
    }
  }

  /// When a day such as `2026-11-21` begins, since 1970; `nil` for another text, a day that there is
  /// not, or one beyond the year 2200.
  private static func midnight(_ text: String) -> Int64? {
    guard let date = CalendarDay(text), (1970...2200).contains(date.year) else { return nil }
    var parts = tm()
    (parts.tm_year, parts.tm_mon) = (Int32(date.year - 1900), Int32(date.month - 1))
    parts.tm_mday = Int32(date.day)
    return Int64(timegm(&parts)) * 1_000_000_000
  }

  /// The nanoseconds of hours, minutes and seconds as reports print them, such as `1h 2min 3s`; `nil`
  /// for another text.
  private static func length(_ text: String) -> Int64? {
    let parts =
      /(?:(\d{1,6})d ?)?(?:(\d{1,6})h ?)?(?:(\d{1,6})(?:min|m) ?)?(\d{1,6}(?:\.\d{1,9})?s)?/
    guard !text.isEmpty, let match = text.wholeMatch(of: parts) else { return nil }
    func count(_ part: Substring?) -> Int64 { part.flatMap { Int64($0) } ?? 0 }
    let minutes = (count(match.1) * 24 + count(match.2)) * 60 + count(match.3)
    let seconds = match.4.flatMap { InstantText.parse(ArraySlice($0.utf8)) } ?? 0
    let (whole, isTooLong) = minutes.multipliedReportingOverflow(by: 60_000_000_000)
    let (sum, isBeyond) = whole.addingReportingOverflow(seconds)
    return isTooLong || isBeyond ? nil : sum
  }

  /// Nanoseconds since midnight of `17:30`, `17:30:31` or `17:30:31.25`.
  private static func time(_ text: Substring) -> Int64? {
    guard let match = text.wholeMatch(of: /(\d{1,2}):(\d{2})(?::(\d{2})(?:\.(\d{1,9}))?)?/),
      let hour = Int64(match.1), let minute = Int64(match.2), hour < 24, minute < 60
    else { return nil }
    let second = match.3.flatMap { Int64($0) } ?? 0
    let digits = match.4.map { $0 + String(repeating: "0", count: 9 - $0.count) } ?? "0"
    guard second < 60, let fraction = Int64(digits) else { return nil }
    return (hour * 3600 + minute * 60 + second) * 1_000_000_000 + fraction
  }
}
