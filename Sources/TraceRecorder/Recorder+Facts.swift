import CRecorder
import LifecycleModel

/// The facts that an app can state. Costs are those of ``Recorder``, unless a fact says otherwise.
extension Recorder {
  // MARK: Callbacks

  /// A delegate callback is entered.
  @inlinable
  public func call(_ callback: Callback, _ subject: Subject = .app) {
    guard let core else { return }
    emit(.call, core.pointee.callbacks[callback.ordinal], subject, 0)
    noteOpenCall(callback, subject)
  }

  /// A delegate callback has returned.
  @inlinable
  public func returned(_ callback: Callback, _ subject: Subject = .app) {
    guard let core else { return }
    emit(.return, core.pointee.callbacks[callback.ordinal], subject, 0)
    noteReturn()
  }

  /// Runs `body` as a delegate callback: it is entered before, and has returned after it, also when
  /// it throws.
  @inlinable
  @discardableResult
  public func callback<Result, Failure: Error>(
    _ callback: Callback, _ subject: Subject = .app, _ body: () throws(Failure) -> Result
  ) throws(Failure) -> Result {
    call(callback, subject)
    defer { returned(callback, subject) }
    return try body()
  }

  // MARK: Notifications

  /// A notification is posted; `object` is its object, `.nil` when it has none.
  @inlinable
  public func notify(_ notification: LifecycleNotification, object: Subject) {
    guard let core else { return }
    emit(.notify, core.pointee.notifications[notification.ordinal], object, 0)
  }

  /// Runs `body` as the handler of an observer, which `label` names.
  @inlinable
  @discardableResult
  public func observer<Result, Failure: Error>(
    _ notification: LifecycleNotification, object: Subject, _ label: StaticString,
    _ body: () throws(Failure) -> Result
  ) throws(Failure) -> Result {
    guard let core else { return try body() }
    let name = core.pointee.notifications[notification.ordinal]
    let word = self.label(label)
    emit(.observe, name, object, word)
    defer { emit(.observed, name, object, word) }
    return try body()
  }

  // MARK: Work

  /// An instant of work: a timer fires, a frame is drawn, a block is handed to a queue.
  @inlinable
  public func work(_ category: WorkCategory, _ subject: Subject = .app, _ label: StaticString = "")
  {
    guard let core else { return }
    emit(.work, core.pointee.categories[category.ordinal], subject, self.label(label))
  }

  /// An instant of work with a label made at run time.
  ///
  /// Cost: a hash over the label more, and a copy the first time.
  public func work(_ category: WorkCategory, _ subject: Subject = .app, label: String) {
    guard let core else { return }
    emit(.work, core.pointee.categories[category.ordinal], subject, core.pointee.words.word(label))
  }

  /// Runs `body` as work with a duration.
  @inlinable
  @discardableResult
  public func working<Result, Failure: Error>(
    _ category: WorkCategory, _ subject: Subject = .app, _ label: StaticString = "",
    _ body: () throws(Failure) -> Result
  ) throws(Failure) -> Result {
    guard let core else { return try body() }
    let name = core.pointee.categories[category.ordinal]
    let word = self.label(label)
    emit(.workBegin, name, subject, word)
    defer { emit(.workEnd, name, subject, word) }
    return try body()
  }

  /// Work with a duration begins; `value` tells spans of the same name apart.
  ///
  /// Cost: two records.
  public func workBegins(
    _ category: WorkCategory, _ subject: Subject = .app, _ label: StaticString = "",
    value: Int64? = nil
  ) {
    span(.workBegin, category, subject, label, value)
  }

  /// Work with a duration has ended; subject, label and value are those of its beginning.
  public func workEnds(
    _ category: WorkCategory, _ subject: Subject = .app, _ label: StaticString = "",
    value: Int64? = nil
  ) {
    span(.workEnd, category, subject, label, value)
  }

  // MARK: Resources, data, tasks

  /// A resource is acquired; `label` says which one.
  @inlinable
  public func acquire(_ resource: Resource, _ subject: Subject = .app, _ label: StaticString = "") {
    guard let core else { return }
    emit(.acquire, core.pointee.resources[resource.ordinal], subject, self.label(label))
  }

