/// What a thread waits for, the most telling first: a thread that waits for a queue does so through a lock.
///
/// The cases and their words are this program's; `libdispatch`, `libsystem_pthread` and Foundation name the functions.
package enum ThreadWait: String, CaseIterable {
  case queue = "another queue"
  case once = "a value that is made once"
  case group = "a dispatch group"
  case semaphore = "a semaphore"
  case thread = "another thread"
  case process = "the answer of another process"
  case network = "the network"
  case lock = "a lock"
  case condition = "a condition"
  case runLoop = "events in a run loop of its own"
  case events = "events, and had nothing to do"

  /// The wait in a text of the form of ``words``; `nil` where it names none.
  package init?(in text: String) {
    guard let wait = Self.allCases.first(where: { text.contains($0.words) }) else { return nil }
    self = wait
  }

  /// `waited for a lock`, as a log states it behind the thread.
  package var words: String { Self.beginning + rawValue }

  /// The beginning of all ``words``.
  package static let beginning = "waited for "
}
