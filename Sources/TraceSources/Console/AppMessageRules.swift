import LifecycleModel
import TraceText

/// What UIKit prints in the app's own process.
extension MessageRules {
  static let appRules: [MessageRule] = [
    MessageRule(.app, .start, "Deactivation reason added: ") { rest, _ in
      DeactivationChange(rest, isAdded: true).map { .reason($0) }
    },
    MessageRule(.app, .start, "Deactivation reason removed: ") { rest, _ in
      DeactivationChange(rest, isAdded: false).map { .reason($0) }
    },
    MessageRule(.app, .start, "Will add backgroundTask with taskName: ") { rest, _ in
      willBeginTask(rest)
    },
    MessageRule(.app, .start, "Created background task ") { rest, _ in taskBegan(rest) },
    MessageRule(.app, .start, "Ending background task with UIBackgroundTaskIdentifier: ") {
      taskEnded($0, $1)
    },
    MessageRule(.app, .start, "Ending task with identifier ") { rest, _ in
      number(at: rest).map { .taskEndDescribed(id: $0) }
    },
    MessageRule(.app, .start, "Can't end") { taskEndRefused($0, $1) },
    MessageRule(.app, .start, "Background task still not ended after expiration handlers") {
      rest, _ in describedTask(rest).map { .taskStillOpen($0) }
    },
    MessageRule(.app, .start, "Background Task ") { rest, _ in
      agedTask(rest).map { .taskStillOpen($0) }
    },
    MessageRule(
      .app, .start, "CLIENT OF UIKIT REQUIRES UPDATE: This process does not adopt UIScene"
    ) { _, _ in .withoutScenes },
    MessageRule(.app, .start, "This process does not adopt UIScene") { _, _ in .withoutScenes },
    MessageRule(.app, .start, "`UIScene` lifecycle will soon be required") { _, _ in
      .withoutScenes
    },
    MessageRule(.app, .line, "*** Terminating app due to uncaught exception '") { rest, _ in
      ProcessExitText.uncaughtException(rest).map {
        .endForetold($0, "uncaught exception " + ($0.exception ?? ""))
      }
    },
    MessageRule(.app, .line, "Message from debugger: Terminated due to ") { rest, _ in
      ProcessExitText.debuggerMessage(rest).map { .endedUnderDebugger($0) }
    },
    MessageRule(.app, .start, "Performing snapshot request ") { _, _ in .snapshotBegan },
    MessageRule(.app, .start, "Snapshot request ") { rest, _ in
      rest.firstRange(of: Array(" complete".utf8)).map { _ in .snapshotEnded }
    },
    MessageRule(.app, .start, "Scene will invalidate: ") { rest, _ in
      ConsoleSceneName.identifier(in: rest).map { .sceneInvalidated($0) }
    },
    MessageRule(.app, .anywhere, "FBSceneSnapshotAction") { _, message in
      // The app passes a request of its own on to the system; only what it receives counts.
      message.firstRange(of: Array("Received action".utf8)).map { _ in .remark("snapshot requested")
      }
    },
    MessageRule(.app, .anywhere, "{name = UI") { rest, _ in notification(rest) },
    MessageRule(.app, .anywhere, "sceneID:") { _, message in
      ConsoleSceneName.identifier(in: message).map { .sceneSeen($0) }
    },
  ]

  /// Words longer than this are no names that an app gives.
  static let longestName = 1024

  /// Reads `sync, expirationHandler: (null)`.
  private static func willBeginTask(_ rest: ArraySlice<UInt8>) -> ConsoleStatement? {
    guard let mark = rest.firstRange(of: Array(", expirationHandler: ".utf8)) else { return nil }
    let name = rest[..<mark.lowerBound].prefix(longestName).text
    let hasHandler = !rest[mark.upperBound...].starts(with: Array("(null)".utf8))
    return .willBeginTask(name: name, hasHandler: hasHandler)
  }

  /// Reads `<_UIBackgroundTaskInfo: 0x1>: taskID = 3, taskName = sync, creationTime = …`.
  private static func taskBegan(_ rest: ArraySlice<UInt8>) -> ConsoleStatement? {
    guard let mark = rest.firstRange(of: Array("taskID = ".utf8)) else {
      return rest.starts(with: Array("<private>".utf8)) ? .hiddenTaskBegan : nil
    }

    let digits = rest[mark.upperBound...].prefix { $0 >= 0x30 && $0 <= 0x39 }
    guard let id = UInt64(digits.text) else { return nil }
    guard let nameStart = rest[digits.endIndex...].dropping(prefix: Array(", taskName = ".utf8))
    else { return .taskBegan(id: id, name: nil) }

    // The app chooses the name, which may have commas: only what UIKit prints next ends it.
    let end = nameStart.firstRange(of: Array(", creationTime = ".utf8))?.lowerBound
    let name = nameStart[..<(end ?? nameStart.endIndex)].prefix(longestName)
    return .taskBegan(id: id, name: isHidden(name) ? nil : name.text)
  }

  private static func taskEnded(
    _ rest: ArraySlice<UInt8>, _ message: ArraySlice<UInt8>
  ) -> ConsoleStatement? {
    UInt64(rest.prefix { $0 > 0x20 }.text).map { .taskEnded(id: $0) }
  }

