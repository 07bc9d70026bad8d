import LifecycleModel
import TraceAnalysis

/// The tasks of BGTaskScheduler that may use the GPU in the background (iOS 26): those that once said
/// `gpu=true`.
///
/// The right is the app's, and outlives the process.
struct GPUEntitlements: Sendable {
  /// What a rule has to hand to ``note(_:_:)``.
  static let interests: [EventPattern] = [.verbs(.bgtaskRegister, .bgtaskLaunch)]

  private var identifiers = RememberedSet<String>(256)

  /// Sees an event of ``interests``.
  mutating func note(_ event: Event, _ moment: Moment) {
    if moment.attribute(.gpu, event) == "true" {
      identifiers.insert(moment.vocabulary.text(event.name))
    }
  }

  /// Whether such a task runs now; `nil` when the registration of one that runs may be missing.
  ///
  /// Where more were registered than are remembered any may be one.
  func areInUse(_ moment: Moment) -> Bool? {
    let running = moment.state.open.facts(.bgtask)
    let isOne = running.contains {
      identifiers.contains(moment.vocabulary.text($0.event.name)) != false
    }
    if isOne { return true }
    return running.isEmpty || moment.state.lastGap == nil ? false : nil
  }
}
