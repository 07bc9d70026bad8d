import LifecycleModel
import Platform
import Testing

@testable import TraceLog
@testable import TraceRecorder

/// What recording needs on a device, as far as it is the same here.
@Suite struct AppleRecordingTests {
  /// iOS kills an app that is suspended with a lock on a file that apps share.
  ///
  /// The switch is the process's, so that the test needs one of its own.
  @Test func withoutLocksALogIsRecordedAndContinued() async {
    await #expect(processExitsWith: .success) {
      SystemCalls.mayHoldLocks = false
      var template = Array("/tmp/tracectl-locks-XXXXXX".utf8CString)
      let folder = try #require(mkdtemp(&template).map { String(cString: $0) })
      let path = folder + "/log.bin"
      let recorder = try Recorder.open(log: path)
      recorder.call(.applicationDidFinishLaunching)

      for file in [path, path + RingFormat.pathEnding] {
        let descriptor = open(file, O_RDONLY)
        #expect(descriptor >= 0)
        #expect(flock(descriptor, LOCK_EX | LOCK_NB) == 0, "\(file) is locked")
        close(descriptor)
      }

      recorder.finish()
      let next = try Recorder.open(log: path)
      #expect(next.previousRun != nil)
      next.finish()
    }
  }

  /// As when the library is linked into an app and into a framework of it: without locks the ring says it.
  @Test(arguments: [true, false]) func aProcessRecordsIntoALogOnce(holdsLocks: Bool) async {
    await #expect(processExitsWith: .success) { [holdsLocks] in
      if !holdsLocks { SystemCalls.mayHoldLocks = false }
      var template = Array("/tmp/tracectl-copies-XXXXXX".utf8CString)
      let folder = try #require(mkdtemp(&template).map { String(cString: $0) })
      let path = folder + "/log.bin"
      let first = try Recorder.open(log: path)
      first.note("before")
      #expect(throws: LogError.inUseHere(path: path)) { try Recorder.open(log: path) }
      first.note("behind")
      first.finish()

      let next = try Recorder.open(log: path)
      #expect(next.previousRun != nil)
      next.finish()
      var reader = try LogReader(path: path)
      let trace = try reader.readAll()
      let labels = trace.events.filter { $0.verb == .note }.map { trace.vocabulary.text($0.label) }
      #expect(labels == ["before", "behind"])
    }
  }

  @Test func theBootHasAnID() {
    #expect(SystemCalls.machine.bootID.count == 16)
    // As Darwin's kernel gives it, and Linux's.
    let text = Array("0a1B2c3d-4E5F-6071-8293-A4b5C6d7E8f9\n".utf8)
    let bytes = LogIdentity.bytes(ofUUID: text)
    #expect(bytes.count == 16)
    #expect(bytes.prefix(3) == [0x0a, 0x1b, 0x2c])
    #expect(bytes.last == 0xf9)
    #expect(LogIdentity.bytes(ofUUID: Array("none".utf8)) == [])
  }
}