  /// Reads `BackgroundTask: no background task exists with identifier 9 (0x9), or …`.
  private static func taskEndRefused(
    _ rest: ArraySlice<UInt8>, _ message: ArraySlice<UInt8>
  ) -> ConsoleStatement? {
    guard let mark = rest.prefix(128).firstRange(of: Array(" task exists with identifier ".utf8)),
      let id = number(at: rest[mark.upperBound...])
    else { return nil }
    return .taskEndRefused(
      id: id, words: message.prefix(longestName).prefix { $0 != 0x0a }.text)
  }

  /// Reads `3 ("Saving library"), was created over 30 seconds ago. …`; the quotes may be curly.
  private static func agedTask(_ message: ArraySlice<UInt8>) -> OpenTask? {
    let rest = unwrapped(message)
    guard let id = number(at: rest), let open = rest.firstIndex(of: UInt8(ascii: "(")),
      let end = rest.firstRange(of: Array("), was created over ".utf8)), open < end.lowerBound
    else { return nil }

    var name = String(rest[(open + 1)..<end.lowerBound].prefix(longestName).text)
    for quote in ["\"", "“", "”"] {
      if name.hasPrefix(quote) { name.removeFirst() }
      if name.hasSuffix(quote) { name.removeLast() }
    }

    let seconds = number(at: rest[end.upperBound...])
    return OpenTask(
      id: id, name: name.isEmpty ? nil : name, elapsed: seconds.flatMap { Int(exactly: $0) },
      hasExpired: false)
  }

  /// Reads `… <_UIBackgroundTaskInfo: 0x1>: taskID = 8, taskName = sync, creationTime = 70784
  /// (elapsed = 26)`.
  private static func describedTask(_ message: ArraySlice<UInt8>) -> OpenTask? {
    let rest = unwrapped(message)
    guard case .taskBegan(let id, let name)? = taskBegan(rest) else { return nil }
    var task = OpenTask(id: id, name: name, elapsed: nil, hasExpired: true)
    if let mark = rest.firstRange(of: Array("(elapsed = ".utf8)) {
      task.elapsed = number(at: rest[mark.upperBound...]).flatMap { Int(exactly: $0) }
    }
    return task
  }

  /// A sentence on one line: whoever posts one may have wrapped it.
  private static func unwrapped(_ text: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    let sentence = text.prefix(4 * longestName)
    guard sentence.contains(0x0a) else { return text }
    var line: [UInt8] = []
    for byte in sentence where byte != 0x0a || line.last != 0x20 {
      line.append(byte == 0x0a ? 0x20 : byte)
    }
    return line[...]
  }

  /// The number that begins `text`.
  static func number(at text: ArraySlice<UInt8>) -> UInt64? {
    UInt64(text.prefix { $0 >= 0x30 && $0 <= 0x39 }.text)
  }

  private static func isHidden(_ name: ArraySlice<UInt8>) -> Bool {
    name.isEmpty || name.elementsEqual("<private>".utf8) || name.elementsEqual("(null)".utf8)
  }

  /// Reads `ApplicationDidEnterBackgroundNotification; object = <…>}`, after `name = UI`.
  private static func notification(_ rest: ArraySlice<UInt8>) -> ConsoleStatement? {
    let word = rest.prefix { byte in
      (0x41...0x5a).contains(byte) || (0x61...0x7a).contains(byte)
    }
    for family in ["Application", "Scene"] {
      guard word.count <= 128, let own = word.dropping(prefix: Array(family.utf8)),
        let first = own.first, (0x41...0x5a).contains(first)
      else { continue }
      // Two constants of UIKit do not end in "Notification", but their Swift names do.
      let suffix = own.text.hasSuffix("Notification") ? "" : "Notification"
      let rest = rest[word.endIndex...]
      let hasObject = rest.firstRange(of: Array("object = <".utf8)) != nil
      let letter = String(UnicodeScalar(first | 0x20))
      return .notification(
        name: "UI\(family).\(letter)\(own.dropFirst().text)\(suffix)", hasObject: hasObject)
    }
    return nil
  }
}

extension DeactivationChange {
  /// Reads `11; deactivation reasons: 1024 -> 3072; …`, what stands after the anchor.
  init?(_ rest: ArraySlice<UInt8>, isAdded: Bool) {
    func isDigit(_ byte: UInt8) -> Bool { byte >= 0x30 && byte <= 0x39 }
    var scanner = LineScanner(rest)
    let reasonDigits = scanner.takeWhile(isDigit)
    guard
      let reason = UInt8(reasonDigits.text), reason < 64,
      let mark = rest[scanner.index...].dropping(
        prefix: Array("; deactivation reasons: ".utf8))
    else { return nil }

    scanner.index = mark.startIndex
    let before = scanner.takeWhile(isDigit)
    guard let arrow = rest[scanner.index...].dropping(prefix: Array(" -> ".utf8)) else {
      return nil
    }

    scanner.index = arrow.startIndex
    let after = scanner.takeWhile(isDigit)
    guard let before = UInt64(before.text), let after = UInt64(after.text) else { return nil }
    self.init(reason: reason, isAdded: isAdded, before: before, after: after)
  }
}
