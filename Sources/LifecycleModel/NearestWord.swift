/// Finds the known word that was probably meant.
package enum NearestWord {
  /// The word of `known` that is nearest to `word`; `nil` when none is near.
  package static func of(_ word: String, in known: [String]) -> String? {
    let limit = max(2, word.count / 3)
    let near = known.map { (distance: distance(Array(word), Array($0)), word: $0) }
      .min { ($0.distance, $0.word) < ($1.distance, $1.word) }
    guard let near, near.distance <= limit else { return nil }
    return near.word
  }

  /// The word of `known` that is nearest to `word`, however far; `nil` when there is none.
  package static func nearest(to word: String, in known: [String]) -> String? {
    known.map { (distance: distance(Array(word), Array($0)), word: $0) }
      .min { ($0.distance, $0.word) < ($1.distance, $1.word) }?.word
  }

  /// How many characters must be put in, taken out or exchanged.
  package static func distance(_ left: [Character], _ right: [Character]) -> Int {
    var row = Array(0...right.count)
    for (index, character) in left.enumerated() {
      var diagonal = row[0]
      row[0] = index + 1
      for (place, other) in right.enumerated() {
        let above = row[place + 1]
        row[place + 1] = min(above + 1, row[place] + 1, diagonal + (character == other ? 0 : 1))
        diagonal = above
      }
    }
    return row[right.count]
  }
}
