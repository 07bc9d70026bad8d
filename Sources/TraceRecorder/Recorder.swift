import LifecycleModel
import Platform
import TraceLog

/// What an app states its facts to: a handle that is cheap to copy and safe on every thread.
///
/// A fact is written into the calling thread's lane of a mapped ring, in about 15 ns, without a
/// lock, an allocation or a system call; it survives the death of the process. When the lane is full
/// the fact is refused and counted, and the log says so: recording never waits. A recorder that is
/// off costs a comparison.
///
/// A thread's first fact takes a lane (some microseconds), and gives it back when the thread ends.
/// In a child that was forked and did not call `exec` the recorder is silent.
///
/// ```swift
/// import TraceRecorder
///
/// let recorder = try Recorder.open(log: "flight.bin")
/// recorder.callback(.applicationDidEnterBackground) {
///   recorder.working(.save, .app, "notes.db") { /* save */ }
/// }
/// ```
public struct Recorder: Sendable {
  @usableFromInline nonisolated(unsafe) let core: UnsafeMutablePointer<RecorderCore>?

  @inlinable
  init(_ core: UnsafeMutablePointer<RecorderCore>?) {
    self.core = core
  }

  /// The environment variable in which `tracectl record` names the ring.
  public static let environmentVariable = "TRACECTL_RING"

  /// The recorder of this process: that of `tracectl record` when it started the process, else off.
  public static let shared = Recorder(RecorderCore.fromEnvironment())

  /// A recorder that records nothing.
  @inlinable public static var off: Recorder { Recorder(nil) }

  /// Whether facts are recorded.
  public var isOn: Bool { core != nil }

  /// The word for the name `name` of a fact that is stated at a call site.
  @inlinable
  @inline(__always)
  func site(_ verb: Verb, _ name: UInt64, _ file: StaticString, _ line: UInt32) -> UInt64 {
    core?.pointee.words.site(name, file, line) ?? slowSite(verb, name, file, line)
  }

  /// The word for a name at a call site that is new, or of a hook that was not used before.
  @usableFromInline
  @inline(never)
  func slowSite(_ verb: Verb, _ name: UInt64, _ file: StaticString, _ line: UInt32) -> UInt64 {
    guard let core, platform_is_forked() == 0 else { return name }
    let plain = name & ~WordTable.unusedMark
    if plain != name {
      let text = core.pointee.words.text(plain)
      if let hook = Hook.recording(verb, text) { use(hook) }
      noteActivation(text)
    }
    return core.pointee.words.slowSite(plain, file, line)
  }

  /// Says that facts of `hook` are recorded, in front of the first of them.
  func use(_ hook: Hook) {
    guard let core, let opening = core.pointee.opening, !core.pointee.isUsed(hook),
      let lane = Recorder.lane(core)
    else { return }
    opening.use(hook, self, in: lane)
    core.pointee.use(hook)
  }

  /// The record of a fact without value, attributes or wide fields.
  @inlinable
  @inline(__always)
  func emit(_ verb: Verb, _ name: UInt64, _ subject: Subject, _ label: UInt64) {
    guard let core else { return }
    let content = Recorder.content(verb, name, subject, label)
    guard let raw = platform_get_local_lane(), name <= RingFormat.Content.nameLimit,
      label <= RingFormat.Content.labelLimit,
      UInt64(subject.number) <= RingFormat.Content.numberLimit
    else { return emitSlowly(verb, name, subject, label) }

    let lane = raw.assumingMemoryBound(to: RingWriter.self)
    let head = lane.pointee.head
    guard head < lane.pointee.alarm, lane.pointee.owner == UnsafeMutableRawPointer(core) else {
      return emitSlowly(verb, name, subject, label)
    }

    let ticks = core.pointee.usesTicks ? platform_ticks() : RecorderCore.slowTicks(core)
    lane.pointee.put(ticks, content)
    // See `RingWriter.publish()` for why this store makes the event.
    platform_store_release(lane.pointee.sharedHead, head &+ 1)
  }

  /// The content of a record whose fields fit.
  @inlinable
  @inline(__always)
  static func content(
    _ verb: Verb, _ name: UInt64, _ subject: Subject, _ label: UInt64
  ) -> UInt64 {
    UInt64(verb.code) | UInt64(subject.kind.rawValue) << RingFormat.Content.kindShift
      | name << RingFormat.Content.nameShift | label << RingFormat.Content.labelShift
      | UInt64(subject.number) << RingFormat.Content.numberShift
  }

