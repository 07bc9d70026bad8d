import LifecycleModel
import Platform
import TraceLog

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
  /// The name of facts about data: none.
  @usableFromInline let dataName: UnsafeMutablePointer<UInt64>
  @usableFromInline let words: WordTable
  let ring: Unmanaged<RingMapping>
  /// What the recorder states by itself; `nil` when who made it states all.
  let opening: OpeningFacts?
  /// A bit for each hook of which a fact was recorded.
  let usedHooks: UnsafeMutablePointer<UInt64>
  /// The last sequence of each writer in the log before this ring.
  let lastSequences: [String: UInt64]
  /// The run before this one; `nil` when there is none.
  let previousRun: PreviousRun?
  /// What a virtual clock shows; `nil` when time is real.
  let virtualNow: UnsafeMutablePointer<UInt64>?

  /// The reading of any clock but the time-stamp counter; a virtual one moves on by it.
  @usableFromInline
  @inline(never)
  static func slowTicks(_ core: UnsafeMutablePointer<RecorderCore>) -> UInt64 {
    guard let now = core.pointee.virtualNow else { return platform_nanoseconds() }
    defer { now.pointee &+= 1 }
    return now.pointee
  }

  /// Makes the core of this process for `mapping`.
  ///
  /// With `isOpening` it states by itself that the process has started, and what is known without the
  /// app.
  static func make(
    _ mapping: RingMapping, clock virtual: VirtualClock? = nil, isOpening: Bool = false,
    lastSequences: [String: UInt64] = [:], previousRun: PreviousRun? = nil
  ) -> UnsafeMutablePointer<RecorderCore> {
    let words = WordTable(mapping)
    func table(_ count: Int) -> UnsafeMutablePointer<UInt64> { .allocate(capacity: count) }
    func table<Family: WellKnown>(_: Family.Type) -> UnsafeMutablePointer<UInt64> {
      table(Family.allCases.count)
    }

    let core = UnsafeMutablePointer<RecorderCore>.allocate(capacity: 1)
    let clock = mapping.base.load(fromByteOffset: RingFormat.Header.clock, as: UInt32.self)
    core.initialize(
      to: RecorderCore(
        usesTicks: clock == 1, callbacks: table(Callback.self),
        notifications: table(LifecycleNotification.self), categories: table(WorkCategory.self),
        resources: table(Resource.self), deliveries: table(Delivery.self),
        sampledValues: table(SampledValue.self), dataName: table(1), words: words,
        ring: Unmanaged.passRetained(mapping),
        opening: isOpening ? OpeningFacts() : nil, usedHooks: table(1),
        lastSequences: lastSequences,
        previousRun: previousRun, virtualNow: virtual?.cell))

    core.pointee.usedHooks.pointee = 0
    core.pointee.putNames()
    platform_watch_forks()
    mapping.markAsOwn()
    return core
  }

  /// Ends a core that no thread uses any more, as that of a process that was simulated.
  static func free(_ core: UnsafeMutablePointer<RecorderCore>) {
    let own = core.pointee
    let tables = [
      own.callbacks, own.notifications, own.categories, own.resources, own.deliveries,
      own.sampledValues, own.dataName, own.usedHooks,
    ]
    for table in tables { table.deallocate() }
    own.words.deallocate()
    own.ring.release()
    core.deinitialize(count: 1)
    core.deallocate()
  }

  /// Takes a free lane of the ring for the calling thread, or for `writer`, which is no thread's own; `nil`
  /// when there is none.
  static func takeLane(
    _ core: UnsafeMutablePointer<RecorderCore>, writer: String? = nil
  ) -> UnsafeMutablePointer<RingWriter>? {
    let home = RingWriterHome(
      ring: core.pointee.ring.takeUnretainedValue(), words: core.pointee.words,
      lastSequences: core.pointee.lastSequences, owner: core)
    guard let writer else { return RingWriter.take(home) }
    return RingWriter.take(home, writer: writer)
  }

  /// Puts the names of all families into the ring.
  ///
  /// While the recorder does not know yet that a hook is used, the names of its facts are marked, see
  /// ``use(_:)``.
  private func putNames() {
    let mark = opening == nil ? 0 : WordTable.unusedMark
    func fill<Family: WellKnown>(
      _: Family.Type, _ table: UnsafeMutablePointer<UInt64>, _ mark: UInt64
    ) {
      for (ordinal, word) in Family.allCases.enumerated() {
        table[ordinal] = words.word(word.rawValue) | mark
      }
    }

    fill(Callback.self, callbacks, mark)
    fill(LifecycleNotification.self, notifications, mark)
    fill(WorkCategory.self, categories, mark)
    fill(Resource.self, resources, mark)
    fill(Delivery.self, deliveries, 0)
    fill(SampledValue.self, sampledValues, mark)
    dataName.pointee = mark
  }

  /// Whether a fact of `hook` was recorded.
  func isUsed(_ hook: Hook) -> Bool {
    platform_load_relaxed(usedHooks) & 1 << UInt64(hook.place) != 0
  }

  /// Takes the mark off the names of `hook`'s facts, but for those that say that the app is active.
  func use(_ hook: Hook) {
    _ = platform_fetch_or(usedHooks, 1 << UInt64(hook.place))
    func isUsed(_ name: String, _ own: Hook) -> Bool {
      own == hook && (opening == nil || !RecorderCore.activations.contains(name))
    }

    clear(Callback.self, callbacks) { isUsed($0.rawValue, $0.hook) }
    clear(LifecycleNotification.self, notifications) { isUsed($0.rawValue, $0.hook) }
    clear(WorkCategory.self, categories) { _ in hook == .work }
    clear(SampledValue.self, sampledValues) { _ in hook == .work }
    clear(Resource.self, resources) { _ in hook == .resources }
    if hook == .data { platform_store_relaxed(dataName, 0) }
  }

  /// Takes the mark off the names that say that the app is active.
  func useActivations() {
    clear(Callback.self, callbacks) { RecorderCore.activations.contains($0.rawValue) }
    clear(LifecycleNotification.self, notifications) {
      RecorderCore.activations.contains($0.rawValue)
    }
  }

  private func clear<Family: WellKnown>(
    _: Family.Type, _ table: UnsafeMutablePointer<UInt64>, where isMeant: (Family) -> Bool
  ) {
    for (ordinal, word) in Family.allCases.enumerated() where isMeant(word) {
      platform_store_relaxed(table + ordinal, table[ordinal] & ~WordTable.unusedMark)
    }
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
    guard mapping.enter() else {
      mapping.refuse(process: getpid())
      return nil
    }
    return make(mapping, isOpening: true)
  }
}

extension Hook {
  /// Its place among all hooks.
  fileprivate var place: Int { Hook.allCases.firstIndex(of: self) ?? 0 }

  /// The hook that records facts of `verb` with this name, as far as the app records them; `nil` for
  /// those of the system.
  static func recording(_ verb: Verb, _ name: String) -> Hook? {
    switch verb {
    case .call, .return: Callback(rawValue: name)?.hook
    case .notify, .observe, .observed: LifecycleNotification(rawValue: name)?.hook
    case .work, .workBegin, .workEnd, .sample: .work
    case .acquire, .release: .resources
    case .dataDirty, .dataSave: .data
    default:
      verb.word.map { $0.hasPrefix("task.") || $0.hasPrefix("bgtask.") } == true ? .tasks : nil
    }
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
