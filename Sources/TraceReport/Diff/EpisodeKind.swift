import LifecycleModel

/// What an episode of a run is called: runs are compared episode by episode of one kind.
///
/// A *turn* is a hand-over between states of the app, with all that happens in it; a *stay* is the time
/// between two turns.
package enum EpisodeKind {
  /// At most this many states are named.
  private static let statesNamed = 6

  /// Where the turn begins with which a process starts.
  static let start = "start"

  /// `turn active→inactive→background`.
  static func turn(from start: String, through states: [String]) -> String {
    var names = [start] + states
    if names.count > statesNamed {
      names = names.prefix(statesNamed - 2) + ["…"] + names.suffix(1)
    }
    return "turn " + names.joined(separator: "→")
  }

  /// `stay background`.
  static func stay(_ state: String) -> String { "stay \(state)" }

  /// A kind as a person may type it: `->` stands for an arrow, and what has one is a turn.
  package static func read(_ text: String) -> String {
    let text = text.replacing("->", with: "→")
    if text.hasPrefix("turn ") || text.hasPrefix("stay ") { return text }
    return (text.contains("→") ? "turn " : "stay ") + text
  }
}
