import Foundation
import LifecycleModel
import Testing

@testable import TraceSources

/// Texts that others have published: in which form they are, and how many records they have.
@Suite(
  .enabled(
    if: FileManager.default.fileExists(atPath: Captures.field.path),
    "SKIPPED: the texts that others have published are not there: ../shared/data/field"))
struct FieldFramingTests {
  @Test(arguments: [
    ("compact/appium-13503-prefixed.log", "log --style compact", 4),
    ("compact/bareexample-2026.log", "log --style compact", 4),
    ("compact/macos-exited-with-context.log", "log --style compact", 1),
    ("compact/stethoscore-sim-2026.log", "log --style compact", 4),
    ("console-copy/airsdk-2993-webcontent-killed.log", "Console.app copy", 6),
    ("console-copy/flutter-68558-debugged.log", "Console.app copy", 5),
    ("console-copy/flutterfire-5702-push-launch.log", "Console.app copy", 11),
    ("console-copy/forum-759754-dasd-bgkill.log", "Console.app copy", 7),
    ("console-copy/hootowl-1106-background-picked.log", "Console.app copy", 24),
    ("kernel-memorystatus/console-copy-keyboard.log", "Console.app copy", 4),
    ("kernel-memorystatus/radiance-595-mixed.log", "plain text", 4),
    ("log-json/offsider-ndjson-ios27.ndjson", "log --style ndjson or json", 1),
    ("syslog/ingredicheck-2026-no-device.log", "idevicesyslog", 1),
    ("syslog/macios-10086-watchdog-ios14.log", "idevicesyslog", 10),
    ("syslog/rnfirebase-253-ios10.log", "idevicesyslog", 9),
    ("xcode-console/appgetkilled-wrapped.log", "plain text", 2),
    ("xcode-console/cb-restore-customtime.log", "plain text", 6),
    ("xcode-console/rct-uncaught-exception.log", "plain text", 1),
    ("xcode-console/webview-662-space-before-bracket.log", "Xcode's debug console", 3),
  ])
  func aPublishedTextIsInAForm(name: String, form: String, records: Int) throws {
    let bytes = try Data(contentsOf: Captures.field.appending(path: name))
    var source = ConsoleSource()
    var events: [Event] = []

    // Most of them are too short to tell which app they are about.
    do {
      try source.take(ArraySlice(bytes), into: &events)
      try source.finish(into: &events)
    } catch let error as SourceError {
      #expect(error.code != .unknownForm)
    }

    #expect(source.tally.form == form)
    #expect(source.tally.records == records)
    #expect(source.tally.skipped == 0)
    #expect(ConsoleSource.recognizes(ArraySlice(bytes)))
  }

  /// What a framework hands to the app is told in the app's words, and proves nothing.
  @Test func wordsOfAnAppWithoutTimesAreNotes() throws {
    let bytes = try Captures.bytes("react-native/appnavigator.log", in: Captures.field)
    var source = ConsoleSource()
    var events: [Event] = []
    try source.take(bytes[...], into: &events)
    try source.finish(into: &events)
    #expect(events.contains { $0.verb == .note })
    #expect(events.allSatisfy { [.note, .profile, .gap].contains($0.verb) })
  }
}
