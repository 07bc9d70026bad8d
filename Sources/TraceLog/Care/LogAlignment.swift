import LifecycleModel

/// How far the instants of several logs lie apart.
package struct LogAlignment {
  /// What a log says of its time.
  package struct Clock: Hashable, Sendable {
    /// Which log it is, and when it begins; `nil` of text, whose source knows the wall clock at best.
    package var identity: LogIdentity?
    /// The wall clock at instant 0; `nil` when it is not known.
    package var wall: Int64?

    package init(_ identity: LogIdentity?, wall: Int64?) {
      (self.identity, self.wall) = (identity, wall)
    }

    /// Whether both are of one log: of slices, parts or copies of it.
    package func isSameLog(as other: Clock) -> Bool {
      identity != nil && identity?.logID == other.identity?.logID
    }

    /// The monotonic clock at instant 0, where both were recorded in one boot of a machine.
    fileprivate func monotonic(with other: Clock) -> Nanoseconds? {
      guard let identity, let known = other.identity, identity.bootID == known.bootID,
        identity.bootID.contains(where: { $0 != 0 }), identity.originMonotonic != 0,
        known.originMonotonic != 0
      else { return nil }
      return identity.originMonotonic
    }
  }

  /// By what two logs were aligned.
  package enum Means: String, Sendable {
    /// They are parts of one log.
    case log
    /// The monotonic clock of one boot of a machine: exact.
    case boot
    /// The wall clocks at their beginnings: as exact as these were set.
    case wall
    /// Somebody says that they count from the same moment.
    case said
  }

  /// A log that has no clock in common with those before it.
  package struct Refusal: Error {
    /// Its place among the logs.
    package var index: Int
  }

  /// What is added to the instants of each log, so that all count from the earliest origin.
  package let shifts: [Nanoseconds]
  /// By what each log was aligned, and with which; `nil` of the first.
  package let means: [(means: Means, other: Int)?]
  /// The log from whose origin all count.
  package let reference: Int

  /// Aligns logs with these clocks; with `isSameOrigin` logs that say nothing count from the same moment.
  package init(_ clocks: [Clock], isSameOrigin: Bool = false) throws(Refusal) {
    var shifts: [Nanoseconds] = []
    var means: [(means: Means, other: Int)?] = []
    for (index, clock) in clocks.enumerated() {
      guard index > 0 else {
        (shifts, means) = ([0], [nil])
        continue
      }

      guard let found = LogAlignment.best(clock, clocks[..<index]) else {
        guard isSameOrigin else { throw Refusal(index: index) }
        shifts.append(shifts[0])
        means.append((.said, 0))
        continue
      }
      shifts.append(shifts[found.other].adding(found.shift))
      means.append((found.means, found.other))
    }

    let earliest = shifts.min() ?? 0
    reference = shifts.firstIndex(of: earliest) ?? 0
    self.shifts = shifts.map { $0 &- earliest }
    self.means = means
  }

  /// The log by which another one is aligned best.
  private static func best(
    _ clock: Clock, _ others: ArraySlice<Clock>
  ) -> (means: Means, other: Int, shift: Nanoseconds)? {
    if let other = others.firstIndex(where: clock.isSameLog) { return (.log, other, 0) }
    for (index, other) in others.enumerated() {
      guard let own = clock.monotonic(with: other), let known = other.monotonic(with: clock) else {
        continue
      }
      return (.boot, index, own &- known)
    }
    for (index, other) in others.enumerated() {
      if let own = clock.wall, let known = other.wall { return (.wall, index, own &- known) }
    }
    return nil
  }
}
