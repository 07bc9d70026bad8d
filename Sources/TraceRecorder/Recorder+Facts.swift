import LifecycleModel
import Platform
import TraceLog

/// The facts that an app can state. Costs are those of ``Recorder``, unless a fact says otherwise.
extension Recorder {
  // MARK: Callbacks

  /// A delegate callback is entered.
  @inlinable
  public func call(
    _ callback: Callback, _ subject: Subject = .app, file: StaticString = #fileID,
    line: UInt32 = #line
  ) {
    state(.call, word(Names.callbacks, callback), subject, "", file, line)
    noteOpenCall(callback, subject)
  }

  /// A delegate callback has returned.
  @inlinable
  public func returned(
    _ callback: Callback, _ subject: Subject = .app, file: StaticString = #fileID,
    line: UInt32 = #line
  ) {
    guard core != nil else { return }
    state(.return, word(Names.callbacks, callback), subject, "", file, line)
    noteReturn()
  }

  /// Runs `body` as a delegate callback: it is entered before, and has returned after it, also when
  /// it throws.
  @inlinable
  @discardableResult
  public func callback<Result, Failure: Error>(
    _ callback: Callback, _ subject: Subject = .app, file: StaticString = #fileID,
    line: UInt32 = #line, _ body: () throws(Failure) -> Result
  ) throws(Failure) -> Result {
    guard core != nil else { return try body() }
    let name = site(.call, word(Names.callbacks, callback), file, line)
    emit(.call, name, subject, 0)
    noteOpenCall(callback, subject)
    defer {
      emit(.return, name, subject, 0)
      noteReturn()
    }
    return try body()
  }

  // MARK: Notifications

  /// A notification is posted; `object` is its object, `.nil` when it has none.
  @inlinable
  public func notify(
    _ notification: LifecycleNotification, object: Subject, file: StaticString = #fileID,
    line: UInt32 = #line
  ) {
    state(.notify, word(Names.notifications, notification), object, "", file, line)
  }

  /// Runs `body` as the handler of an observer, which `label` names.
  @inlinable
  @discardableResult
  public func observer<Result, Failure: Error>(
    _ notification: LifecycleNotification, object: Subject, _ label: StaticString,
    file: StaticString = #fileID, line: UInt32 = #line, _ body: () throws(Failure) -> Result
  ) throws(Failure) -> Result {
    guard core != nil else { return try body() }
    let name = site(.observe, word(Names.notifications, notification), file, line)
    let word = self.label(label)
    emit(.observe, name, object, word)
    defer { emit(.observed, name, object, word) }
    return try body()
  }

  /// Runs `body` as the handler of an observer, with a label made at run time.
  ///
  /// Cost: a hash over the label more, and a copy the first time.
  @discardableResult
  public func observer<Result, Failure: Error>(
    _ notification: LifecycleNotification, object: Subject, label: String,
    file: StaticString = #fileID, line: UInt32 = #line, _ body: () throws(Failure) -> Result
  ) throws(Failure) -> Result {
    guard let core else { return try body() }
    let name = site(.observe, word(Names.notifications, notification), file, line)
    let word = core.pointee.words.word(label)
    emit(.observe, name, object, word)
    defer { emit(.observed, name, object, word) }
    return try body()
  }

  // MARK: Deliveries

  /// The system hands the app an event; `label` says which one.
  @inlinable
  public func deliver(
    _ delivery: Delivery, _ subject: Subject = .app, _ label: StaticString = "",
    file: StaticString = #fileID, line: UInt32 = #line
  ) {
    state(.deliver, word(Names.deliveries, delivery), subject, label, file, line)
  }

  /// The completion handler of a delivery was called.
  @inlinable
  public func complete(
    _ delivery: Delivery, _ subject: Subject = .app, _ label: StaticString = "",
    file: StaticString = #fileID, line: UInt32 = #line
  ) {
    state(.complete, word(Names.deliveries, delivery), subject, label, file, line)
  }

  // MARK: Work

  /// An instant of work: a timer fires, a frame is drawn, a block is handed to a queue.
  @inlinable
  public func work(
    _ category: WorkCategory, _ subject: Subject = .app, _ label: StaticString = "",
    file: StaticString = #fileID, line: UInt32 = #line
  ) {
    state(.work, word(Names.categories, category), subject, label, file, line)
  }

  /// An instant of work with a label made at run time.
  ///
  /// Cost: a hash over the label more, and a copy the first time.
  public func work(
    _ category: WorkCategory, _ subject: Subject = .app, label: String,
    file: StaticString = #fileID, line: UInt32 = #line
  ) {
    guard let core else { return }
    let name = site(.work, word(Names.categories, category), file, line)
    emit(.work, name, subject, core.pointee.words.word(label))
  }

