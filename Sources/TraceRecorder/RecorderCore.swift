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
  let words: WordTable
  let ring: Unmanaged<RingMapping>

  /// Makes the core of this process for `ring`.
  static func make(_ mapping: RingMapping) -> UnsafeMutablePointer<RecorderCore> {
    let words = WordTable(mapping)
    func table<Family: WellKnown>(_: Family.Type) -> UnsafeMutablePointer<UInt64> {
      let table = UnsafeMutablePointer<UInt64>.allocate(capacity: Family.allCases.count)
      for (ordinal, word) in Family.allCases.enumerated() {
        table[ordinal] = words.word(word.rawValue)
      }
      return table
    }
    let core = UnsafeMutablePointer<RecorderCore>.allocate(capacity: 1)
    let clock = mapping.base.load(fromByteOffset: RingFormat.Header.clock, as: UInt32.self)
    core.initialize(
      to: RecorderCore(
        usesTicks: clock == 1, callbacks: table(Callback.self),
        notifications: table(LifecycleNotification.self), categories: table(WorkCategory.self),
        resources: table(Resource.self), deliveries: table(Delivery.self),
        sampledValues: table(SampledValue.self), words: words,
        ring: Unmanaged.passRetained(mapping)))
    recorder_watch_forks()
    mapping.markAsOwn()
    return core
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
    else { return nil }
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