  /// A resource is released.
  @inlinable
  public func release(_ resource: Resource, _ subject: Subject = .app, _ label: StaticString = "") {
    guard let core else { return }
    emit(.release, core.pointee.resources[resource.ordinal], subject, self.label(label))
  }

  /// A datum has unsaved changes.
  @inlinable
  public func dirty(_ label: StaticString, _ subject: Subject = .app) {
    if core != nil { emit(.dataDirty, 0, subject, self.label(label)) }
  }

  /// A datum is saved.
  @inlinable
  public func saved(_ label: StaticString, _ subject: Subject = .app) {
    if core != nil { emit(.dataSave, 0, subject, self.label(label)) }
  }

  /// A background task begins; `number` is not used again in this process.
  public func taskBegins(_ number: UInt32, _ name: String, hasHandler: Bool) {
    record(
      .taskBegin, subject: .task(number), label: name,
      attributes: [Attribute(.handler, hasHandler ? "true" : "false")])
  }

  /// A background task has ended.
  @inlinable
  public func taskEnds(_ number: UInt32) {
    emit(.taskEnd, 0, .task(number), 0)
  }

  /// Runs `body` as the expiration handler of a background task.
  @inlinable
  @discardableResult
  public func taskExpires<Result, Failure: Error>(
    _ number: UInt32, _ body: () throws(Failure) -> Result
  ) throws(Failure) -> Result {
    emit(.taskExpire, 0, .task(number), 0)
    defer { emit(.taskExpired, 0, .task(number), 0) }
    return try body()
  }

  // MARK: Values and words

  /// A value is read.
  ///
  /// Cost: two records.
  public func sample(_ sampled: SampledValue, _ value: Int64) {
    guard let core else { return }
    emitSlowly(
      .sample, core.pointee.sampledValues[sampled.ordinal], .app, 0, value: value)
  }

  /// Free text, cut at 4096 bytes, or at what a quarter of the lane holds.
  ///
  /// Cost: a record for each twelve bytes, and one more; nothing of it stays in memory.
  public func note(_ text: String, _ subject: Subject = .none) {
    var text = text
    text.withUTF8 { emitText(.note, subject, $0) }
  }

  /// What the analyzer must know about the app; the first fact to state.
  public func profile(_ profile: Profile) {
    record(.profile, attributes: profile.attributes)
  }

  /// Any fact of the vocabulary, also one that has no function of its own.
  ///
  /// Cost: hashes over its words; unknown verbs are not recorded.
  public func record(
    _ verb: Verb, name: String = "", subject: Subject = .none, label: String = "",
    value: Int64? = nil, attributes: [Attribute] = []
  ) {
    guard let core, verb.isKnown else { return }
    let words = core.pointee.words
    let list = attributes.map { "\($0.key)\0\($0.value)" }.joined(separator: "\0")
    emitSlowly(
      verb, words.word(name), subject, words.word(label), value: value,
      attributes: words.word(list))
  }

  // MARK: Inside

  @usableFromInline
  func label(_ text: StaticString) -> UInt64 {
    core?.pointee.words.word(text) ?? 0
  }

  private func span(
    _ verb: Verb, _ category: WorkCategory, _ subject: Subject, _ label: StaticString,
    _ value: Int64?
  ) {
    guard let core else { return }
    emitSlowly(
      verb, core.pointee.categories[category.ordinal], subject, self.label(label), value: value)
  }

  /// Notes on the lane's page that a call is open, for whoever looks after the app's death.
  @inlinable
  @inline(__always)
  func noteOpenCall(_ callback: Callback, _ subject: Subject) {
    guard let core, let raw = recorder_get_local_ring() else { return }
    let lane = raw.assumingMemoryBound(to: Lane.self)
    lane.pointee.noteOpenCall(
      Recorder.content(.call, core.pointee.callbacks[callback.ordinal], subject, 0))
    lane.pointee.depth += 1
    lane.pointee.publishDepth()
  }

  @inlinable
  @inline(__always)
  func noteReturn() {
    guard let raw = recorder_get_local_ring() else { return }
    let lane = raw.assumingMemoryBound(to: Lane.self)
    if lane.pointee.depth > 0 { lane.pointee.depth -= 1 }
    lane.pointee.publishDepth()
  }
}
