import LifecycleModel

/// A timer of the app, which fires on the main thread while the process runs.
@MainActor
public final class AppTimer {
  /// Whether it will fire again.
  public private(set) var isValid = true

  private let application: Application
  private let interval: Nanoseconds
  private let repeats: Bool
  private let label: String
  private let subject: Subject
  private let block: @MainActor (AppTimer) -> Void
  private var ticket: Agenda<AppProcess.AppItem>.Ticket?
  private var due: Nanoseconds = 0

  init(
    _ application: Application, _ interval: Nanoseconds, repeats: Bool, _ label: String,
    _ subject: Subject, _ block: @escaping @MainActor (AppTimer) -> Void
  ) {
    self.application = application
    self.interval = max(1_000_000, interval)
    self.repeats = repeats
    self.label = label
    self.subject = subject
    self.block = block
    application.record(
      .acquire, Resource.timer.rawValue, subject, label,
      attributes: [Attribute(.kind, repeats ? "repeating" : "once")])
    due = (application.driver?.now ?? 0) + self.interval
    schedule()
  }

  private func schedule() {
    ticket = application.driver?.schedule(
      AppProcess.AppItem { self.fire() }, at: due, in: application.process)
  }

  private func fire() {
    guard isValid else { return }
    application.record(.work, WorkCategory.timer.rawValue, subject, label)
    if repeats {
      // A timer that is late keeps its phase, and what it has missed does not come twice.
      let late = max(0, (application.driver?.now ?? due) - due)
      due += (late / interval + 1) * interval
      schedule()
    }
    block(self)
    if !repeats && isValid { invalidate() }
  }

  /// Stops it for good.
  public func invalidate() {
    guard isValid else { return }
    isValid = false
    application.process.agenda.remove(ticket)
    application.record(.release, Resource.timer.rawValue, subject, label)
  }
}

extension Application {
  /// Makes a timer that fires after `interval` seconds, at least a millisecond; `label` names it in the
  /// trace.
  @discardableResult
  public func scheduledTimer(
    withTimeInterval interval: Double, repeats: Bool, label: String, scene: Scene? = nil,
    block: @escaping @MainActor (AppTimer) -> Void
  ) -> AppTimer {
    AppTimer(
      self, Nanoseconds(seconds: interval), repeats: repeats, label, Subject(scene), block)
  }

  /// Hands a block to a queue: it runs when the code that runs now has returned, or `delay` seconds
  /// later.
  public func async(
    _ label: String, scene: Scene? = nil, after delay: Double = 0,
    category: WorkCategory = .other, execute block: @escaping @MainActor () -> Void
  ) {
    let subject = Subject(scene)
    record(.work, WorkCategory.dispatch.rawValue, subject, label)
    driver?.schedule(
      AppProcess.AppItem {
        self.record(.workBegin, category.rawValue, subject, label)
        block()
        self.record(.workEnd, category.rawValue, subject, label)
      }, after: Nanoseconds(seconds: delay), in: process)
  }

  /// Work that takes `seconds` beside the main thread: a transfer, a save on a queue.
  ///
  /// It stands still while the process is suspended.
  public func perform(
    _ category: WorkCategory, _ label: String, scene: Scene? = nil, taking seconds: Double,
    completion: @escaping @MainActor () -> Void = {}
  ) {
    let subject = Subject(scene)
    record(.workBegin, category.rawValue, subject, label)
    driver?.schedule(
      AppProcess.AppItem(isProgress: true) {
        self.record(.workEnd, category.rawValue, subject, label)
        completion()
      }, after: Nanoseconds(seconds: seconds), in: process)
  }

  /// Keeps the main thread busy for `seconds`.
  ///
  /// When that is more than the system allows the process dies in it; what comes after runs unheard,
  /// and ``isRunning`` is false. A quarter of a second or more is recorded as `main-busy`.
  public func spend(_ seconds: Double, _ label: String = "") {
    guard isRunning else { return }
    let span = Nanoseconds(seconds: seconds)
    let isHang = span >= .milliseconds(250)
    if isHang { record(.workBegin, WorkCategory.mainBusy.rawValue, .app, label) }
    driver?.spend(span, in: process)
    if isHang { record(.workEnd, WorkCategory.mainBusy.rawValue, .app, label) }
  }

