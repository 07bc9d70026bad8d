import LifecycleModel

/// Turns the stamps of one input into instants since its first record.
///
/// A stamp without a day lies within half a day of the one before it, so midnight and small
/// inversions need no date; twelve silent hours would be misread. A stamp without a year gets the
/// nearest year. Zones are taken out, so that a zone change is no jump.
struct ConsoleClock {
  private static let dayLength: Nanoseconds = .seconds(86_400)

  /// The day on which the input begins, as days since 1970, when the person said it.
  let firstDay: Int?
  /// How often the clock was set back.
  var stepCount: Int { forward.stepCount }

  /// The wall clock at instant 0, nanoseconds since 1970; `nil` until it is known, and when the
  /// day or the zone is not.
  private(set) var wallOrigin: Nanoseconds?

  /// The time of day at instant 0, since midnight, as the first stamp says it; `nil` until it is known,
  /// when ``wallOrigin`` says more, and where the first record has no stamp.
  private(set) var timeOfDay: Nanoseconds?

  private var origin: Nanoseconds?
  private var previous: Nanoseconds = 0
  private var forward = ForwardClock()

  init(firstDay: Int?) {
    self.firstDay = firstDay
  }

  /// How far a point lies behind the latest record; negative for what is later, 0 for the first record.
  func lag(of point: Nanoseconds) -> Nanoseconds {
    if origin == nil { return 0 }
    return forward.latest.since(Instant(nanoseconds: point).advanced(by: forward.shift))
  }

  /// The instant of the next record, which is stamped so and lies at that ``point(of:)``; the first one is
  /// the origin.
  mutating func instant(of stamp: ConsoleStamp, at point: Nanoseconds) -> Instant {
    let instant = forward.instant(of: Instant(nanoseconds: point))
    previous = point
    guard let origin else {
      origin = point
      wallOrigin = isAbsolute(stamp) ? point : nil
      timeOfDay = isAbsolute(stamp) || stamp == .midnight ? nil : stamp.timeOfDay
      return .origin
    }

    return Instant(nanoseconds: instant.since(Instant(nanoseconds: origin)))
  }

  private func isAbsolute(_ stamp: ConsoleStamp) -> Bool {
    guard stamp.zoneSeconds != nil else { return false }
    if case .known = stamp.day { return true }
    return firstDay != nil
  }

  /// Nanoseconds on an axis that has no zones; its zero is 1970 when the day is known.
  func point(of stamp: ConsoleStamp) -> Nanoseconds {
    let time = stamp.timeOfDay - .seconds(Int64(stamp.zoneSeconds ?? 0))
    switch stamp.day {
    case .known(let day):
      return Int64(day) * Self.dayLength + time
    case .unknown:
      guard origin != nil else { return Int64(firstDay ?? 0) * Self.dayLength + time }
      return nearest(time, period: Self.dayLength)
    case .ofAnyYear(let month, let day):
      return nearestYear(month: month, day: day) + time
    }
  }

  /// The point nearest to the last record that is `time` plus whole periods.
  private func nearest(_ time: Nanoseconds, period: Nanoseconds) -> Nanoseconds {
    var remainder = (time &- previous) % period
    if remainder > period / 2 { remainder -= period }
    if remainder < -period / 2 { remainder += period }
    return previous.adding(remainder)
  }

  private func nearestYear(month: Int, day: Int) -> Nanoseconds {
    func point(_ year: Int) -> Nanoseconds {
      Int64(ConsoleStamp.days(year: year, month: month, day: day)) * Self.dayLength
    }
    guard origin != nil else { return point(firstYear) }
    let guess = 1970 + Int(previous / Self.dayLength * 400 / 146_097)
    // Nanoseconds since 1970 end in the year 2262.
    let year = min(max(guess, 1971), 2199)
    let candidates = [point(year - 1), point(year), point(year + 1)]
    return candidates.min { abs($0 - previous) < abs($1 - previous) } ?? point(year)
  }

  /// The year of the given day; without one a leap year, so that February 29 exists.
  private var firstYear: Int {
    guard let firstDay else { return 2000 }
    let guess = 1970 + firstDay * 400 / 146_097
    return ConsoleStamp.days(year: guess + 1, month: 1, day: 1) <= firstDay ? guess + 1 : guess
  }
}
