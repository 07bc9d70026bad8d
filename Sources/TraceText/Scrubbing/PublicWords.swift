import LifecycleModel

/// The words of UIKit, of the system and of this vocabulary: they say nothing of one app.
struct PublicWords: Sendable {
  private let words: Set<String>
  private let systemWords: Set<String>

  /// All words that are known here, and those of `others`, such as the reasons of the system.
  init(_ others: [String] = []) {
    words = PublicWords.values.union(others)
    let parts = others.flatMap { $0.split(separator: " ") }.map { $0.lowercased() }
    systemWords = PublicWords.ofSentences.union(parts)
  }

  /// Whether it is a word of the article `Events`, or a value that an attribute of it has.
  func contains(_ word: String) -> Bool {
    WellKnownWords.symbol(word) != nil || words.contains(word)
  }

  /// Whether each of the words, between commas, is public or a number.
  func areIn(_ value: String) -> Bool {
    value.split(separator: ",", omittingEmptySubsequences: false).allSatisfy {
      contains(String($0)) || PublicWords.isNumber($0)
    }
  }

  /// Whether a word of a sentence is one that the system says of every app.
  func isOfSentence(_ word: Substring) -> Bool {
    let bare = word.drop { "\"'(".contains($0) }
    let end = bare.reversed().prefix { ".,:;!\"')".contains($0) }.count
    let core = bare.dropLast(end)
    return core.isEmpty || systemWords.contains(core.lowercased()) || contains(String(core))
      || core.count <= PublicWords.longestNumber && !core.hasPrefix("0x")
        && PublicWords.isNumber(core)
  }

  /// Longer numbers in a sentence may be those of a person.
  private static let longestNumber = 6

  private static let units: Set<String> = [
    "", "%", "ns", "us", "ms", "s", "sec", "seconds", "m", "h", "B", "KB", "MB", "GB", "KiB", "MiB",
    "GiB", "bytes",
  ]

  /// Whether it is a number, in decimal or hexadecimal, with a unit or without.
  static func isNumber(_ text: Substring) -> Bool {
    var rest = text
    if rest.first == "<" && rest.last == ">" { rest = rest.dropFirst().dropLast() }
    if rest.first == "-" { rest = rest.dropFirst() }
    if rest.hasPrefix("0x") || rest.hasPrefix("0X") {
      let digits = rest.dropFirst(2)
      return !digits.isEmpty && digits.utf8.count <= 16 && digits.allSatisfy(\.isHexDigit)
    }

    guard let first = rest.utf8.first, (0x30...0x39).contains(first) else { return false }
    let number = rest.prefix { $0.isASCII && ($0.isNumber || $0 == ".") }
    // More than one point is an address.
    if number.count(where: { $0 == "." }) > 1 { return false }
    return units.contains(rest.dropFirst(number.count).drop { $0 == " " }.description)
  }

  /// Whether it is a version of a system, such as `18.2`, `18.2 (22C152)` or `iphoneos18.2`.
  static func isVersion(_ text: String) -> Bool {
    let systems = [
      "iphonesimulator", "iphoneos", "ipados", "ios", "macosx", "macos", "appletvos", "tvos",
      "watchos", "visionos", "xros",
    ]

    let lower = text.lowercased()
    let system = systems.first(where: lower.hasPrefix) ?? ""
    let rest = lower.dropFirst(system.count).drop { $0 == " " }
    guard let first = rest.first, first.isASCII, first.isNumber, rest.count <= 20 else {
      return false
    }
    return rest.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || " .()".contains($0)) }
  }

  /// Whether a value looks like what tells releases and devices apart, by the key of the profile.
  ///
  /// A sentence, or a name that a person gave, does not.
  static let release: [String: @Sendable (String) -> Bool] = [
    AttributeKey.version.rawValue: { isIdentifier($0) && $0.contains(where: \.isNumber) },
    AttributeKey.build.rawValue: { isIdentifier($0) && $0.contains(where: \.isNumber) },
    AttributeKey.device.rawValue: isModel,
  ]

  private static func isIdentifier(_ text: String) -> Bool {
    (1...128).contains(text.utf8.count)
      && text.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || ".-+_".contains($0)) }
  }

  /// Whether it is a model such as `iPhone16,2`, or the processor that stands for one.
  private static func isModel(_ text: String) -> Bool {
    if ["arm64", "x86_64", "i386"].contains(text) { return true }
    let parts = text.split(separator: ",", omittingEmptySubsequences: false)
    guard parts.count == 2, text.utf8.count <= 32 else { return false }
    let digits = parts[0].reversed().prefix { $0.isASCII && $0.isNumber }
    let name = parts[0].dropLast(digits.count)
    return !digits.isEmpty && !name.isEmpty && name.allSatisfy { $0.isASCII && $0.isLetter }
      && !parts[1].isEmpty && parts[1].allSatisfy { $0.isASCII && $0.isNumber }
  }

  /// The values that attributes have beside well-known words.
  private static let values: Set<String> = Set(
    Profile.Mode.allCases.map(\.rawValue) + Profile.Clock.allCases.map(\.rawValue)
      + Profile.Mark.allCases.map(\.rawValue) + Profile.knownBackgroundModes
      + Hook.allCases.map(\.rawValue) + LaunchReason.allCases.map(\.rawValue)
      + TaskWarning.allCases.map(\.rawValue) + SystemWarning.allCases.map(\.rawValue)
      + AppState.allCases.map(\.rawValue)
      + SceneActivation.allCases.map(\.rawValue) + DataAccess.allCases.map(\.rawValue)
      + [
        "true", "false", "none", "unknown", "", "ios", "ipados", "tvos", "visionos", "watchos",
        "macos", "catalyst", "linux", "window", "external", "carplay", "refresh", "processing",
        "continued", "sensitive", "alert", "restoration", "listening", "connected", "read", "write",
        "repeating", "once", "ambient", "playback", "record", "foreground", "background", "system",
        "report", "app", "user",
        "gone", "voluntary", "inferred", "others", "reclaim", "log", "decision", "scene-create",
        "scene-update",
        "process-launch", "process-exit", "SPRINGBOARD", "FRONTBOARD", "RUNNINGBOARD", "JETSAM",
        "SIGNAL", "ASSERTIOND", "NSException", "NSGenericException", "NSRangeException",
        "NSInvalidArgumentException", "NSInternalInconsistencyException", "NSMallocException",
        "NSObjectNotAvailableException", "NSUnknownKeyException",
      ])

  /// What the system's sentences about an end consist of, whatever app they are about.
  private static let ofSentences: Set<String> = Set(
    """
    a after allowance an and app application assertion at background beyond burning by caught code \
    cpu device elapsed ended exceeded exhausted exit expired failed for force foreground from had \
    has in io is its jetsam kill killed launch limit lock memory more no not of on or out over \
    permitted per-process-limit process processvisibility provision ran real reason resource \
    scene-create scene-update scene second seconds signal suspended system task terminate \
    terminated termination than that the time timed to too took total transgression until update \
    used user violated wakeups wall clock was watchdog watchdogevent watchdogvisibility while with \
    within xpc
    """.split(separator: " ").map(String.init))
}
