import LifecycleModel

/// Kinds of events by their writer and what they are about: a bit for each pair.
///
/// An event is of one kind, and a pattern may mean several: one comparison tells whether it does.
struct EventKinds: Equatable {
  private enum WriterKind: UInt32, CaseIterable {
    case main, otherThread, system

    /// Whether events of this writer fulfil a condition.
    func meets(_ condition: MissingEvent.Thread?) -> Bool {
      switch condition {
      case nil: true
      case .main: self == .main
      case .other: self == .otherThread
      case .app: self != .system
      }
    }
  }

  /// How many bits each kind of writer has: one for each kind of subject, of which there are fewer.
  private static let width: UInt32 = 8
  static let all = EventKinds(nil, subjects: nil)

  /// The lowest 24 bits.
  let bits: UInt32

  @inline(__always)
  init(bits: UInt32) { self.bits = bits }

  /// The kind of one event.
  @inline(__always)
  init(_ event: Event) {
    let writer: WriterKind =
      event.writer == .main ? .main : event.writer == .system ? .system : .otherThread
    bits = 1 &<< (writer.rawValue &* EventKinds.width &+ UInt32(event.subjectKind.rawValue))
  }

  /// The events of writers that fulfil a condition, about these subjects; `nil` for all.
  init(_ writer: MissingEvent.Thread?, subjects: Set<Subject.Kind>?) {
    precondition(Subject.Kind.allCases.allSatisfy { $0.rawValue < EventKinds.width })
    let row: UInt32 = subjects.map { $0.reduce(0) { $0 | 1 << UInt32($1.rawValue) } } ?? 0xFF
    bits = WriterKind.allCases.filter { $0.meets(writer) }.reduce(0) {
      $0 | row << ($1.rawValue * EventKinds.width)
    }
  }

  @inline(__always)
  func contains(_ event: EventKinds) -> Bool { bits & event.bits != 0 }

  private func isSuperset(of other: EventKinds) -> Bool { bits & other.bits == other.bits }

  /// The least calm, no less than `calm`, in which all events are of these kinds; none when there is none.
  func least(from calm: Calm) -> Calm {
    if calm == .running && isSuperset(of: EventKinds(.app, subjects: nil)) { return .running }
    let isOfAppAndScenes = isSuperset(of: EventKinds(.app, subjects: [.app, .scene]))
    return calm != .none && isOfAppAndScenes ? .active : .none
  }
}

extension EventPattern {
  /// The kinds of events that its first branch means.
  var eventKinds: EventKinds { EventKinds(writer, subjects: subjects) }
}
