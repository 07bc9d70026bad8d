import LifecycleModel

/// Reads what Apple's own tools print, and makes events of the life of one app.
///
/// The framing is recognised from the first lines; the article `ConsoleImport` names those that are
/// known. Memory is bounded whatever the input, but for the
/// words that the vocabulary keeps.
///
/// ```swift
/// import LifecycleModel
/// import TraceSources
///
/// /// The events of an app that the lines of a console contain.
/// func events(ofConsole text: String, app: String) throws -> [Event] {
///   var source = ConsoleSource(options: ConsoleSource.Options(app: app))
///   var events: [Event] = []
///   try source.take(Array(text.utf8)[...], into: &events)
///   try source.finish(into: &events)
///   return events
/// }
/// ```
public struct ConsoleSource: TraceSource {
  /// A day of the calendar.
  public struct Day: Hashable, Sendable {
    /// Days since 1970.
    let days: Int

    /// Makes a day, such as 2026, 11, 21; `nil` when the calendar or the importer's years, 1970 to 2200, have
    /// none such.
    public init?(year: Int, month: Int, day: Int) {
      guard (1970...2200).contains(year), (1...12).contains(month), (1...31).contains(day),
        month != 2 || day < 30, day < 31 || ![4, 6, 9, 11].contains(month)
      else { return nil }
      days = ConsoleStamp.days(year: year, month: month, day: day)
    }

    /// Reads `2026-11-21`; `nil` when that is no day.
    public init?(_ text: String) {
      let parts = text.split(separator: "-", omittingEmptySubsequences: false)
      guard parts.count == 3, let year = Int(parts[0]), let month = Int(parts[1]),
        let day = Int(parts[2])
      else { return nil }
      self.init(year: year, month: month, day: day)
    }
  }

  /// What the person says that the text does not.
  public struct Options: Hashable, Sendable {
    /// The app, by the name of its process or its bundle identifier; needed when several print.
    public var app: String?
    /// The day on which the input begins, for stamps without a date or a year.
    public var date: Day?

    /// Makes options.
    public init(app: String? = nil, date: Day? = nil) {
      self.app = app
      self.date = date
    }
  }

  /// The words that the events refer to.
  public let vocabulary = Vocabulary()

  private let splitter: LineSplitter
  private var reader: ConsoleReader
  private var narrator: ConsoleNarrator
  private var numbering = SequenceNumbering()
  private var (handedOut, gapCount) = (0, 0)

  /// Makes a source; `numbers` are those of the lines, where they are a piece of a longer text.
  public init(options: Options = Options(), numbers: [Int] = []) {
    splitter = LineSplitter(numbers: numbers)
    reader = ConsoleReader(options)
    narrator = ConsoleNarrator(vocabulary: vocabulary)
  }

  /// What was counted so far.
  public var tally: SourceTally {
    var tally = reader.tally
    tally.gaps = gapCount
    tally.hiddenTasks = narrator.hiddenTaskCount
    tally.events = handedOut
    tally.app = app
    return tally
  }

  /// The app that the events are about: the name of its process, or else its bundle identifier;
  /// `nil` while it is not known.
  public var app: String? { reader.identity.process ?? reader.identity.bundle }

  /// Whether a framing reads any of the first lines of a text.
  public static func recognizes(_ text: ArraySlice<UInt8>) -> Bool {
    if isOfAndroid(text.prefix(1 << 16)) { return false }
    var detector = FramingDetector()
    let lines = text.split(separator: 0x0a, omittingEmptySubsequences: false).prefix(1000)
    for (index, line) in lines.enumerated() {
      let plain = TerminalText.plain(line.last == 0x0d ? line.dropLast() : line)
      if plain.count > LineSplitter.maximumLength { return false }
      if (try? detector.take(plain, number: index + 1)) != nil { return true }
    }
    return detector.choose() != nil
  }

