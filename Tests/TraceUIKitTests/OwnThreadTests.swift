import AppLifecycle
import CoreFoundation
import Foundation
import LifecycleModel
import Platform
import TestTime
import Testing
import TraceLog
import TraceRecorder
import UIKitStub

@testable import TraceUIKit

/// What runs on threads of the system, run there: code that belongs to the main actor ends the process on any other
/// thread, as it is entered.
@MainActor
@Suite(.serialized)
struct OwnThreadTests {
  /// A recording into a folder that goes when the test is over.
  private final class Bench {
    let folder = FileManager.default.temporaryDirectory
      .appendingPathComponent("threads-\(UUID().uuidString)", isDirectory: true)
    let recorder: Recorder
    private var log: String { folder.appendingPathComponent("log.bin").path }

    init() throws {
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      recorder = try Recorder.open(log: folder.appendingPathComponent("log.bin").path)
    }

    deinit {
      recorder.finish()
      try? FileManager.default.removeItem(at: folder)
    }

    func labels(_ verb: Verb) throws -> [String] {
      let trace = try Trace(log: log)
      return trace.events.filter { $0.verb == verb }.map { trace.vocabulary.text($0.label) }
    }

    func names(_ verb: Verb) throws -> [String] {
      let trace = try Trace(log: log)
      return trace.events.filter { $0.verb == verb }.map { trace.vocabulary.text($0.name) }
    }
  }

  /// A clock that goes on by a minute at each reading.
  private static func clockOfMinutes() -> @Sendable () -> UInt64 {
    let minutes = Lock<UInt64>(0)
    return {
      minutes.withLock { minutes in
        minutes += 1
        return 60_000_000_000 * minutes
      }
    }
  }

  @Test func pausesAreSeenOnTheQueueThatLooksForThem() throws {
    let bench = try Bench()
    let watch = PauseWatch(bench.recorder, period: 5_000_000, now: Self.clockOfMinutes())
    watch.follow(.background)
    try wait("two looks") { try bench.labels(.note).count >= 2 }
    watch.stop()
    #expect(try bench.labels(.note).first == "stood still for at least 59s, probably suspended")
  }

  @Test func aPauseThatEndsWithTheBackgroundIsSeen() throws {
    let bench = try Bench()
    let watch = PauseWatch(bench.recorder, now: Self.clockOfMinutes())
    watch.follow(.active)
    watch.follow(.background)
    watch.follow(.background)
    watch.follow(.inactive)
    watch.follow(.active)
    #expect(try bench.labels(.note) == ["stood still for at least 50s, probably suspended"])
  }

  @Test func hangsAreSeenOnTheQueueThatLooksForThem() throws {
    let bench = try Bench()
    let recorder = bench.recorder
    let isOver = Lock(false)
    Thread {
      let watch = RunLoopWatch(
        recorder, threshold: .milliseconds(30), of: CFRunLoopGetCurrent())
      RunLoop.current.perform { letTimePass(milliseconds: 200) }
      while !isOver.withLock({ $0 }) {
        RunLoop.current.run(until: Date(timeIntervalSinceNow: 0.05))
      }
      watch.stop()
      isOver.withLock { $0 = false }
    }.start()

    try wait("a hang and its end") { try !bench.names(.workEnd).isEmpty }
    isOver.withLock { $0 = true }
    try wait("the thread") { isOver.withLock { !$0 } }
    #expect(try bench.names(.workBegin).first == "main-busy")
    #expect(try bench.names(.workEnd).first == "main-busy")
  }

  /// What others post elsewhere is not UIKit's, and ends nobody.
  @Test func notificationsOfAnotherThreadAreLeftOut() throws {
    let bench = try Bench()
    var options = LifecycleTracing.Options()
    (options.watchesMethods, options.busyThreshold) = (false, nil)
    let process = MainQueue.process
    let tracing = LifecycleTracing.start(options, bench.recorder, process)
    defer { tracing.stop() }

    let center = process.center
    let names = LifecycleNotification.allCases.map(\.name)
    let done = DispatchSemaphore(value: 0)
    DispatchQueue.global().async {
      for name in names { center.post(name: name, object: nil) }
      done.signal()
    }
    done.wait()
    #expect(try bench.names(.notify) == [])

    center.post(name: LifecycleNotification.applicationDidBecomeActive.name, object: nil)
    #expect(try bench.names(.notify) == ["UIApplication.didBecomeActiveNotification"])
  }

  @Test func callsOfAnotherThreadAreLeftOut() throws {
    let bench = try Bench()
    var options = LifecycleTracing.Options()
    (options.watchesMethods, options.busyThreshold) = (false, nil)
    let process = MainQueue.process
    let tracing = LifecycleTracing.start(options, bench.recorder, process)
    defer { tracing.stop() }

    let done = DispatchSemaphore(value: 0)
    DispatchQueue.global().async {
      let words: [UInt] = [0, 0, 0, 0]
      words.withUnsafeBufferPointer { words in
        guard let first = words.baseAddress else { return }
        for token in UInt32(0)..<4 {
          let call = HookedCall(token: token, number: 1, nil, first)
          _ = tracing.entered(call)
          tracing.left(call, result: 0)
        }
      }
      tracing.blockEntered(HookedBlock(token: 0, number: 1, argument: 0))
      tracing.blockLeft(HookedBlock(token: 0, number: 1, argument: 0))
      done.signal()
    }
    done.wait()
    #expect(try bench.names(.call) == [])
  }

  @Test func reportsOfTheSystemComeOnAThreadOfItsOwn() throws {
    let bench = try Bench()
    let files = try TraceFiles(bench.folder)
    let reports = SystemReports(files)
    defer { reports.stop() }
    let done = DispatchSemaphore(value: 0)
    DispatchQueue.global().async {
      MXMetricManager.shared.deliver([MXDiagnosticPayload("{}")])
      done.signal()
    }
    done.wait()
    #expect(try files.all().contains { $0.lastPathComponent.hasSuffix(".mx.json") })
  }
}
