/// The label under which launchd runs a process.
///
///     UIKitApplication:com.example.notes[ab12][rb-legacy]
///     application.com.example.notes.1152921500311879701.1152921500311879706
///     com.example.notes.share
enum JobLabel {
  private static let uiKit = Array("UIKitApplication:".utf8)
  private static let application = Array("application.".utf8)

  /// The bundle identifier after `UIKitApplication:` somewhere in `text`.
  static func bundle(in text: ArraySlice<UInt8>) -> String? {
    guard let found = text.firstRange(of: uiKit) else { return nil }
    return text[found.upperBound...].prefix { $0 > 0x20 && $0 != "[" }.identifier
  }

  /// Whom launchd speaks of in `[system/LABEL [412]:] exited …`, or as macOS and a device print it,
  /// `(LABEL[412]): Service exited …`; `nil` for other messages.
  ///
  /// A job in the domain of a process, `pid/412/LABEL`, is a helper of that process.
  static func subject(in message: ArraySlice<UInt8>) -> ConsoleMention? {
    if message.first == "(", let end = message.prefix(512).firstRange(of: "])") {
      let parts = message[..<end.lowerBound].dropFirst().split(separator: UInt8(ascii: "["))
      guard let job = parts.first,
        let bundle = bundle(in: job) ?? identifier(of: job)
      else { return nil }
      return ConsoleMention(bundle: bundle, pid: parts.last?.processNumber)
    }

    guard message.first == "[", let end = message.prefix(512).firstRange(of: "]:] "),
      let open = message[..<end.lowerBound].lastIndex(of: "["), open > message.startIndex
    else { return nil }

    let pid = message[(open + 1)..<end.lowerBound].processNumber
    let path = message[(message.startIndex + 1)..<open].droppingEnd { $0 == " " }
    let parts = path.split(separator: "/")
    guard let job = parts.last else { return nil }

    let isHelper = parts.count == 3 && parts[0].elementsEqual("pid".utf8)
    let hostPID = isHelper ? parts[1].processNumber : nil
    return (bundle(in: job) ?? identifier(of: job)).map {
      ConsoleMention(bundle: $0, pid: pid, isHelper: hostPID != nil, hostPID: hostPID)
    }
  }

  /// The identifier of a job; of an application its bundle, to which launchd appends numbers.
  static func identifier(of job: ArraySlice<UInt8>) -> String? {
    let application = job.dropping(prefix: application)
    var words = (application ?? job).split(separator: ".")

    // The label of another job may end in a number of its own, which is short.
    let shortest = application == nil ? 5 : 1
    while words.count > 2, let last = words.last, last.count >= shortest,
      last.allSatisfy({ $0.isDigit })
    {
      words.removeLast()
    }
    return Array(words.joined(separator: [UInt8(ascii: ".")]))[...].identifier
  }
}
