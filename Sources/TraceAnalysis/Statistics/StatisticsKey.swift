import LifecycleModel

extension Statistics {
  /// What kind of thing took time, by what opens and closes it.
  public enum Kind: String, CaseIterable, Sendable {
    /// A delegate callback, `call` … `return`.
    case callback
    /// An observer's handler, `observe` … `observed`.
    case observer
    /// Work of the app with a duration, `work.begin` … `work.end`.
    case work
    /// A resource, `acquire` … `release`.
    case held
    /// A background task, `task.begin` … `task.end`.
    case task
    /// The expiration handler of a background task, `task.expire` … `task.expired`.
    case expiration
    /// A task of BGTaskScheduler, `bgtask.launch` … `bgtask.complete`.
    case bgtask
    /// A datum with unsaved changes, `data.dirty` … `data.save`.
    case unsaved
    /// What the app has to complete, `deliver` … `complete`.
    case delivery
    /// The system's snapshot, `snapshot.begin` … `snapshot.end`.
    case snapshot

    /// The kind of what events of a family open and close; both are in one order.
    package init(_ family: SpanFamily) { self = Kind.allCases[Int(family.rawValue)] }

    /// The family whose events open and close such things.
    package var family: SpanFamily { SpanFamily.allCases[place] }

    /// The place among the kinds, which is their order in a report.
    var place: Int { Kind.allCases.firstIndex(of: self) ?? 0 }
  }

  /// What is counted together: the same thing, whichever app, scene or task it is about.
  public struct Key: Hashable, Sendable {
    /// What kind of thing it is.
    public var kind: Kind
    /// The callback, notification, category, resource or identifier; empty where there is none.
    public var name: String
    /// The app's own word; empty where there is none.
    public var label: String
    /// Whether it stands for all of its kind that have no row of their own.
    public var isOthers: Bool

    /// Makes a key of one thing.
    public init(_ kind: Kind, name: String = "", label: String = "") {
      self.kind = kind
      self.name = name
      self.label = label
      isOthers = false
    }

    /// The key of what an event opens; an identifier of BGTaskScheduler is one task, whatever its label.
    package init(_ event: Event, _ family: SpanFamily, _ vocabulary: Vocabulary) {
      let label = family == .bgtask ? "" : vocabulary.text(event.label)
      self.init(Kind(family), name: vocabulary.text(event.name), label: label)
    }

    /// The key of all of a kind that have no row of their own.
    public static func others(_ kind: Kind) -> Key {
      var key = Key(kind)
      key.isOthers = true
      return key
    }

    /// Which keys stay when there are too many: those with the lowest rank.
    ///
    /// UIKit's callbacks come first; the rest are in an order that their words do not show, so that
    /// a flood of labels of one kind does not drive out the other kinds.
    var rank: UInt64 {
      if kind == .callback && label.isEmpty && Callback(rawValue: name) != nil { return 0 }
      var words = CausalHash()
      for text in [kind.rawValue, name, label] { words.mix(text) }
      // The last bytes have moved only the low bits so far.
      let hash = (words.value ^ words.value >> 32) &* 0x9e37_79b9_7f4a_7c15
      return max(1, hash ^ hash >> 29)
    }
  }
}

extension Statistics.Key: Comparable {
  /// By kind, then by name and label; the others of a kind come last.
  public static func < (lhs: Statistics.Key, rhs: Statistics.Key) -> Bool {
    if lhs.kind != rhs.kind { return lhs.kind.place < rhs.kind.place }
    if lhs.isOthers != rhs.isOthers { return rhs.isOthers }
    return (lhs.name, lhs.label) < (rhs.name, rhs.label)
  }
}
