import LifecycleModel
import TraceAnalysis

/// What a log knows of the wall clock, so that reports name the time of day beside the time since the
/// log's origin.
///
/// All times are in universal time, or those of the console whose lines have no date or no zone: the same
/// log gives the same bytes wherever it is read.
public struct WallClock: Hashable, Sendable {
  /// The time at the log's origin, in nanoseconds since 1970; without a date, since midnight.
  public let origin: Nanoseconds
  /// Whether the day is known, and times are universal; else they are those of the clock that stamped
  /// the lines of a console.
  public let isDated: Bool
  /// From here on times are not exact; `nil` when all are.
  ///
  /// The clock of the instants stands still while the device sleeps.
  package private(set) var exactUntil: Nanoseconds?

  /// Makes a clock; `nil` for 0, which stands for an origin that is not known.
  public init?(origin: Nanoseconds?) {
    guard let origin, origin != 0 else { return nil }
    (self.origin, isDated) = (origin, true)
  }

  /// Makes a clock that knows the time of day at the log's origin, since midnight, and no date.
  public init?(timeOfDay: Nanoseconds?) {
    guard let timeOfDay else { return nil }
    (origin, isDated) = (timeOfDay, false)
  }

  /// The same clock for the instants of this analysis.
  func following(_ analysis: Analysis) -> WallClock {
    var clock = self
    if analysis.profile.clock != .wall {
      let all = analysis.milestones.first + analysis.milestones.last
      clock.exactUntil = all.first { $0.kind == .suspended(true) }?.event.instant.nanoseconds
    }
    return clock
  }

  /// What stands above the moments of a day: `2026-11-21 UTC`; without a date `the next day`, or `nil` on
  /// the first.
  package func heading(_ instant: Instant) -> String? {
    if isDated { return day(instant) + " UTC" }
    let days = dayNumber(instant)
    return days == 0 ? nil : days == 1 ? "the next day" : "\(days) days later"
  }

  /// From the first instant to the last: `2026-11-21 08:15:30 to 08:16:02 UTC`, without a date `08:15:30
  /// to 08:16:02 by the console's clock`.
  package func span(_ first: Instant, _ last: Instant) -> String {
    guard isDated else {
      let later = heading(last).map { " \($0)" } ?? ""
      return "\(seconds(first)) to \(seconds(last))\(later) by the console's clock"
    }
    let end = day(first) == day(last) ? seconds(last) : stamp(last)
    return "\(stamp(first)) to \(end) UTC"
  }

  /// `08:15:30`, behind `~` where it is not exact.
  package func seconds(_ instant: Instant) -> String {
    mark(instant) + moment(instant).time
  }

  /// `2026-11-21`.
  package func day(_ instant: Instant) -> String { moment(instant).day }

  /// The days from 1970 to the instant's.
  package func dayNumber(_ instant: Instant) -> Int {
    Int(origin.adding(instant.nanoseconds).dividedRounding(by: 86_400_000_000_000))
  }

  /// `08:15:30.125`, behind `~` where it is not exact.
  package func time(_ instant: Instant) -> String {
    seconds(instant) + moment(instant).thousandths
  }

  /// `2026-11-21 08:15:30`, behind `~` where it is not exact.
  package func stamp(_ instant: Instant) -> String {
    mark(instant) + moment(instant).day + " " + moment(instant).time
  }

  /// The instant as XML schemas write it: `2026-11-21T08:15:30`; `nil` where the day is not known.
  package func timestamp(_ instant: Instant) -> String? {
    isDated ? moment(instant).day + "T" + moment(instant).time : nil
  }

  private func mark(_ instant: Instant) -> String {
    exactUntil.map { instant.nanoseconds > $0 } ?? false ? "~" : ""
  }

  private func moment(_ instant: Instant) -> WallTime {
    WallTime(origin.adding(instant.nanoseconds))
  }
}

extension WallClock: Encodable {
  /// Writes the origin under a name that says whether it has a date.
  public func encode(to encoder: any Encoder) throws {
    let name = isDated ? "origin" : "timeOfDay"
    try encoder.write([name: origin, "exactUntil": exactUntil])
  }
}

/// A moment of the wall clock as text, in universal time.
package struct WallTime {
  /// `2026-11-21`.
  package let day: String
  /// `08:15:30`.
  package let time: String
  /// `.125`.
  let thousandths: String

  init(_ nanoseconds: Int64) {
    let seconds = Int(nanoseconds.dividedRounding(by: 1_000_000_000))
    let days = seconds.dividedRounding(by: 86_400)
    let ofDay = seconds - days * 86_400
    let (year, month, date) = WallTime.civil(days)
    day = "\(year)-\(WallTime.digits(month, 2))-\(WallTime.digits(date, 2))"
    time = [ofDay / 3600, ofDay % 3600 / 60, ofDay % 60].map { WallTime.digits($0, 2) }
      .joined(separator: ":")
    let milliseconds = nanoseconds.dividedRounding(by: 1_000_000) - Int64(seconds) * 1000
    thousandths = "." + WallTime.digits(Int(milliseconds), 3)
  }

  /// `2026-11-21 08:15:30 UTC` of nanoseconds since 1970.
  package static func text(_ nanoseconds: Int64) -> String {
    let time = WallTime(nanoseconds)
    return "\(time.day) \(time.time) UTC"
  }

  /// `2026-11-21` of the days since 1970.
  package static func day(_ number: Int) -> String {
    WallTime(Int64(number) * 86_400_000_000_000).day
  }

  private static func digits(_ number: Int, _ count: Int) -> String {
    pad(left: count, with: "0", String(number))
  }

  /// The Gregorian date of a day since 1970.
  private static func civil(_ day: Int) -> (year: Int, month: Int, day: Int) {
    // Counted from 1 March of year 0, so that a leap day ends its year.
    let shifted = day + 719_468
    let era = shifted.dividedRounding(by: 146_097)
    let ofEra = shifted - era * 146_097
    let yearOfEra = (ofEra - ofEra / 1460 + ofEra / 36_524 - ofEra / 146_096) / 365
    let ofYear = ofEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let shiftedMonth = (5 * ofYear + 2) / 153
    let month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9
    let year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
    return (year, month, ofYear - (153 * shiftedMonth + 2) / 5 + 1)
  }
}

extension BinaryInteger {
  /// The quotient, rounded down also when it is negative.
  package func dividedRounding(by divisor: Self) -> Self {
    let (quotient, remainder) = quotientAndRemainder(dividingBy: divisor)
    return remainder < 0 ? quotient - 1 : quotient
  }
}
