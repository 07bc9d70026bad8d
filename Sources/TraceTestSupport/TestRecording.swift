import LifecycleModel
import Platform
import TraceLog
import TraceRecorder

/// A recording for one test: a recorder, and the trace of what was stated to it.
///
/// ```swift
/// import LifecycleModel
/// import Testing
/// import TraceTestSupport
///
/// @Test func theTimerStops() throws {
///   let recording = try TestRecording(Profile(mode: .scene, hooks: [.sceneDelegate, .work]))
///   let recorder = recording.recorder
///   recording.asMainThread {
///     recorder.callback(.sceneDidBecomeActive, .scene(1)) {}
///     recorder.work(.timer, .scene(1), "autosave")
///     recorder.callback(.sceneWillResignActive, .scene(1)) { /* stop the timer */ }
///   }
///   expect(try recording.trace(), satisfies: "work-timer-while-inactive")
/// }
/// ```
///
/// The log lies in a directory of its own, which goes with the recording. Any thread may state facts.
public final class TestRecording: Sendable {
  /// What the code under test states its facts to.
  public let recorder: Recorder
  package let directory: String
  private let mainThread: MainThreadRole

  /// Begins a recording whose first events are a profile and the start of a process.
  ///
  /// The profile says which hooks the code under test records: rules that need another one answer
  /// *cannot tell*. Throws a `LogError` when no log can be made in the directory for temporary files.
  public init(_ profile: Profile, launch: String = "user") throws {
    directory = try TestRecording.makeDirectory()
    do {
      var options = Drain.Options()
      (options.recordsPerThread, options.wordBytes) = (1 << 12, 1 << 16)
      options.sync = .none
      options.statesOpening = false
      recorder = try Recorder.open(log: directory + "/log.bin", options: options)
    } catch {
      rmdir(directory)
      throw error
    }

    mainThread = MainThreadRole(recorder)
    mainThread.play { [recorder] in
      recorder.profile(profile)
      recorder.processStarts(launch: launch)
    }
  }

  deinit {
    recorder.finish()
    for file in ["log.bin", "log.bin.ring"] { unlink("\(directory)/\(file)") }
    rmdir(directory)
  }

  /// Runs `body` as the app's main thread, on which UIKit calls delegates: facts that it states have
  /// the writer `main`.
  ///
  /// Tests run on threads of their own, also those of the main actor where nothing runs its run loop.
  /// Calls from several threads wait for each other; calls may be nested.
  public func asMainThread<Result>(_ body: () throws -> Result) rethrows -> Result {
    try mainThread.play(body)
  }

  /// What was recorded so far.
  ///
  /// It may be asked for again and again, and while other threads record.
  public func trace() throws -> Trace { try Trace(log: directory + "/log.bin") }

  private static func makeDirectory() throws -> String {
    let parent = getenv("TMPDIR").map { String(cString: $0) } ?? "/tmp"
    var template = Array("\(parent)/tracectl-test-XXXXXX".utf8CString)
    guard mkdtemp(&template) != nil else {
      throw TestRecordingError(directory: parent, reason: String(cString: strerror(errno)))
    }
    return String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }
}

/// A recording that cannot begin.
public struct TestRecordingError: Error, CustomStringConvertible {
  let directory: String
  let reason: String

  /// What happened, where, and what to do.
  public var description: String {
    "\(directory): cannot create a directory in it: \(reason); set TMPDIR to a writable one"
  }
}
