import LifecycleModel

extension Application {
  /// Asks who the user is, as `evaluatePolicy` of an LAContext does.
  ///
  /// The system's sheet comes over the app, which resigns. After `seconds` it goes, `completion` runs, and
  /// the app becomes active again. Over an app that is not on screen no sheet comes.
  public func authenticate(
    _ label: String, scene: Scene? = nil, taking seconds: Double,
    completion: @escaping @MainActor () -> Void = {}
  ) {
    guard isRunning else { return }
    let subject = Subject(scene)
    record(.workBegin, WorkCategory.authentication.rawValue, subject, label)
    driver?.showSheet(for: Nanoseconds(seconds: seconds), in: process) {
      self.record(.workEnd, WorkCategory.authentication.rawValue, subject, label)
      completion()
    }
  }
}
