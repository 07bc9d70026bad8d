import LifecycleModel
import Platform

/// What a drain asks a ring before it waits.
extension RingReader {
  /// Whether some lane is at least half full, or has refused events.
  package var isUrgent: Bool {
    let half = UInt64(ring.size.capacity / 2)
    return zip(positions, counts).contains { position, count in
      !position.isDamaged
        && (count.head &- position.tail > half || count.refused != position.refused)
    }
  }

  /// Whether there is something that was not read: events, or some that were refused.
  package var hasNews: Bool {
    ring.load(RingFormat.Header.homeless) > homelessTold
      || zip(positions, counts).contains { position, count in
        !position.isDamaged && count != (position.tail, position.refused)
      }
  }

  /// How much each lane has got and refused: what changes when a fact is stated, and only then.
  package var marks: [UInt64] {
    counts.flatMap { [$0.head, $0.refused] } + [ring.load(RingFormat.Header.homeless)]
  }

  /// Has the writers ring when a lane is half full; with `any`, at the next event of each.
  ///
  /// False when there is no need to wait: since `marks` were taken there was an event that counts for that.
  package func awaitBell(any: Bool, since marks: [UInt64]) -> Bool {
    ring.bell.ask(for: any ? .anyEvent : .halfFull)
    for lane in positions.indices {
      let place = (ring.lane(lane) + RingFormat.Lane.alarm).assumingMemoryBound(to: UInt64.self)
      let half = positions[lane].tail &+ UInt64(ring.size.capacity / 2)
      let alarm = platform_load_relaxed(place)
      // A page that is not changed is not written to the disk. What the thread has set meanwhile stays: it rings, or
      // has an event to refuse.
      if any ? alarm != 0 : alarm > half {
        _ = platform_compare_exchange(place, alarm, any ? 0 : half)
      }
    }
    platform_fence()
    return any ? self.marks == marks : !isUrgent
  }

  /// Has no writer ring: there is nothing that it could be waited for.
  package func ignoreBell() { ring.bell.ask(for: .nothing) }

  /// Lets threads take the lanes of those that are gone, as far as nothing of them is left.
  package func freeLanes() {
    for lane in positions.indices { freeIfGivenBack(lane, ring.lane(lane)) }
  }
}
