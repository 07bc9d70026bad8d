import LifecycleModel

/// What the system hands to the app.
extension LifecycleDriver {
  /// A push notification arrives.
  public func deliverPush(_ label: String = "push") {
    wakeInBackground(.push) { self.push(label) }
  }

  /// A location arrives.
  public func deliverLocation() {
    wakeInBackground(.location) {
      guard let process = self.process else { return }
      self.say(.location, .app)
      self.turn(process) {
        process.application?.work(.location)
        process.locationHandler?()
      }
    }
  }

  /// It is time for a background fetch.
  public func deliverFetch() {
    wakeInBackground(.bgtask) {
      let complete = self.deliver(.fetch, "", self.limits.completion)
      self.call(.applicationPerformFetch, completing: complete) {
        $0.delegate?.application($0, performFetchWithCompletionHandler: complete)
      }
    }
  }

  /// The transfers of a background session have ended.
  public func deliverURLSession(_ identifier: String) {
    wakeInBackground(.bgtask) {
      let complete = self.deliver(.urlsession, identifier, self.limits.completion)
      self.call(.applicationHandleEventsForBackgroundURLSession, completing: complete) {
        $0.delegate?.application(
          $0, handleEventsForBackgroundURLSession: identifier, completionHandler: complete)
      }
    }
  }

  /// BGTaskScheduler launches a task that the app has registered, unless it runs already.
  public func launchBackgroundTask(_ identifier: String) {
    wakeInBackground(.bgtask) { self.runBackgroundTask(identifier) }
  }

  /// The system is short of memory.
  public func memoryWarning() {
    tell(.applicationDidReceiveMemoryWarning) {
      $0.delegate?.applicationDidReceiveMemoryWarning($0)
    }
  }

  /// A new day, another time zone, or a clock that was set.
  public func significantTimeChange() {
    tell(.applicationSignificantTimeChange) {
      $0.delegate?.applicationSignificantTimeChange($0)
    }
  }

  /// Protected files go or come back; a process that was not informed of the one is not informed of the other.
  func tellProtectedData(isAvailable: Bool) {
    guard let process, process.isDataUnavailable == isAvailable else { return }
    if isAvailable {
      tell(.applicationProtectedDataDidBecomeAvailable) {
        $0.delegate?.applicationProtectedDataDidBecomeAvailable($0)
      }
    } else {
      tell(.applicationProtectedDataWillBecomeUnavailable) {
        $0.delegate?.applicationProtectedDataWillBecomeUnavailable($0)
      }
    }
    if !process.isSuspended && process.isLaunched { process.isDataUnavailable = !isAvailable }
  }

  /// A call and a notification that change no state; a suspended process hears nothing.
  private func tell(
    _ callback: Callback, _ body: @escaping @MainActor (Application) -> Void
  ) {
    guard let process, process.isLaunched, !process.isSuspended else { return }
    transit(variation.order(appParts(callback, body)), .past)
    fall()
  }

  // MARK: URLs and activities

  /// Hands over what the app was opened for: to a scene, or to the app.
  ///
  /// A scene that was made for it has it in its options.
  func open(_ purpose: Purpose, in scene: Scene?) {
    guard process?.application != nil else { return }
    switch purpose {
    case .none: return
    case .url(let url):
      say(.url, Subject(scene), url.absoluteString)
      guard let scene else {
        return call(.applicationOpenURL) { _ = $0.delegate?.application($0, open: url) }
      }
      call(.sceneOpenURLContexts, of: scene) { _ in
        scene.delegate?.scene(scene, openURLContexts: [url])
      }
    case .notification(let response):
      respond(response, in: scene)
    case .shortcut(let item):
      let subject = Subject(scene)
      let complete = deliver(.shortcut, item.type, to: subject)
      guard let scene else {
        return call(.applicationPerformActionForShortcutItem, completing: complete) {
          $0.delegate?.application($0, performActionFor: item, completionHandler: complete)
        }
      }
      call(.windowScenePerformActionForShortcutItem, of: scene, completing: complete) { _ in
        guard let delegate = scene.delegate else { return complete() }
        delegate.windowScene(scene, performActionFor: item, completionHandler: complete)
      }
    case .activity(let activity):
      say(.activity, Subject(scene), activity.activityType)
      guard let scene else {
        return call(.applicationContinueUserActivity) {
          _ = $0.delegate?.application($0, continue: activity)
        }
      }
      call(.sceneContinueUserActivity, of: scene) { _ in
        scene.delegate?.scene(scene, continue: activity)
      }
    }
  }

  /// Hands over a notification that the user has tapped.
  private func respond(_ response: NotificationResponse, in scene: Scene?) {
    guard let process else { return }
    let complete = deliver(.notification, response.identifier, to: Subject(scene))
    turn(process) {
      guard let handler = process.notificationHandler else { return complete() }
      handler(response, complete)
    }
  }

  // MARK: Waking and handing over

  /// Has `event` handled: by a process that runs, by one that is resumed for it, or by one that is
  /// launched into the background.
  private func wakeInBackground(_ reason: LaunchReason, _ event: @escaping () -> Void) {
    guard let process, process.application != nil else {
      launchIntoBackground(reason, event)
      return fall()
    }
    guard process.isSuspended else {
      event()
      considerSuspension()
      return fall()
    }

    resume()
    tellBackground()
    event()
    planSnapshot()
  }

  private func say(_ delivery: Delivery, _ subject: Subject, _ label: String = "") {
    host.pace()
    host.say(.deliver, name: delivery.rawValue, subject, label: label)
  }

  private func push(_ label: String) {
    let complete = deliver(.push, label, limits.completion)
    call(.applicationDidReceiveRemoteNotification, completing: complete) {
      $0.delegate?.application(
        $0, didReceiveRemoteNotification: ["id": label], fetchCompletionHandler: complete)
    }
  }

  /// Hands over what has a completion handler, and makes the handler.
  ///
  /// In the background the process stays awake until it is called, and dies when `limit` is over before;
  /// in the foreground nobody waits for it. `keepsAwake` also holds for what begins in the foreground.
  func deliver(
    _ delivery: Delivery, _ label: String, to subject: Subject = .app, _ limit: Nanoseconds? = nil,
    keepsAwake: Bool = false
  ) -> @MainActor () -> Void {
    guard let process, let application = process.application else { return {} }
    say(delivery, subject, label)
    lastNumbers.delivery += 1
    let number = lastNumbers.delivery
    let isAwaited = process.state == .background
    let watch =
      isAwaited ? limit.flatMap { self.watch($0, .uncompleted(delivery)) } : nil
    process.deliveries.append(
      AppProcess.OpenDelivery(
        number: number, keepsAwake: isAwaited && limit != nil || keepsAwake, watch: watch))
    return { [weak self] in
      application.record(.complete, delivery.rawValue, subject, label)
      guard let self, process.isAlive,
        let index = process.deliveries.firstIndex(where: { $0.number == number })
      else { return }
      process.deliveries.remove(at: index)
      self.unwatch(watch)
      self.considerSuspension()
    }
  }
}
