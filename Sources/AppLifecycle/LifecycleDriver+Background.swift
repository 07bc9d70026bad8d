import LifecycleModel

/// What the system does with a process that nobody looks at.
extension LifecycleDriver {
  // MARK: Snapshot and suspension

  /// Plans the snapshot of what is in the background, after which the process may be suspended.
  func planSnapshot() {
    guard let process,
      process.state == .background
        || process.scenes.contains(where: { $0.activationState == .background })
    else { return }
    cancelPlans()
    process.snapshotPlan = process.plans.add(
      { [weak self] in self?.takeSnapshots() },
      due: now + variation.delay(limits.snapshotDelay))
  }

  func cancelPlans() {
    guard let process else { return }
    process.plans.remove(process.snapshotPlan)
    process.plans.remove(process.suspensionPlan)
    process.snapshotPlan = nil
    process.suspensionPlan = nil
  }

  /// Each scene in the background, or the app without scenes; sometimes in light and in dark.
  private func takeSnapshots() {
    guard let process else { return }
    process.snapshotPlan = nil
    let scenes = process.scenes.filter { $0.activationState == .background }.map(\.subject)
    let subjects = options.mode == .scene ? variation.order(scenes) : [.app]

    for subject in subjects + (variation.sometimes() ? subjects : []) {
      host.pace()
      host.say(.snapshotBegin, subject)
      host.wait(until: now + limits.snapshot)
      host.say(.snapshotEnd, subject)
    }
    considerSuspension()
  }

  /// Whether nothing keeps the process awake.
  private var canSuspend: Bool {
    guard let process, process.isLaunched, !process.isSuspended, process.state == .background,
      !options.isDebugged
    else { return false }
    return process.tasks.isEmpty && !process.deliveries.contains(where: \.keepsAwake)
      && process.snapshotPlan == nil && !isKeptAwakeByMode
  }

  /// Whether a background mode that the app declares keeps it awake for what it is doing.
  private var isKeptAwakeByMode: Bool {
    guard let process else { return false }
    let modes = options.backgroundModes
    return modes.contains("audio") && process.holds(.audioSession)
      || modes.contains("location") && process.locationHandler != nil
      || modes.contains("voip") && (process.holds(.audioSession) || process.holds(.socket))
  }

  /// Plans the suspension, if nothing keeps the process awake and it is not planned.
  func considerSuspension() {
    guard let process, canSuspend, process.suspensionPlan == nil else { return }
    process.suspensionPlan = process.plans.add(
      { [weak self] in
        guard let self, let process = self.process else { return }
        process.suspensionPlan = nil
        if self.canSuspend { self.suspend() }
      }, due: now + variation.delay(limits.suspensionDelay))
  }

  private func suspend() {
    guard let process else { return }
    host.pace()
    host.say(.suspend, .app)
    process.isSuspended = true
    process.suspendedSince = now
    if process.holds(.lock) {
      host.pace()
      kill(.lockedFile)
    }
  }

  /// The process goes on running code; what was in progress stood still.
  func resume() {
    guard let process, process.isSuspended else { return }
    host.pace()
    host.say(.resume, .app)
    process.isSuspended = false
    process.agenda.postpone(by: now - process.suspendedSince) { $0.isProgress }
    if case .locked = screen { return }
    tellProtectedData(isAvailable: true)
  }

  // MARK: Background tasks

  func nextTask() -> UInt32 {
    lastNumbers.task += 1
    return lastNumbers.task
  }

  func taskBegan(_ task: AppProcess.BackgroundTask) {
    guard let process else { return }
    process.tasks.append(task)
    process.plans.add(
      { [weak self, weak process] in
        guard let process, process.tasks.contains(where: { $0.number == task.number }) else {
          return
        }
        self?.host.say(.taskGranted, .task(task.number))
      }, due: now + .milliseconds(1))
    updateBudget()
    if process.tasks.count > limits.openTasks && !options.isDebugged { kill(.tooManyTasks) }
  }

  func taskEnded(_ number: UInt32, of process: AppProcess) {
    guard process.isAlive, let index = process.tasks.firstIndex(where: { $0.number == number })
    else { return }
    process.tasks.remove(at: index)
    updateBudget()
    if process.isQuitting && process.tasks.isEmpty { return terminate() }
    considerSuspension()
  }

  /// What is left of the time that tasks may hold the process in the background; `nil`: no limit.
  var backgroundTimeLeft: Nanoseconds? {
    guard let process, process.state == .background else { return nil }
    let held = process.budgetUsed + (process.budgetSince.map { now - $0 } ?? 0)
    return max(0, limits.backgroundTasks - held)
  }

  /// One budget a process: it runs while a task is open in the background, and is whole again after
  /// the foreground.
  func updateBudget() {
    guard let process else { return }
    let isHeld = process.state == .background && !process.tasks.isEmpty
    if isHeld, process.budgetSince == nil {
      let left = max(0, limits.backgroundTasks - process.budgetUsed)
      process.budgetSince = now
      process.budgetWatch = watch(left + limits.expiration, .taskAssertion)
      process.budgetPlan = process.plans.add(
        { [weak self] in self?.expireTasks() }, due: now + left)
    } else if !isHeld, let since = process.budgetSince {
      if process.state == .background { process.budgetUsed += now - since }
      process.budgetSince = nil
      unwatch(process.budgetWatch)
      process.plans.remove(process.budgetPlan)
    }
  }

  /// The time is over: handlers run one after another on the main thread, each about a second; what is
  /// open then costs the process its life.
  private func expireTasks() {
    guard let process else { return }
    let end = now + limits.expiration
    unwatch(process.budgetWatch)
    for task in variation.order(process.tasks) {
      guard process.isAlive, let handler = task.handler,
        process.tasks.contains(where: { $0.number == task.number })
      else { continue }
      host.pace()
      let watch = self.watch(limits.expiration, .taskAssertion)
      turn(process) { host.recorder.taskExpires(task.number, handler) }
      unwatch(watch)
    }

    guard process.isAlive, !process.tasks.isEmpty, process.state == .background else { return }
    process.budgetWatch = watch(max(0, end - now), .taskAssertion)
  }
}
