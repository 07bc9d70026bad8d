import LifecycleModel

/// The tasks of BGTaskScheduler.
extension LifecycleDriver {
  func runBackgroundTask(_ identifier: String) {
    guard let process, let application = process.application,
      let registration = process.launchHandlers[identifier],
      process.runningBGTasks.insert(identifier).inserted
    else { return }

    // Minutes for processing, half a minute for a refresh; what the user has begun goes on.
    let limit: Nanoseconds? =
      switch registration.kind {
      case .refresh: limits.completion
      case .processing: 10 * limits.completion
      case .continued: nil
      }

    let complete = deliver(
      .bgtask, identifier, limit.map { $0 + limits.expiration }, keepsAwake: true)
    let task = BGTask(identifier, application)
    task.complete = { [unowned task] in
      process.plans.remove(task.expiry)
      process.runningBGTasks.remove(identifier)
      complete()
    }

    if let limit {
      task.expiry = process.plans.add(
        { [weak self] in
          self?.turn(process) {
            application.record(.bgtaskExpire, identifier, .app)
            task.expirationHandler?()
          }
        }, due: now + limit)
    }

    turn(process) {
      application.record(
        .bgtaskLaunch, identifier, .app, "",
        attributes: [Attribute(.kind, registration.kind.rawValue)])
      registration.handler(task)
    }
  }
}
