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
    return identifier(text[found.upperBound...].prefix { $0 > 0x20 && $0 != UInt8(ascii: "[") })
  }

  /// Whom launchd speaks of in `[system/LABEL [412]:] exited …`; `nil` for other messages.
  ///
  /// A job in the domain of a process, `pid/412/LABEL`, is a helper of that process.
  static func subject(
    in message: ArraySlice<UInt8>
  ) -> (label: String, pid: Int32?, hostPID: Int32?)? {
    guard message.first == UInt8(ascii: "["),
      let end = message.prefix(512).firstRange(of: Array("]:] ".utf8)),
      let open = message[..<end.lowerBound].lastIndex(of: UInt8(ascii: "[")),
      open > message.startIndex
    else { return nil }

    let pid = ConsoleMention.pid(message[(open + 1)..<end.lowerBound])
    var path = message[(message.startIndex + 1)..<open]
    while path.last == 0x20 { path = path.dropLast() }
    let parts = path.split(separator: UInt8(ascii: "/"))
    guard let job = parts.last else { return nil }

    let isHelper = parts.count == 3 && parts[0].elementsEqual("pid".utf8)
    let hostPID = isHelper ? ConsoleMention.pid(parts[1]) : nil
    if let bundle = bundle(in: job) { return (bundle, pid, hostPID) }
    guard let rest = job.dropping(prefix: application) else {
      return identifier(job).map { ($0, pid, hostPID) }
    }

    // launchd appends numbers to the bundle of an application.
    var words = rest.split(separator: UInt8(ascii: "."))
    while let last = words.last, last.allSatisfy({ $0 >= 0x30 && $0 <= 0x39 }) {
      words.removeLast()
    }

    let name = Array(words.joined(separator: [UInt8(ascii: ".")]))
    return identifier(name[...]).map { ($0, pid, hostPID) }
  }

  private static func identifier(_ bytes: ArraySlice<UInt8>) -> String? {
    ConsoleMention.isIdentifier(bytes) ? bytes.text : nil
  }
}