  /// Runs `body` as work with a duration.
  @inlinable
  @discardableResult
  public func working<Result, Failure: Error>(
    _ category: WorkCategory, _ subject: Subject = .app, _ label: StaticString = "",
    file: StaticString = #fileID, line: UInt32 = #line, _ body: () throws(Failure) -> Result
  ) throws(Failure) -> Result {
    guard core != nil else { return try body() }
    let name = site(.workBegin, word(Names.categories, category), file, line)
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
    value: Int64? = nil, file: StaticString = #fileID, line: UInt32 = #line
  ) {
    span(.workBegin, category, subject, label, value, file, line)
  }

  /// Work with a duration has ended; subject, label and value are those of its beginning.
  public func workEnds(
    _ category: WorkCategory, _ subject: Subject = .app, _ label: StaticString = "",
    value: Int64? = nil, file: StaticString = #fileID, line: UInt32 = #line
  ) {
    span(.workEnd, category, subject, label, value, file, line)
  }

  // MARK: Resources, data, tasks

  /// A resource is acquired; `label` says which one.
  @inlinable
  public func acquire(
    _ resource: Resource, _ subject: Subject = .app, _ label: StaticString = "",
    file: StaticString = #fileID, line: UInt32 = #line
  ) {
    state(.acquire, word(Names.resources, resource), subject, label, file, line)
  }

  /// A resource is released.
  @inlinable
  public func release(
    _ resource: Resource, _ subject: Subject = .app, _ label: StaticString = "",
    file: StaticString = #fileID, line: UInt32 = #line
  ) {
    state(.release, word(Names.resources, resource), subject, label, file, line)
  }

  /// A datum has unsaved changes.
  @inlinable
  public func dirty(
    _ label: StaticString, _ subject: Subject = .app, file: StaticString = #fileID,
    line: UInt32 = #line
  ) {
    state(.dataDirty, word(Names.data), subject, label, file, line)
  }

  /// A datum is saved.
  @inlinable
  public func saved(
    _ label: StaticString, _ subject: Subject = .app, file: StaticString = #fileID,
    line: UInt32 = #line
  ) {
    state(.dataSave, word(Names.data), subject, label, file, line)
  }

  /// A background task begins; `number` is not used again in this process.
  public func taskBegins(
    _ number: UInt32, _ name: String, hasHandler: Bool, file: StaticString = #fileID,
    line: UInt32 = #line
  ) {
    record(
      .taskBegin, subject: .task(number), label: name,
      attributes: [Attribute(.handler, hasHandler ? "true" : "false")], file: file, line: line)
  }

  /// A background task has ended.
  @inlinable
  public func taskEnds(
    _ number: UInt32, file: StaticString = #fileID, line: UInt32 = #line
  ) {
    state(.taskEnd, 0, .task(number), "", file, line)
  }

  /// Runs `body` as the expiration handler of a background task.
  @inlinable
  @discardableResult
  public func taskExpires<Result, Failure: Error>(
    _ number: UInt32, file: StaticString = #fileID, line: UInt32 = #line,
    _ body: () throws(Failure) -> Result
  ) throws(Failure) -> Result {
    guard core != nil else { return try body() }
    let name = site(.taskExpire, 0, file, line)
    emit(.taskExpire, name, .task(number), 0)
    defer { emit(.taskExpired, name, .task(number), 0) }
    return try body()
  }

  // MARK: Values and words

  /// A value is read.
  ///
  /// Cost: two records.
  public func sample(
    _ sampled: SampledValue, _ value: Int64, file: StaticString = #fileID, line: UInt32 = #line
  ) {
    guard core != nil else { return }
    let name = site(.sample, word(Names.sampledValues, sampled), file, line)
    emitSlowly(.sample, name, .app, 0, value: value)
  }

  /// Free text, cut at 4096 bytes, or at what a quarter of the lane holds.
  ///
  /// Cost: a record for each twelve bytes, and one more; nothing of it stays in memory.
  public func note(
    _ text: String, _ subject: Subject = .none, file: StaticString = #fileID,
    line: UInt32 = #line
  ) {
    guard core != nil else { return }
    note(text, subject, site(.note, 0, file, line))
  }

  /// Free text, stated at a line of a file that is named at run time as `#fileID` names it.
  ///
  /// Cost: that of ``note(_:_:file:line:)``, and a hash over the file's name.
  public func note(_ text: String, _ subject: Subject = .none, fileID: String, line: UInt32) {
    guard let core, platform_is_forked() == 0 else { return }
    note(text, subject, core.pointee.words.makeSite(0, fileID, line))
  }

  private func note(_ text: String, _ subject: Subject, _ site: UInt64) {
    var text = text
    text.withUTF8 { emitText(.note, site, subject, $0) }
  }

  /// What the analyzer must know about the app: whether it uses scenes, its background modes, what
  /// else is known.
  ///
  /// The recorder has stated already what the platform knows: platform, version, debugger, simulator, and
  /// the hooks whose facts it has seen. What `profile` says comes first; with `hooks` in it the
  /// recorder adds no more of them.
  public func profile(_ profile: Profile) {
    guard let core else { return }
    guard let opening = core.pointee.opening else {
      return record(.profile, attributes: profile.attributes)
    }
    guard platform_is_forked() == 0, let lane = Recorder.lane(core, begins: false) else { return }
    opening.profile(profile, self, in: lane)
  }

