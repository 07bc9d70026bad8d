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
  /// Words of names: those of a family where ``Names`` says, by the ordinal of their enumeration's case.
  @usableFromInline let names: UnsafeMutablePointer<UInt64>
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
    let core = UnsafeMutablePointer<RecorderCore>.allocate(capacity: 1)
    let clock = mapping.base.load(fromByteOffset: RingFormat.Header.clock, as: UInt32.self)
    core.initialize(
      to: RecorderCore(
        usesTicks: clock == 1, names: .allocate(capacity: Names.count), words: WordTable(mapping),
        ring: Unmanaged.passRetained(mapping), opening: isOpening ? OpeningFacts() : nil,
        usedHooks: .allocate(capacity: 1), lastSequences: lastSequences,
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
    for table in [own.names, own.usedHooks] { table.deallocate() }
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
    eachName { place, name, hook in
      let mark = opening == nil || hook == nil ? 0 : WordTable.unusedMark
      names[place] = words.word(name) | mark
    }
  }

  /// Calls `body` with each name, its place among ``names``, and the hook whose facts have it.
  private func eachName(_ body: (_ place: Int, _ name: String, _ hook: Hook?) -> Void) {
    func each<Family: WellKnown>(_ start: Int, _: Family.Type, _ hook: (Family) -> Hook?) {
      for name in Family.allCases { body(start + name.ordinal, name.rawValue, hook(name)) }
    }

    each(Names.callbacks, Callback.self) { $0.hook }
    each(Names.notifications, LifecycleNotification.self) { $0.hook }
    each(Names.categories, WorkCategory.self) { _ in .work }
    each(Names.resources, Resource.self) { _ in .resources }
    each(Names.deliveries, Delivery.self) { _ in nil }
    each(Names.sampledValues, SampledValue.self) { _ in .work }
    body(Names.data, "", .data)
  }

  /// Whether a fact of `hook` was recorded.
  func isUsed(_ hook: Hook) -> Bool {
    platform_load_relaxed(usedHooks) & 1 << UInt64(hook.ordinal) != 0
  }

  /// Takes the mark off the names of `hook`'s facts, but for those that say that the app is active.
  func use(_ hook: Hook) {
    _ = platform_fetch_or(usedHooks, 1 << UInt64(hook.ordinal))
    unmark { name, own in
      own == hook && (opening == nil || !RecorderCore.activations.contains(name))
    }
  }

  /// Takes the mark off the names that say that the app is active.
  func useActivations() { unmark { name, _ in RecorderCore.activations.contains(name) } }

  private func unmark(where isMeant: (String, Hook?) -> Bool) {
    eachName { place, name, hook in
      guard isMeant(name, hook) else { return }
      platform_store_relaxed(names + place, names[place] & ~WordTable.unusedMark)
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

/// Where the names of each family begin in ``RecorderCore/names``: no family has more than 64.
@usableFromInline
enum Names {
  @inlinable static var callbacks: Int { 0 }
  @inlinable static var notifications: Int { 64 }
  @inlinable static var categories: Int { 128 }
  @inlinable static var resources: Int { 192 }
  @inlinable static var deliveries: Int { 256 }
  @inlinable static var sampledValues: Int { 320 }
  /// The name of facts about data: none.
  @inlinable static var data: Int { 384 }
  static let count = 385
}

extension Hook {
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