  /// A fact that needs more than one record, a new lane, or a look at how far the drain is.
  @usableFromInline
  @inline(never)
  func emitSlowly(
    _ verb: Verb, _ name: UInt64, _ subject: Subject, _ label: UInt64, value: Int64? = nil,
    attributes: UInt64 = 0
  ) {
    // A child that was forked and did not call `exec` must not write into its parent's ring.
    guard let core, platform_is_forked() == 0, let lane = Recorder.lane(core) else { return }
    emit(verb, name, subject, label, value, attributes, in: lane)
  }

  /// A fact whose label is no word, but text that lies in records of its own.
  @inline(never)
  func emitText(
    _ verb: Verb, _ name: UInt64, _ subject: Subject, _ text: UnsafeBufferPointer<UInt8>
  ) {
    guard let core, platform_is_forked() == 0, let lane = Recorder.lane(core) else { return }
    let quarter = RingFormat.textBytes * Int(lane.pointee.mask + 1) / 4
    let bytes = text.prefix(min(RingFormat.maxWordBytes, quarter)).wholeCharacters
    emit(verb, name, subject, 0, nil, 0, bytes, in: lane)
  }

  /// Writes a fact of any kind into `lane`, which nobody else touches meanwhile; its label is a word or a text.
  func emit(
    _ verb: Verb, _ name: UInt64, _ subject: Subject, _ label: UInt64, _ value: Int64?,
    _ attributes: UInt64, _ text: Slice<UnsafeBufferPointer<UInt8>>? = nil,
    in lane: UnsafeMutablePointer<RingWriter>
  ) {
    guard let core, !lane.pointee.isMuted else { return }
    let isWide =
      name > RingFormat.Content.nameLimit || label > RingFormat.Content.labelLimit
      || UInt64(subject.number) > RingFormat.Content.numberLimit
    let bytes = text?.count ?? 0
    let extensions =
      (value != nil ? 1 : 0) + (attributes != 0 ? 1 : 0) + (isWide ? 1 : 0)
      + (bytes + RingFormat.textBytes - 1) / RingFormat.textBytes
    guard lane.pointee.hasRoom(for: UInt64(extensions + 1)) else { return lane.pointee.refuse() }

    let shift = RingFormat.Content.kindShift
    let operand = RingFormat.Content.operandShift
    lane.pointee.putRefused()
    if let value {
      lane.pointee.putExtension(UInt64(bitPattern: value), RingFormat.Extension.value << shift)
    }

    if attributes != 0 {
      lane.pointee.putExtension(
        0, RingFormat.Extension.attributes << shift | attributes << operand)
    }
    if isWide {
      lane.pointee.putExtension(
        name | UInt64(subject.number) << 32, RingFormat.Extension.wide << shift | label << operand)
    }
    if let text { lane.pointee.putText(text) }

    let ticks = core.pointee.usesTicks ? platform_ticks() : RecorderCore.slowTicks(core)
    let plain = isWide ? Subject(subject.kind) : subject
    var content = Recorder.content(verb, isWide ? 0 : name, plain, isWide ? 0 : label)
    if extensions > 0 { content |= RingFormat.Content.extendedBit }
    lane.pointee.put(ticks, content)
    lane.pointee.publishSlowly()
  }

  /// The calling thread's lane; `nil` when all are taken, and then the event is counted.
  ///
  /// With `begins` the opening facts stand in front of whatever comes first.
  static func lane(
    _ core: UnsafeMutablePointer<RecorderCore>, begins: Bool = true
  ) -> UnsafeMutablePointer<RingWriter>? {
    if let raw = platform_get_local_lane() {
      let lane = raw.assumingMemoryBound(to: RingWriter.self)
      if lane.pointee.owner == UnsafeMutableRawPointer(core) { return lane }
      platform_set_local_lane(nil)
      RingWriter.giveBack(lane)
    }

    if let lane = RecorderCore.takeLane(core) {
      if begins { core.pointee.opening?.begin(Recorder(core), in: lane) }
      return lane
    }

    let ring = core.pointee.ring.takeUnretainedValue()
    let homeless = ring.base + RingFormat.Header.homeless
    _ = platform_fetch_add(homeless.assumingMemoryBound(to: UInt64.self), 1)
    return nil
  }
}

extension Slice<UnsafeBufferPointer<UInt8>> {
  /// Without the beginning of a character that is cut off.
  fileprivate var wholeCharacters: Self {
    guard endIndex < base.endIndex else { return self }
    var end = endIndex
    // Bytes that go on with a character have 10 in front.
    while end > startIndex, base[end] & 0xc0 == 0x80 { end -= 1 }
    return base[startIndex..<end]
  }
}
