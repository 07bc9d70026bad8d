/// What the documents say about the order of callbacks and notifications, told a second time and over
/// whole words: slow, and obviously right.
struct LegalReference: Sendable {
  /// A callback, or a notification: `name` counts in the reference's names.
  struct Letter: Hashable, Sendable {
    var isCall: Bool
    var name: Int

    /// The letter as the set of itself.
    var bit: Letters { 1 << UInt32(2 * name + (isCall ? 0 : 1)) }
  }

  typealias Letters = UInt32

  /// A sentence about a word.
  enum Sentence: Sendable {
    /// No culprit after an opening unless a closing lies between.
    case never(Letters, after: Letters, without: Letters)
    /// No culprit before there was one of the first.
    case neverBefore(Letters, Letters)
    /// In each stretch between two `until` the first comes before the second, where both come.
    case order(Letters, Letters, until: Letters)

    func isBroken(_ word: [Letter]) -> Bool {
      var course = Course()
      return word.contains { isBroken(by: $0.bit, &course) }
    }

    /// Whether the next letter of a word breaks it.
    func isBroken(by bit: Letters, _ course: inout Course) -> Bool {
      switch self {
      case .never(let culprit, let opening, let closing):
        if course.isOpen && culprit & bit != 0 { return true }
        if closing & bit != 0 { course.isOpen = false }
        if opening & bit != 0 { course.isOpen = true }
      case .neverBefore(let culprit, let first):
        if !course.isOpen && culprit & bit != 0 { return true }
        if first & bit != 0 { course.isOpen = true }
      case .order(let first, let second, let until):
        // A first answers for one second behind it, however often it came.
        if until & bit != 0 { course.ahead = 0 }
        if first & bit != 0 {
          if course.ahead < 0 { return true }
          course.ahead = 1
        }
        if second & bit != 0 { course.ahead = course.ahead > 0 ? 0 : -1 }
      }
      return false
    }
  }

  /// How far a sentence has come in a word.
  struct Course {
    var isOpen = false
    var ahead: Int8 = 0
  }

  let names: [String]
  let addable: Letters
  let sentences: [Sentence]

  var letters: [Letter] {
    names.indices.flatMap { [Letter(isCall: true, name: $0), Letter(isCall: false, name: $0)] }
  }

  func isLegal(_ word: [Letter], _ sentences: [Sentence]) -> Bool {
    for sentence in sentences where sentence.isBroken(word) { return false }
    return true
  }

  /// An app without scenes: the transition table, and the rules of order without scenes.
  static let app: LegalReference = {
    let names = ["active", "resign", "background", "foreground", "terminate"]
    let (call, note, both) = sets(names)
    let moving = ["active", "resign", "background", "foreground"]
    return LegalReference(
      names: names, addable: both(moving),
      sentences: [
        .never(both(["background"]), after: both(["active"]), without: both(["resign"])),
        .never(call(["active"]), after: call(["active"]), without: both(["resign"])),
        .never(call(["resign"]), after: call(["resign"]), without: both(["active"])),
        .never(
          note(["active"]), after: note(["active"]), without: both(["resign", "background"])),
        .never(
          note(["resign"]), after: note(["resign"]), without: both(["active", "foreground"])),
        .neverBefore(call(["resign"]), both(["active"])),
        .neverBefore(note(["resign"]), both(["active"]) | call(["resign"])),
        .never(
          call(["background"]), after: call(["background"]),
          without: both(["foreground", "active"])),
        .never(
          note(["background"]), after: note(["background"]),
          without: both(["foreground", "active"])),
        .never(both(["active"]), after: both(["background"]), without: both(["foreground"])),
        .neverBefore(call(["foreground"]), both(["background"])),
        .never(
          call(["foreground"]), after: call(["active", "foreground"]),
          without: both(["background"])),
        .never(call(moving), after: note(["terminate"]), without: 0),
        .order(call(["resign"]), note(["resign"]), until: both(["active", "background"])),
        .order(call(["terminate"]), note(["terminate"]), until: 0),
        .never(call(["background"]), after: call(["foreground"]), without: both(["active"])),
      ])
  }()

