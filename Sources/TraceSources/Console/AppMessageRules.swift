import LifecycleModel

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
  private static func willBeginTask(_ rest: ArraySlice<UInt8>) -> ConsoleFact? {
    guard let mark = rest.firstRange(of: Array(", expirationHandler: ".utf8)) else { return nil }
    let name = rest[..<mark.lowerBound].prefix(longestName).text
    let hasHandler = !rest[mark.upperBound...].starts(with: Array("(null)".utf8))
    return .willBeginTask(name: name, hasHandler: hasHandler)
  }

  /// Reads `<_UIBackgroundTaskInfo: 0x1>: taskID = 3, taskName = sync, creationTime = …`.
  private static func taskBegan(_ rest: ArraySlice<UInt8>) -> ConsoleFact? {
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
  ) -> ConsoleFact? {
    UInt64(rest.prefix { $0 > 0x20 }.text).map { .taskEnded(id: $0) }
  }

  private static func isHidden(_ name: ArraySlice<UInt8>) -> Bool {
    name.isEmpty || name.elementsEqual("<private>".utf8) || name.elementsEqual("(null)".utf8)
  }

  /// Reads `ApplicationDidEnterBackgroundNotification; object = <…>}`, after `name = UI`.
  private static func notification(_ rest: ArraySlice<UInt8>) -> ConsoleFact? {
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
