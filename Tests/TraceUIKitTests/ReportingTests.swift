import AppLifecycle
import Foundation
import LifecycleModel
import Testing
import TraceLog
import TraceRecorder
import UIKitStub

@testable import TraceUIKit

/// What others are told beside the log, and what they say of it: Instruments, the system's reports.
@MainActor
@Suite(.serialized)
struct ReportingTests {
  private func live(_ alter: (inout LifeBench) -> Void = { _ in }) throws {
    var bench = LifeBench(.scene, seed: 0)
    alter(&bench)
    _ = try bench.recorded { driver in
      driver.launch()
      driver.run(for: 1)
    }
  }

  // MARK: Instruments

  @Test func everyCallbackHasAnIntervalOfItsName() {
    for callback in Callback.allCases { #expect("\(callback.signpost)" == callback.rawValue) }
  }

  @Test func callsAreIntervalsWhileAToolRecords() throws {
    OSSignposter.said = []
    try live()
    #expect(OSSignposter.said == [])

    OSSignposter.isRecording = true
    defer { OSSignposter.isRecording = false }
    try live { $0.options.statesSignposts = false }
    #expect(OSSignposter.said == [])
    try live()
    #expect(OSSignposter.said.first == "begin applicationWillFinishLaunching")
    #expect(OSSignposter.said.contains("end sceneDidBecomeActive"))
    let begun = OSSignposter.said.filter { $0.hasPrefix("begin ") }
    #expect(begun.count * 2 == OSSignposter.said.count)
  }

  // MARK: What is sent

  /// Apple forbids to send a device's boot off it.
  @Test(arguments: [true, false]) func onRequestTheLogDoesNotSayTheBoot(isStated: Bool) throws {
    let folder = FileManager.default.temporaryDirectory
      .appendingPathComponent("boot-\(UUID().uuidString)", isDirectory: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let boot = LogIdentity.now().bootID
    let files = try TraceFiles(folder)
    for _ in 0..<2 {
      let recorder = try files.open(statesBoot: isStated)
      recorder.record(.note, subject: .app, label: "here")
      recorder.finish()
    }

    let logs = try files.all().filter { $0.pathExtension != "ring" }
    #expect(logs.count == 2)
    for log in logs {
      let bytes = try Data(contentsOf: log)
      #expect((bytes.range(of: Data(boot)) != nil) == isStated)
      let identity = try #require(try LogReader(path: log.path).identity)
      #expect((identity.originMonotonic != 0) == isStated)
      #expect((identity.originBoottime != 0) == isStated)
      #expect(identity.originWall != 0)
    }
    let trace = try Trace(log: folder.appendingPathComponent("flight.bin").path)
    #expect(trace.events.filter { $0.verb == .note }.count == 2)
    #expect(trace.events.map(\.instant) == trace.events.map(\.instant).sorted())
  }

  // MARK: The system's reports

  @Test func theSystemIsToldEachStateOnceTheWayToTheBackgroundAndTheLog() throws {
    ReportedStates.all = []
    defer { ReportedStates.all = [] }
    var bench = LifeBench(.scene, seed: 0)
    _ = try bench.recorded { driver in
      driver.launch()
      driver.run(for: 1)
      driver.goHome()
      driver.run(for: 1)
    }
    let labels = ReportedStates.all.compactMap(\.label)
    #expect(labels.contains("active") && labels.last == "background")
    #expect(zip(labels, labels.dropFirst()).allSatisfy { $0 != $1 })
    let calls = Set(labels.filter { $0.contains("/") }.compactMap { $0.split(separator: "/").last })
    #expect(calls.isSubset(of: ["sceneDidEnterBackground", "applicationDidEnterBackground"]))
    #expect(!calls.isEmpty)

    // Each names the log, and all the same one.
    let logs = Set(ReportedStates.all.map { $0.metadata["log"] })
    #expect(logs.count == 1)
    let log = try #require(logs.first.flatMap(\.self)?.text)
    #expect(log.count == 32 && log.allSatisfy(\.isHexDigit), "\(log)")
    #expect(StateReport(log: nil) == nil)

    ReportedStates.all = []
    bench.options.reportsStates = false
    _ = try bench.recorded { $0.launch() }
    #expect(ReportedStates.all.isEmpty)
  }

  private func payload(_ pid: Int?) -> MXDiagnosticPayload {
    let data = pid.map { "\"pid\": \($0), " } ?? ""
    let crash = "{\"diagnosticMetaData\": {\(data)\"signal\": 9}}"
    return MXDiagnosticPayload("{\"crashDiagnostics\": [\(crash)]}")
  }

  @Test func whatMetricKitReportsLiesBesideTheLog() throws {
    let directory = FileManager.default.temporaryDirectory
      .appendingPathComponent("reports-\(UUID().uuidString)", isDirectory: true)
    try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: directory) }
    let reports = SystemReports(try TraceFiles(directory))
    MXMetricManager.shared.deliver([
      payload(412), payload(nil), MXDiagnosticPayload("{\"hangDiagnostics\": [{}]}"),
    ])
    MXMetricManager.shared.deliver([
      MXMetricPayload("{\"applicationExitMetrics\": {}}", hasExits: true),
      MXMetricPayload("{\"cpuMetrics\": {}}", hasExits: false),
    ])
    reports.stop()
    MXMetricManager.shared.deliver([payload(413)])

    let names = LifecycleTracing.files(in: directory).map(\.lastPathComponent)
    #expect(names.count == 4 && names.allSatisfy { $0.hasSuffix(".mx.json") })
    #expect(names.filter { $0.hasSuffix("-412.mx.json") }.count == 1)
  }

  @Test func theOldestReportsGo() throws {
    let directory = FileManager.default.temporaryDirectory
      .appendingPathComponent("reports-\(UUID().uuidString)", isDirectory: true)
    try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: directory) }
    let files = try TraceFiles(directory)

    for second in 0..<20 {
      files.keep(
        report: payload(second).jsonRepresentation(),
        at: Date(timeIntervalSince1970: 1_700_000_000 + Double(second)))
    }
    let names = try files.all().map(\.lastPathComponent)
    #expect(names.count == 16)
    #expect(names.first?.hasSuffix("-4.mx.json") == true)
  }
}

extension ReportableMetadataValue {
  fileprivate var text: String? { if case .string(let text) = self { text } else { nil } }
}