  /// A scene: its transition table, and the rules of the order of scenes.
  static let scene: LegalReference = {
    let names = ["connect", "foreground", "active", "resign", "background", "disconnect"]
    let (call, note, both) = sets(names)
    let others = Array(names.dropFirst())
    return LegalReference(
      names: names, addable: both(names.dropLast()),
      sentences: [
        .neverBefore(both(others), both(["connect"])),
        .never(both(["active"]), after: both(["background"]), without: both(["foreground"])),
        .never(
          both(["active"]), after: both(["connect"]), without: both(["foreground", "background"])),
        .never(call(["active"]), after: call(["active"]), without: both(["resign"])),
        .never(call(["resign"]), after: call(["resign"]), without: both(["active"])),
        .never(
          note(["active"]), after: note(["active"]), without: both(["resign", "background"])),
        .never(
          note(["resign"]), after: note(["resign"]), without: both(["active", "foreground"])),
        .neverBefore(call(["resign"]), both(["active"])),
        .neverBefore(note(["resign"]), both(["active"]) | call(["resign"])),
        .never(
          call(["background"]), after: call(["background"]),
          without: both(["foreground", "active"])),
        .never(
          note(["background"]), after: note(["background"]),
          without: both(["foreground", "active"])),
        .never(
          call(["foreground"]), after: call(["active", "foreground"]),
          without: both(["background"])),
        .never(
          note(["foreground"]), after: note(["active", "foreground"]),
          without: both(["background"])),
        .never(call(["connect"]), after: call(["connect"]), without: both(["disconnect"])),
        .never(note(["connect"]), after: note(["connect"]), without: both(["disconnect"])),
        .never(both(["background"]), after: both(["active"]), without: both(["resign"])),
        .never(both(["disconnect"]), after: both(["active"]), without: both(["resign"])),
        .never(both(names.dropLast()), after: both(["disconnect"]), without: 0),
        .never(call(["disconnect"]), after: call(["disconnect"]), without: 0),
        .never(note(["disconnect"]), after: note(["disconnect"]), without: 0),
        .never(
          call(["background"]), after: call(["foreground"]),
          without: both(["active"]) | call(["disconnect"])),
      ])
  }()

  private typealias SetMaker = @Sendable ([String]) -> Letters

  /// Sets of letters by names: the calls, the notifications, and both.
  private static func sets(_ names: [String]) -> (SetMaker, SetMaker, SetMaker) {
    @Sendable func bits(_ wanted: [String], _ kinds: [Bool]) -> Letters {
      var bits: Letters = 0
      for name in names.indices where wanted.contains(names[name]) {
        for isCall in kinds { bits |= Letter(isCall: isCall, name: name).bit }
      }
      return bits
    }
    return ({ bits($0, [true]) }, { bits($0, [false]) }, { bits($0, [true, false]) })
  }
}

extension LegalReference {
  /// Whether `count` edits or fewer make `word` legal: tries them all.
  ///
  /// A letter that is dropped here and added there was moved, and counts once.
  func canRepair(_ word: [Letter], in count: Int, _ sentences: [Sentence]) -> Bool {
    var attempt = Attempt(reference: self, word: word, limit: count, sentences: sentences)
    return attempt.canGoOn(from: 0, sentences.map { _ in Course() })
  }

  private struct Attempt {
    let reference: LegalReference
    let word: [Letter]
    let limit: Int
    let sentences: [Sentence]
    let alphabet: [Letter]
    var drops = [Int](repeating: 0, count: 32)
    var adds = [Int](repeating: 0, count: 32)

    init(reference: LegalReference, word: [Letter], limit: Int, sentences: [Sentence]) {
      (self.reference, self.word) = (reference, word)
      (self.limit, self.sentences) = (limit, sentences)
      alphabet = reference.letters.filter { reference.addable & $0.bit != 0 || word.contains($0) }
    }

    /// How many edits there are at least, whatever comes.
    var cost: Int { zip(drops, adds).reduce(0) { $0 + max($1.0, $1.1) } }

    /// Whether no more was added than may be, or was dropped elsewhere.
    var isPossible: Bool {
      alphabet.allSatisfy { letter in
        let slot = letter.bit.trailingZeroBitCount
        return reference.addable & letter.bit != 0 || adds[slot] <= drops[slot]
      }
    }

    /// The courses after one letter more; `nil` when it breaks a sentence.
    private func courses(_ courses: [Course], after letter: Letter) -> [Course]? {
      var courses = courses
      for index in sentences.indices
      where sentences[index].isBroken(by: letter.bit, &courses[index]) { return nil }
      return courses
    }

    mutating func canGoOn(from place: Int, _ courses: [Course]) -> Bool {
      if cost > limit { return false }
      if place == word.count {
        if isPossible { return true }
      } else {
        if let next = self.courses(courses, after: word[place]), canGoOn(from: place + 1, next) {
          return true
        }
        let slot = word[place].bit.trailingZeroBitCount
        drops[slot] += 1
        if canGoOn(from: place + 1, courses) { return true }
        drops[slot] -= 1
      }

      for letter in alphabet {
        let slot = letter.bit.trailingZeroBitCount
        adds[slot] += 1
        if adds[slot] <= limit, let next = self.courses(courses, after: letter),
          canGoOn(from: place, next)
        {
          return true
        }
        adds[slot] -= 1
      }
      return false
    }
  }
}