  /// An instant of work: a frame, a view that is updated, a command buffer.
  ///
  /// `access` says of a protected file or a keychain item when it can be read.
  public func work(
    _ category: WorkCategory, _ label: String = "", access: DataAccess? = nil, scene: Scene? = nil
  ) {
    record(
      .work, category.rawValue, Subject(scene), label,
      attributes: access.map { [Attribute(.access, $0.rawValue)] } ?? [])
  }

  /// A resource is acquired; `kind` says more about it, such as `connected` of a socket.
  ///
  /// With a lock the process must not be suspended: it is killed. While an app that declares the
  /// background mode `audio` has an audio session, it is not suspended; nor one that declares `voip`
  /// while it has an audio session or a socket.
  public func acquire(
    _ resource: Resource, _ label: String, kind: String? = nil, scene: Scene? = nil
  ) {
    record(
      .acquire, resource.rawValue, Subject(scene), label,
      attributes: kind.map { [Attribute(.kind, $0)] } ?? [])
    if isRunning { process.held["\(resource.rawValue)\0\(label)", default: 0] += 1 }
  }

  /// A resource is released.
  public func release(_ resource: Resource, _ label: String, scene: Scene? = nil) {
    record(.release, resource.rawValue, Subject(scene), label)
    guard isRunning else { return }
    let key = "\(resource.rawValue)\0\(label)"
    process.held[key] = process.held[key].flatMap { $0 > 1 ? $0 - 1 : nil }
    driver?.considerSuspension()
  }

  /// A datum has unsaved changes.
  public func dirty(_ label: String, scene: Scene? = nil) {
    record(.dataDirty, "", Subject(scene), label)
  }

  /// A datum is saved.
  public func saved(_ label: String, scene: Scene? = nil) {
    record(.dataSave, "", Subject(scene), label)
  }

  /// Runs `block` whenever the notification is posted; `label` names the observer in the trace.
  public func observe(
    _ notification: LifecycleNotification, object: AnyObject? = nil, label: String,
    using block: @escaping @MainActor (Subject) -> Void
  ) {
    listen(notification, object: object) { [unowned self] _, object in
      let subject = Subject(notificationObject: object)
      record(.observe, notification.rawValue, subject, label)
      block(subject)
      record(.observed, notification.rawValue, subject, label)
    }
  }

  /// Posts a notification of UIKit's by hand, as no app should.
  public func post(_ notification: LifecycleNotification, object: AnyObject?) {
    guard isRunning else { return }
    recorder.notify(notification, object: Subject(notificationObject: object))
    deliver(notification, object)
  }

  /// Runs `handler` for each location that is delivered.
  ///
  /// From then on an app that declares the background mode `location` is not suspended.
  public func onLocation(_ handler: @escaping @MainActor () -> Void) {
    if isRunning { process.locationHandler = handler }
  }

  /// Runs `handler` for each notification that the user has tapped.
  ///
  /// It calls the completion handler when it is done. Without a handler the response is completed at once.
  public func onNotificationResponse(
    _ handler:
      @escaping @MainActor (NotificationResponse, @escaping @MainActor () -> Void) -> Void
  ) {
    if isRunning { process.notificationHandler = handler }
  }

  /// Runs `handler` for each touch, with the scene that was touched.
  public func onInput(_ handler: @escaping @MainActor (Scene?) -> Void) {
    if isRunning { process.inputHandler = handler }
  }
}

extension Subject {
  @MainActor
  init(_ scene: Scene?) { self = scene?.subject ?? .app }

  @MainActor
  init(notificationObject: AnyObject?) {
    switch notificationObject {
    case let scene as Scene: self = scene.subject
    case let session as SceneSession: self = session.subject
    case nil: self = .nil
    default: self = .app
    }
  }
}

extension Nanoseconds {
  /// Seconds, held at the limits of what a trace can say.
  init(seconds: Double) {
    let limit = 1e9
    let held = seconds.isNaN ? 0 : Swift.max(0, Swift.min(seconds, limit))
    self = Nanoseconds(held * 1e9)
  }
}
