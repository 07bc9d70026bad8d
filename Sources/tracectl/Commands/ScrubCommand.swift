import ArgumentParser
import LifecycleModel
import LifecycleRules
import TraceLog
import TraceText

/// `tracectl scrub`: a log that can be shown to anybody.
struct ScrubCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "scrub",
    abstract: "Replace what a log says of the app, so that it can be shown to anybody.",
    discussion: """
      Callbacks, UIKit names, categories, states, codes, numbers and times stay. All other words are replaced: labels, notes, identifiers, bundle, paths, threads, and attributes that tracectl does not know. The same word has the same replacement in the whole log, so that tracectl finds the same in both. The clocks in the log's header are left out.

        tracectl scrub log.bin -o public.bin
        tracectl scrub log.bin --keep label=autosave --drop at --hash pid

      A pattern names where the word stands, and maybe what it looks like: label, name, writer, verb, the key of an attribute, or * for any; then = and a word with * and ?. Of several patterns --drop wins, then --hash. Without -o, the scrubbed log.bin is log.scrubbed.bin.
      """)

  @OptionGroup var input: LogArgument

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
      """, valueName: "secret"))
  var salt: String?

  @Flag(help: "Keep the clocks in the header: when it was recorded, and in which boot.")
  var keepTime = false

  @OptionGroup var derived: DerivedLogOptions

  @OptionGroup(title: "Console text") var console: ConsoleOptions

  func validate() throws {
    for (option, texts) in [("--keep", keep), ("--drop", drop), ("--hash", hash)] {
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

  func run() throws {
    let path = try input.path()
    let log = try DerivedLog(
      derived.path(madeOf: path, "scrubbed"), derived, madeOf: [path])
    var source = try SourceLog(
      path,
      settings: InputSettings(
        console: console.options, isQuiet: derived.quiet, work: derived.work.limit))
    let scrubber = makeScrubber()
    let vocabulary = Vocabulary()
    var translation = EventTranslation(from: source.vocabulary, to: vocabulary, scrubber)
    let beginning = try source.beginning.told(by: &translation, writer: scrubber.writer)
    var whole = WholeEvents(vocabulary, after: beginning.part)
    try log.begin(vocabulary, identity(source), after: beginning)

    var events: [Event] = []
    while try source.read(into: &events) {
      try log.append(whole.take(events.map { try translation.event($0) }))
      try log.forgetUnusedWords()
      source.vocabulary.forgetAllIfLarge()
    }
    let made = try log.close()
    tellUnused(scrubber)
    if !derived.quiet {
      Terminal.printError([source.damage].compactMap(\.self) + whole.changes + [made])
    }
  }

  private func makeScrubber() -> Scrubber {
    var policy = Scrubber.Policy()
    policy.keep = keep.compactMap { ScrubPattern($0) }
    policy.drop = drop.compactMap { ScrubPattern($0) }
    policy.hash = hash.compactMap { ScrubPattern($0) }
    return Scrubber(
      policy, salt.map { KeyedHash(salt: $0) } ?? KeyedHash(), systemWords: DeathCauses.publicWords)
  }

  /// Says which patterns meant no word: with a slip of the hand in one, a secret stays.
  private func tellUnused(_ scrubber: Scrubber) {
    for (option, patterns) in [("--keep", keep), ("--drop", drop), ("--hash", hash)] {
      for text in patterns where !scrubber.used.contains(text) {
        Terminal.printError(
          "\(option) \(InertText.word(text)): no word of the log matches this pattern")
      }
    }
  }

  /// Which log it is and when it began says whose it is.
  private func identity(_ source: SourceLog) -> LogIdentity {
    var identity = LogIdentity.imported(originWall: nil)
    guard keepTime else { return identity }
    let known = source.identity
    (identity.originWall, identity.originMonotonic) = (known.originWall, known.originMonotonic)
    (identity.originBoottime, identity.bootID) = (known.originBoottime, known.bootID)
    return identity
  }
}
