import LifecycleModel

/// A lane of the picture of a run: one line of bars, marks or values, such as the states of the app or
/// the calls of the main thread.
package struct Lane: Hashable, Sendable {
  /// What a lane shows, from the top of the picture to its end.
  package enum Kind: Hashable, Sendable {
    /// The states of the app.
    case app
    /// The states of a scene.
    case scene(UInt32)
    /// The process, its snapshots and its suspensions.
    case system
    /// Calls, observers, expiration handlers and work of a thread.
    case thread(WriterID)
    /// Background tasks, those of BGTaskScheduler too.
    case tasks
    /// Held resources.
    case held
    /// Data with unsaved changes.
    case unsaved
    /// What the system handed to the app.
    case deliveries
    /// Instants of work of a category.
    case work(Symbol)
    /// Notifications.
    case notifications
    /// Notes.
    case notes
    /// A value that was sampled.
    case counter(Symbol)
    /// What has no lane of its own, as there are too many: scenes, threads, categories of work.
    case others
  }

  /// What it shows.
  package let kind: Kind
  /// Its name for a person: `Main thread`, `Work: timer`.
  package let title: String
  /// Its rank from the top of the picture to its end; lanes of one rank stand in the order of their numbers, or in
  /// that in which they came.
  let rank: Int
  let number: UInt32
  /// What stands on it, in a word.
  let word: String
  /// Its color, by its word in the style of a page.
  let color: String
  /// What it stands under in a viewer that has groups, if anything.
  let group: Group?

  private typealias Facts = (Int, UInt32, String, String, Group?, String)

  init(_ kind: Kind, _ vocabulary: Vocabulary) {
    self.kind = kind
    let facts: Facts =
      switch kind {
      case .app: (0, 0, "state", "app", .lifecycle, "App")
      case .scene(let number): (1, number, "state", "scene", .lifecycle, "Scene \(number)")
      case .system: (2, 0, "system", "system", .lifecycle, "System")
      case .thread(.main): (3, 0, "call", "thread", nil, "Main thread")
      case .thread(.system): (4, 0, "call", "thread", nil, "Thread unknown")
      case .thread(let writer):
        (4, 0, "call", "thread", nil, "Thread " + vocabulary.name(of: writer))
      case .tasks: (5, 0, "task", "task", .work, "Background tasks")
      case .held: (6, 0, "held", "held", .work, "Held")
      case .unsaved: (7, 0, "unsaved", "unsaved", .work, "Unsaved")
      case .deliveries: (8, 0, "delivery", "delivery", .work, "Deliveries")
      case .work(let category):
        (9, 0, "work", "work", .work, "Work: " + vocabulary.text(category))
      case .notifications: (10, 0, "notification", "notify", .work, "Notifications")
      case .notes: (11, 0, "note", "notify", .work, "Notes")
      case .counter(let name): (12, 0, "value", "counter", nil, vocabulary.text(name))
      case .others: (13, 0, "other", "work", .work, "Others")
      }

    (rank, number, word, color, group, title) = facts
  }

  /// Whether its bars are states, of which one follows the other.
  package var isStates: Bool { word == "state" }

  /// What lanes stand under in a viewer that has groups.
  enum Group: String, CaseIterable {
    case findings = "Findings"
    case lifecycle = "Lifecycle"
    case work = "Work"
  }
}

extension Lane.Kind {
  /// Whether there may be lanes of this kind without number.
  var isOneOfMany: Bool {
    switch self {
    case .scene, .thread, .work, .counter: true
    default: false
    }
  }
}

extension [Lane] {
  /// The places of the lanes from the top of the picture to its end.
  package var pictureOrder: [Int] {
    indices.sorted { first, second in
      let (one, other) = (self[first], self[second])
      return (one.rank, one.number, first) < (other.rank, other.number, second)
    }
  }
}
