import ArgumentParser
import LifecycleRules
import TraceText

/// Whether a copy has the app's words, and which of them.
struct ScrubOptions: ParsableArguments {
  @Flag(help: "Replace what the log says of the app, so that the copy can be shown to anybody.")
  var scrub = false

  @Option(
    help: ArgumentHelp("Keep words, such as label=autosave; repeatable.", valueName: "pattern"))
  var keep: [String] = []

  @Option(
    help: ArgumentHelp(
      "Leave out labels or attributes, such as label=token* or at; repeatable.",
      valueName: "pattern"))
  var drop: [String] = []

  @Option(
    help: ArgumentHelp(
      "Replace words that would stay, such as pid; repeatable.", valueName: "pattern"))
  var hash: [String] = []

  @Option(
    help: ArgumentHelp(
      """
      Make replacements from this secret, so that several logs have the same ones. By default each \
      log has its own.
      """, valueName: "secret", visibility: .hidden))
  var salt: String?

  @Flag(help: "Keep the clocks in the header: when it was recorded, and in which boot.")
  var keepTime = false

  /// The patterns, with the option that each was given with.
  private var patterns: [(option: String, texts: [String])] {
    [("--keep", keep), ("--drop", drop), ("--hash", hash)]
  }

  func validate() throws {
    if !scrub, keepTime || salt != nil || patterns.contains(where: { !$0.texts.isEmpty }) {
      throw ValidationError("--keep, --drop, --hash, --salt and --keep-time need --scrub")
    }
    for (option, texts) in patterns {
      for text in texts where ScrubPattern(text) == nil {
        throw ValidationError("\(option) takes a pattern such as label=notes*, not \(text)")
      }
    }
    for text in drop {
      guard let place = ScrubPattern(text)?.place, place != "label",
        place == "*" || ScrubPattern.places.contains(place)
      else { continue }
      throw ValidationError(
        "--drop leaves out labels and attributes; an event needs its \(place == "*" ? "name" : place): "
          + "use --hash \(text)")
    }
    if salt?.isEmpty == true { throw ValidationError("--salt takes a secret, not an empty text") }
  }

  /// What replaces words; `nil` where all of them stay.
  var scrubber: Scrubber? {
    guard scrub else { return nil }
    var policy = Scrubber.Policy()
    policy.keep = keep.compactMap { ScrubPattern($0) }
    policy.drop = drop.compactMap { ScrubPattern($0) }
    policy.hash = hash.compactMap { ScrubPattern($0) }
    return Scrubber(
      policy, salt.map { KeyedHash(salt: $0) } ?? KeyedHash(), systemWords: DeathCauses.publicWords)
  }

  /// A line for each pattern that matched no word: with a slip of the hand in one, a secret stays.
  func unused(by scrubber: Scrubber) -> [String] {
    patterns.flatMap { option, texts in
      texts.filter { !scrubber.used.contains($0) }
        .map { "\(option) \(InertText.word($0)): no word of the log matches this pattern" }
    }
  }
}
