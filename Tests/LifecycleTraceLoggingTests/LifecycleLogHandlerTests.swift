import Foundation
import LifecycleModel
import LifecycleTraceLogging
import Logging
import Testing
import TraceLog
import TraceRecorder

@Suite struct LifecycleLogHandlerTests {
  private let log: String
  private let recorder: Recorder

  init() throws {
    log =
      FileManager.default.temporaryDirectory
      .appendingPathComponent("tracectl-logging-\(UUID().uuidString).bin").path
    var options = Drain.Options()
    options.recordsPerThread = 1 << 10
    options.threads = 4
    recorder = try Recorder.open(log: log, options: options)
  }

  private func lines() throws -> [String] {
    defer {
      unlink(log)
      unlink(log + ".ring")
    }

    var reader = try LogReader(path: log)
    let trace = try reader.readAll()
    let notes = trace.events.filter { $0.verb == .note }

    // A note has the line of the statement that logs, and not that of the handler.
    #expect(
      notes.allSatisfy {
        trace.vocabulary.attributes($0.attributes)[.at]?.contains("LifecycleLogHandlerTests.swift:")
          == true
      })
    return notes.map { trace.vocabulary.text($0.label) }
  }

  private func logger(_ provider: Logger.MetadataProvider? = nil) -> Logger {
    Logger(label: "sync") {
      LifecycleLogHandler(label: $0, recorder: recorder, metadataProvider: provider)
    }
  }

  @Test func linesBecomeNotes() throws {
    let logger = logger()
    logger.info("starting")
    logger.debug("below the level")
    logger.error("lost \(3) items", metadata: ["item": "7", "account": "a b"])
    #expect(
      try lines() == ["info sync: starting", "error sync: lost 3 items account=a b item=7"])
  }

  @Test func errorsAreTold() throws {
    logger().warning("not saved", error: CocoaError(.fileNoSuchFile))
    #expect(try lines().first?.hasPrefix("warning sync: not saved error=") == true)
  }

  @Test func theNearerMetadataWins() throws {
    var logger = logger(Logger.MetadataProvider { ["a": "provided", "b": "provided"] })
    logger[metadataKey: "a"] = "logger"
    logger[metadataKey: "c"] = "logger"
    logger.logLevel = .trace
    logger.trace("x", metadata: ["b": "line"])
    #expect(try lines() == ["trace sync: x a=provided b=line c=logger"])
  }

  @Test func loggersAreValues() throws {
    var one = logger()
    let other = one
    one.logLevel = .critical
    one[metadataKey: "k"] = "v"
    one.error("not recorded")
    other.error("recorded")
    #expect(try lines() == ["error sync: recorded"])
  }

  @Test func offRecordsNothing() throws {
    let logger = Logger(label: "sync") { LifecycleLogHandler(label: $0, recorder: .off) }
    logger.critical("nobody hears")
    #expect(try lines() == [])
  }
}