  /// The process has started, for a reason that the app knows.
  ///
  /// The recorder states the start by itself in front of the first fact. Called before that, this one
  /// takes its place; later it completes the profile.
  ///
  /// `launch` is `user`, `push`, `location`, `url`, `bgtask`, `prewarm` or `unknown`.
  public func processStarts(launch: String = "unknown", bundle: String? = nil) {
    guard let core else { return }
    var attributes = [Attribute(.launch, launch)]
    if let bundle { attributes.append(Attribute(.bundle, bundle)) }
    guard let opening = core.pointee.opening else {
      return record(
        .processStart, subject: .app,
        attributes: [Attribute(.pid, String(getpid()))] + attributes)
    }
    guard platform_is_forked() == 0, let lane = Recorder.lane(core, begins: false) else { return }
    opening.start(attributes, self, in: lane)
  }

  /// Any fact of the vocabulary, also one that has no function of its own.
  ///
  /// Cost: hashes over its words; unknown verbs are not recorded.
  public func record(
    _ verb: Verb, name: String = "", subject: Subject = .none, label: String = "",
    value: Int64? = nil, attributes: [Attribute] = [], file: StaticString = #fileID,
    line: UInt32 = #line
  ) {
    guard let core, verb.isKnown, platform_is_forked() == 0 else { return }
    let words = core.pointee.words
    if let hook = Hook.recording(verb, name) {
      use(hook)
      noteActivation(name)
    }
    emitSlowly(
      verb, words.slowSite(words.word(name), file, line), subject, words.word(label), value: value,
      attributes: attributes.isEmpty ? 0 : words.word(Recorder.text(attributes)))
  }

  /// Any fact of the vocabulary, into a lane that nobody else touches meanwhile.
  func record(
    _ verb: Verb, name: String = "", subject: Subject = .none, label: String = "",
    value: Int64? = nil, attributes: [Attribute], in lane: UnsafeMutablePointer<RingWriter>
  ) {
    guard let core, verb.isKnown else { return }
    let words = core.pointee.words
    emit(
      verb, words.word(name), subject, words.word(label), value,
      attributes.isEmpty ? 0 : words.word(Recorder.text(attributes)), in: lane)
  }

  /// Attributes as the ring holds them.
  private static func text(_ attributes: [Attribute]) -> String {
    attributes.map { "\($0.key)\0\($0.value)" }.joined(separator: "\0")
  }

  // MARK: Inside

  @inlinable
  @inline(__always)
  func label(_ text: StaticString) -> UInt64 {
    core?.pointee.words.word(text) ?? 0
  }

  /// The word of a name, with its mark while no fact of its hook was recorded.
  @inlinable
  @inline(__always)
  func word<Name: WellKnown>(_ family: Int, _ name: Name) -> UInt64 { word(family + name.ordinal) }

  /// The word of the name at a place of ``Names``.
  @inlinable
  @inline(__always)
  func word(_ place: Int) -> UInt64 {
    core.map { platform_load_relaxed($0.pointee.names + place) } ?? 0
  }

  /// States a fact of one record, by the word of its name.
  @inlinable
  @inline(__always)
  func state(
    _ verb: Verb, _ name: UInt64, _ subject: Subject, _ label: StaticString, _ file: StaticString,
    _ line: UInt32
  ) {
    if core != nil { emit(verb, site(verb, name, file, line), subject, self.label(label)) }
  }

  private func span(
    _ verb: Verb, _ category: WorkCategory, _ subject: Subject, _ label: StaticString,
    _ value: Int64?, _ file: StaticString, _ line: UInt32
  ) {
    guard core != nil else { return }
    let name = site(verb, word(Names.categories, category), file, line)
    emitSlowly(verb, name, subject, self.label(label), value: value)
  }

  /// Notes on the lane's page that a call is open, for whoever looks after the app's death.
  @inlinable
  @inline(__always)
  func noteOpenCall(_ callback: Callback, _ subject: Subject) {
    guard core != nil, let raw = platform_get_local_lane() else { return }
    let lane = raw.assumingMemoryBound(to: RingWriter.self)
    lane.pointee.noteOpenCall(
      Recorder.content(.call, word(Names.callbacks, callback), subject, 0))
    lane.pointee.depth += 1
    lane.pointee.publishDepth()
  }

  @inlinable
  @inline(__always)
  func noteReturn() {
    guard let raw = platform_get_local_lane() else { return }
    let lane = raw.assumingMemoryBound(to: RingWriter.self)
    if lane.pointee.depth > 0 { lane.pointee.depth -= 1 }
    lane.pointee.publishDepth()
  }
}
