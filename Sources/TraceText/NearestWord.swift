/// Finds the known word that was probably meant.
package enum NearestWord {
  /// The word of `known` that is nearest to `word`; `nil` when none is near.
  ///
  /// Near is what a slip of the hand makes of it; else the first that begins with the word, or has it.
  package static func of(_ word: String, in known: [String]) -> String? {
    let limit = min(max(2, word.count / 3), word.count - 1)
    let near = known.map { (distance: distance(Array(word), Array($0)), word: $0) }
      .min { ($0.distance, $0.word) < ($1.distance, $1.word) }
    if let near, near.distance <= limit { return near.word }
    guard word.count > 2 else { return nil }
    return known.filter { $0.contains(word) }
      .min { ($0.hasPrefix(word) ? 0 : 1, $0) < ($1.hasPrefix(word) ? 0 : 1, $1) }
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
