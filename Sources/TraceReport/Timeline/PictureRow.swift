/// A row of a picture in a terminal: a cell a column.
struct PictureRow: Sendable {
  /// What a cell means, for its colour.
  enum Tone: UInt8, Sendable {
    case plain, active, inactive, background, dim, bad
  }

  private struct Cell: Sendable {
    var character: Character = " "
    var tone = Tone.plain
    /// How much of the column is covered by what stands there, from 0 to 1.
    var cover = 0.0
  }

  private var cells: [Cell]

  init(width: Int) { cells = Array(repeating: Cell(), count: width) }

  /// Whether nothing stands there.
  var isEmpty: Bool { cells.allSatisfy { $0.character == " " } }

  /// Puts a character where nothing covers more of the column.
  mutating func put(_ character: Character, _ tone: Tone, at column: Int, cover: Double) {
    guard cells.indices.contains(column), cells[column].cover <= cover else { return }
    cells[column] = Cell(character: character, tone: tone, cover: cover)
  }

  /// The character at a column.
  subscript(column: Int) -> Character { cells[column].character }

  /// Whether nothing stands in any of these columns.
  func isFree(_ columns: Range<Int>) -> Bool {
    columns.lowerBound >= 0 && columns.upperBound <= cells.count
      && cells[columns].allSatisfy { $0.character == " " }
  }

  /// Writes a text over the cells.
  mutating func write(_ text: String, _ tone: Tone, at column: Int) {
    for (offset, character) in text.enumerated() where cells.indices.contains(column + offset) {
      cells[column + offset].character = character
      cells[column + offset].tone = tone
    }
  }

  /// The row as text, without the blanks at its end.
  func text(_ paint: LanePicture.Paint) -> String {
    let length = (cells.lastIndex { $0.character != " " } ?? -1) + 1
    var text = ""
    var run = ""
    var tone = Tone.plain

    for cell in cells.prefix(length) {
      if cell.tone != tone && cell.character != " " {
        text += paint(run, tone)
        (run, tone) = ("", cell.tone)
      }
      run.append(cell.character)
    }
    return text + paint(run, tone)
  }
}

extension TextStyle {
  /// A piece of a picture in the color of its tone.
  func toned(_ text: String, _ tone: PictureRow.Tone) -> String {
    if text.isEmpty { return "" }
    switch tone {
    case .plain: return text
    case .active: return good(text)
    case .inactive: return severity(.warning, text)
    case .background: return severity(.info, text)
    case .dim: return dim(text)
    case .bad: return severity(.error, text)
    }
  }
}