  /// Whether a text is about an app on Android, whose runtimes print the same words.
  private static func isOfAndroid(_ text: ArraySlice<UInt8>) -> Bool {
    ["AndroidRuntime", "/dalvik", "E/mono-rt", "libart.so"].contains(where: text.contains)
      && !["UIKit", "CoreFoundation", "iPhone"].contains(where: text.contains)
  }

  /// The wall clock at instant 0; `nil` when the day or the zone is not known.
  public var wallOrigin: Nanoseconds? { reader.clock.wallOrigin }
  /// The time of day at the origin, since midnight, by the clock that stamped the lines; `nil` until it is
  /// known, and when ``wallOrigin`` says more.
  public var timeOfDay: Nanoseconds? { reader.clock.timeOfDay }

  /// Takes the next bytes; the chunks make no difference.
  ///
  /// Throws a ``SourceError`` when several apps print lifecycle lines and none was chosen, or when
  /// ten thousand lines are in no known form.
  public mutating func take(_ bytes: ArraySlice<UInt8>, into events: inout [Event]) throws {
    defer { handOut(into: &events) }
    try splitter.take(bytes) { number, line in
      try reader.take(line, number)
      try handOutDue()
    }
  }

  /// Lets the last record and the reorder window go out, once the app is known.
  public mutating func flush(into events: inout [Event]) throws {
    defer { handOut(into: &events) }
    try chooseFraming()
    try reader.endRecord()
    guard reader.identity.isKnown else { return }
    narrate(all: true)
    narrator.stopWaiting()
  }

  /// Forgets a line whose end has not come.
  public mutating func forgetUnfinishedLine() { splitter.forgetUnfinishedLine() }

  /// Notes that lines are missing here, as when a device was disconnected: an unfinished line is
  /// forgotten, and a `gap` stands in the place of what nobody knows.
  public mutating func noteCut(into events: inout [Event]) throws {
    defer { handOut(into: &events) }
    splitter.forgetUnfinishedLine()
    try chooseFraming()
    try reader.takeCut()
  }

  /// Takes a last line without an end; hands out all events that are left.
  ///
  /// Throws a ``SourceError`` when no line is in a known form, or when the app does not appear.
  public mutating func finish(into events: inout [Event]) throws {
    defer { handOut(into: &events) }
    try splitter.finish { number, line in
      try reader.takeUnended(line, number)
      try handOutDue()
    }
    try chooseFraming()
    try reader.end()
    if let error = reader.unknownForm { throw error }
    reader.settle()
    narrate(all: true)
    narrator.finish()
    if !narrator.isOpen { throw reader.identity.notFound }
  }

  private mutating func chooseFraming() throws {
    reader.chooseFraming()
    try handOutDue()
  }

  /// Narrates what is due; then takes the lines by which the framing was chosen, as if each came now.
  private mutating func handOutDue() throws {
    repeat { if reader.isAnythingDue { narrate(all: false) } } while try reader.takeNext()
  }

  /// Narrates the sightings that are due, or all.
  private mutating func narrate(all: Bool) {
    while let (sighting, ahead) = reader.next(all: all) {
      narrator.bundle = reader.identity.bundle
      narrator.process = reader.identity.name
      narrator.hasUIKitSpoken = reader.hasUIKitSpoken
      narrator.ahead = ahead
      narrator.tell(sighting)
      narrator.ahead = []
    }
  }

  private mutating func handOut(into events: inout [Event]) {
    for index in narrator.events.indices {
      numbering.number(&narrator.events[index], in: vocabulary)
      if narrator.events[index].verb == .gap { gapCount += 1 }
    }
    handedOut += narrator.events.count
    events += narrator.events
    narrator.events.removeAll(keepingCapacity: true)
    guard vocabulary.isLarge else { return }
    vocabulary.heldBack = VocabularyUse()
    for event in narrator.waiting { vocabulary.heldBack.add(event) }
  }
}
