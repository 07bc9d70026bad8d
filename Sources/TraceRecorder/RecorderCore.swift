import CRecorder
import LifecycleModel
import TraceLog

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// What all threads of a recording app share; it lives as long as the process.
///
/// Threads read it without a lock: it does not change after it was made, but for the words, which
/// have their own rules.
@usableFromInline
struct RecorderCore {
  @usableFromInline let usesTicks: Bool
  /// Words of names, by the ordinal of their enumeration's case.
  @usableFromInline let callbacks: UnsafeMutablePointer<UInt64>
  @usableFromInline let notifications: UnsafeMutablePointer<UInt64>
  @usableFromInline let categories: UnsafeMutablePointer<UInt64>
  @usableFromInline let resources: UnsafeMutablePointer<UInt64>
  @usableFromInline let deliveries: UnsafeMutablePointer<UInt64>
  @usableFromInline let sampledValues: UnsafeMutablePointer<UInt64>
  @usableFromInline let words: WordTable
  let ring: Unmanaged<RingMapping>
  /// What a virtual clock shows; `nil` when time is real.
  let virtualNow: UnsafeMutablePointer<UInt64>?

  /// The reading of any clock but the time-stamp counter; a virtual one moves on by it.
  @usableFromInline
  @inline(never)
  static func slowTicks(_ core: UnsafeMutablePointer<RecorderCore>) -> UInt64 {
    guard let now = core.pointee.virtualNow else { return recorder_nanoseconds() }
    defer { now.pointee &+= 1 }
    return now.pointee
  }

  /// Makes the core of this process for `ring`.
  static func make(
    _ mapping: RingMapping, clock virtual: VirtualClock? = nil
  ) -> UnsafeMutablePointer<RecorderCore> {
    let words = WordTable(mapping)
    func table<Family: WellKnown>(_: Family.Type) -> UnsafeMutablePointer<UInt64> {
      .allocate(capacity: Family.allCases.count)
    }
    let core = UnsafeMutablePointer<RecorderCore>.allocate(capacity: 1)
    let clock = mapping.base.load(fromByteOffset: RingFormat.Header.clock, as: UInt32.self)
    core.initialize(
      to: RecorderCore(
        usesTicks: clock == 1, callbacks: table(Callback.self),
        notifications: table(LifecycleNotification.self), categories: table(WorkCategory.self),
        resources: table(Resource.self), deliveries: table(Delivery.self),
        sampledValues: table(SampledValue.self), words: words,
        ring: Unmanaged.passRetained(mapping), virtualNow: virtual?.cell))
    core.pointee.putNames()
    recorder_watch_forks()
    mapping.markAsOwn()
    return core
  }

  /// Puts the names of all families into the ring.
  private func putNames() {
    func fill<Family: WellKnown>(_: Family.Type, _ table: UnsafeMutablePointer<UInt64>) {
      for (ordinal, word) in Family.allCases.enumerated() {
        table[ordinal] = words.word(word.rawValue)
      }
    }
    fill(Callback.self, callbacks)
    fill(LifecycleNotification.self, notifications)
    fill(WorkCategory.self, categories)
    fill(Resource.self, resources)
    fill(Delivery.self, deliveries)
    fill(SampledValue.self, sampledValues)
  }

  /// Begins anew with a ring that was emptied; no thread may be recording.
  func reset() {
    words.removeAll()
    putNames()
  }

  /// The core for the ring that the environment names; `nil` when it names none, or when another
  /// process records into it already.
  static func fromEnvironment() -> UnsafeMutablePointer<RecorderCore>? {
    guard let path = getenv(Recorder.environmentVariable),
      let mapping = try? RingMapping.open(path: String(cString: path), isWritable: true)
    else { return nil }
    let process = mapping.base + RingFormat.Header.process
    let own = UInt64(getpid())
    guard
      recorder_compare_exchange(process.assumingMemoryBound(to: UInt64.self), 0, own) != 0
    else {
      mapping.refuse(process: getpid())
      return nil
    }
    return make(mapping)
  }
}

extension WellKnown {
  /// The place of the case in its declaration.
  ///
  /// Sound because an enumeration without payloads is one byte that numbers its cases in the order in
  /// which they are declared; a test holds every case against `allCases`.
  @inlinable
  @inline(__always)
  var ordinal: Int { Int(unsafeBitCast(self, to: UInt8.self)) }
}
