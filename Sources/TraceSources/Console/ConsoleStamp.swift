import LifecycleModel
import TraceText

/// When a console line says that it was printed, as far as it says.
struct ConsoleStamp: Hashable {
  /// The day, as the framing prints it.
  enum Day: Hashable {
    /// Only the time of day is printed.
    case unknown
    /// A month and a day without a year.
    case ofAnyYear(month: Int, day: Int)
    /// A whole date, as days since 1970.
    case known(Int)
  }

  /// The day.
  var day: Day
  /// Nanoseconds since midnight, in the zone of the stamp.
  var timeOfDay: Int64
  /// The zone's seconds east of Greenwich; `nil` when no zone is printed.
  var zoneSeconds: Int?
  /// Nanoseconds between two neighbouring stamps: a second, a millisecond, a microsecond.
  var resolution: Int64

  /// The stamp of a message without a time when no other was read before it.
  static let midnight = ConsoleStamp(day: .unknown, timeOfDay: 0, resolution: 1)

  /// Days from 1970 to this date of the Gregorian calendar.
  static func days(year: Int, month: Int, day: Int) -> Int {
    // Years that begin in March put the leap day at their end.
    let year = month <= 2 ? year - 1 : year
    let era = (year >= 0 ? year : year - 399) / 400
    let yearOfEra = year - era * 400
    let dayOfYear = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1
    return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
  }
}

/// Reads the parts of stamps, which every framing composes in its own way.
extension LineScanner {
  /// Takes `count` digits or fails.
  mutating func takeDigits(_ count: Int) -> Int? {
    guard bytes.endIndex - index >= count else { return nil }
    var number = 0
    for position in index..<index + count {
      guard bytes[position].isDigit else { return nil }
      number = number * 10 + Int(bytes[position] - 0x30)
    }
    index += count
    return number
  }

  /// Takes `hh:mm:ss` with or without a fraction.
  mutating func takeTimeOfDay() -> (nanoseconds: Int64, resolution: Int64)? {
    guard let hour = takeDigits(2), hour < 24, take(":"),
      let minute = takeDigits(2), minute < 60, take(":"),
      let second = takeDigits(2), second <= 60
    else { return nil }

    var nanoseconds = Int64((hour * 60 + minute) * 60 + second) * 1_000_000_000
    var resolution: Int64 = 1_000_000_000
    if take(".") {
      let start = index
      while let byte = next, byte.isDigit, resolution > 1 {
        resolution /= 10
        nanoseconds += Int64(byte - 0x30) * resolution
        index += 1
      }
      if index == start { return nil }
    }
    return (nanoseconds, resolution)
  }

  /// Takes `+0900` or `-05:00`, after a blank or at once; `nil` when there is none.
  mutating func takeZone() -> Int? {
    let start = index
    _ = take(" ")
    let isWest = next == "-"
    if take("+") || take("-"), let hours = takeDigits(2), hours <= 23 {
      _ = take(":")
      if let minutes = takeDigits(2), minutes < 60 {
        return (hours * 60 + minutes) * (isWest ? -60 : 60)
      }
    }
    index = start
    return nil
  }

  /// Takes `yyyy-MM-dd`, as days since 1970.
  mutating func takeDate() -> Int? {
    // Nanoseconds since 1970 end in the year 2262.
    guard let year = takeDigits(4), (1970...2200).contains(year), take("-"),
      let month = takeDigits(2), (1...12).contains(month), take("-"),
      let day = takeDigits(2), (1...31).contains(day)
    else { return nil }
    return ConsoleStamp.days(year: year, month: month, day: day)
  }
}
