import LifecycleModel

/// One step of an app or a scene from one state to another: its call, its notification, and the
/// system's word on it.
struct Passage {
  let callback: Callback
  let subject: Subject
  let call: Int
  let end: Int
  /// The notification of the same subject, where there is one.
  let notify: Int?
  /// The system's word about this subject.
  let state: Int?

  /// The places of all its parts, without what the app did in it.
  var parts: [Int] { [call, end, notify, state].compactMap(\.self).sorted() }

  /// From the first part to the last.
  var range: Range<Int> { parts[0]..<(parts[parts.count - 1] + 1) }

  /// Callbacks with a notification that lead to no other state.
  private static let others: Set<Callback> = [
    .applicationDidReceiveMemoryWarning, .applicationSignificantTimeChange,
    .applicationProtectedDataWillBecomeUnavailable, .applicationProtectedDataDidBecomeAvailable,
  ]

  /// All that were walked to their end, in order.
  static func all(in trace: ReferenceTrace) -> [Passage] {
    trace.events.indices.compactMap { Passage($0, trace) }
  }

  private init?(_ index: Int, _ trace: ReferenceTrace) {
    let event = trace.events[index]
    let process = trace.process(index)
    guard event.verb == .call,
      let callback = Callback(event.name), !Passage.others.contains(callback),
      let notification = callback.notification,
      let end = (index..<process.upperBound).first(where: {
        let other = trace.events[$0]
        return other.verb == .return && other.name == event.name && other.subject == event.subject
      })
    else { return nil }

    self.callback = callback
    subject = event.subject
    call = index
    self.end = end

    // What belongs together stands within a millisecond.
    func isNear(_ place: Int) -> Bool {
      let instant = trace.events[place].instant
      return trace.events[index].instant.since(instant) <= .milliseconds(1)
        && instant.since(trace.events[end].instant) <= .milliseconds(1)
    }

    let near = (max(process.lowerBound, index - 12)..<min(process.upperBound, end + 12))
      .filter(isNear)
    notify = near.first {
      trace.events[$0].verb == .notify && trace.events[$0].name == notification.symbol
        && trace.events[$0].subject == event.subject
    }
    state = near.last {
      trace.events[$0].verb == .state && trace.events[$0].subject == event.subject
        && Passage.leads(trace.vocabulary.text(trace.events[$0].name), callback)
    }
  }

  /// Whether a transition is the one that a callback tells of.
  private static func leads(_ transition: String, _ callback: Callback) -> Bool {
    let to: [Callback: String] = [
      .applicationDidBecomeActive: "inactive->active",
      .applicationWillResignActive: "active->inactive",
      .applicationDidEnterBackground: "inactive->background",
      .applicationWillEnterForeground: "background->inactive",
      .sceneWillConnect: "unattached->background",
      .sceneWillEnterForeground: "background->foregroundInactive",
      .sceneDidBecomeActive: "foregroundInactive->foregroundActive",
      .sceneWillResignActive: "foregroundActive->foregroundInactive",
      .sceneDidEnterBackground: "foregroundInactive->background",
    ]
    return to[callback] == transition
  }
}

extension CleanTrace {
  /// The passages of these callbacks.
  func passages(_ callbacks: Callback...) -> [Passage] {
    passages.filter { callbacks.contains($0.callback) }
  }

  /// The next passage of the same subject in the same process.
  func next(_ passage: Passage) -> Passage? {
    let process = reference.process(passage.call)
    return passages.first {
      $0.call > passage.call && process.contains($0.call) && $0.subject == passage.subject
    }
  }

  /// The passages before it of the same subject in the same process.
  func previous(_ passage: Passage) -> [Passage] {
    let process = reference.process(passage.call)
    return passages.filter {
      $0.call < passage.call && process.contains($0.call) && $0.subject == passage.subject
    }
  }
}
