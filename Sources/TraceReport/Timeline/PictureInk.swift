/// The characters of a picture in a terminal.
package struct PictureInk: Hashable, Sendable {
  let begin, end, run, short, died, open: Character
  let tick, manyTicks: Character
  let missing, death: Character
  let active, inactive, background, unknown: Character
  let levels: [Character]
  let ellipsis: String

  /// Block and line characters.
  package static let unicode = PictureInk(
    begin: "┣", end: "┫", run: "━", short: "│", died: "✗", open: "▸", tick: "╵", manyTicks: "┃",
    missing: "╱", death: "▲", active: "█", inactive: "▒", background: "░", unknown: "·",
    levels: Array("▁▂▃▄▅▆▇█"), ellipsis: "…")

  /// Characters that every terminal has.
  package static let ascii = PictureInk(
    begin: "[", end: "]", run: "-", short: "|", died: "x", open: ">", tick: "'", manyTicks: "!",
    missing: "/", death: "^", active: "=", inactive: "~", background: ".", unknown: " ",
    levels: Array("_.-=*#"), ellipsis: "..")

  /// The fill of a state of the app or of a scene, by its word.
  func fill(_ state: String) -> Character {
    switch state {
    case "active", "foregroundActive": active
    case "inactive", "foregroundInactive": inactive
    case "background": background
    case "suspended": missing
    default: unknown
    }
  }
}
