import Foundation
import Testing
import TraceSources
import TraceText

/// Reports that people have published, which lie beside the package and not in it: form, whether it is
/// read, and whether what is told is right.
@Suite(
  .enabled(
    if: FileManager.default.fileExists(atPath: Captures.field.path),
    "SKIPPED: the reports that people have published are not there: ../shared/data/field"))
struct FieldReportTests {
  /// A published report: its app where it needs one, and what has to stand in its events.
  struct Sample: Sendable, CustomTestStringConvertible {
    var path: String
    var app: String?
    var tells: [String]
    /// Whether it reports no death.
    var isNoDeath = false

    var testDescription: String { path }
  }

  static let samples: [Sample] = [
    Sample(
      path: "ips/facebook-shareext-dead10cc-ios18.ips",
      tells: ["171.681722041s - kill app code=0xdead10cc namespace=RUNNINGBOARD"]),
    Sample(
      path: "ips/ips2crashlog-source.ips",
      tells: ["simulator=true", "kill app code=0x5 namespace=SIGNAL"]),
    Sample(
      path: "ips/macsymbolicator-ios16.ips",
      tells: ["11.82689675s - kill app code=0x5 namespace=SIGNAL", "visibility=foreground"]),
    Sample(
      path: "ips/termination-only-c00010ff.json",
      tells: ["kill app code=0xc00010ff namespace=FRONTBOARD", "visibility=background"]),
    Sample(
      path: "ips/trollrecorder-385-no-header.json", tells: ["no death is told"], isNoDeath: true),
    Sample(
      path: "crash/book-dead10cc-ios10.crash",
      tells: ["1.904s - kill app code=0xdead10cc namespace=SPRINGBOARD"]),
    Sample(path: "crash/book-icdab_ptr_ios.crash", tells: ["kill app code=0xb namespace=SIGNAL"]),
    Sample(
      path: "crash/book-namespace-0xF-ios13.crash",
      tells: ["kill app code=0xdead10cc namespace=RUNNINGBOARD"]),
    Sample(
      path: "crash/callkit-522-baadca11-ios17.crash",
      tells: ["kill app code=0xbaadca11 namespace=FRONTBOARD"]),
    Sample(
      path: "crash/damus-2638-dead10cc-ios17.crash",
      tells: ["kill app code=0xdead10cc namespace=RUNNINGBOARD"]),
    Sample(
      path: "crash/facebook-ios8-8badf00d-assertions.crash",
      tells: [
        "43.179s - kill app code=0x8badf00d",
        "task.begin task:1 \"Background Content Fetching (1065)\"",
      ]),
    Sample(
      path: "crash/macsymbolicator-plain.crash", tells: ["kill app code=0x5 namespace=SIGNAL"]),
    Sample(
      path: "crash/pixio-ios16-scene-update.crash",
      tells: ["296.0978s - kill app code=0x8badf00d namespace=FRONTBOARD", "watchdog=scene-update"]),
    Sample(
      path: "crash/procedurekit-233-bknewprocess-ios9.crash",
      tells: ["task.begin task:2", "kill app reason="]),
    Sample(
      path: "jetsam/book-298-highwater-ios14.ips", tells: ["killed: wifianalyticsd (highwater)"],
      isNoDeath: true),
    Sample(
      path: "jetsam/reborntunnel-entries-ios11.json", app: "RebornTunnel",
      tells: ["kill app code=0x7 namespace=JETSAM", "15.0 MB"]),
    Sample(
      path: "metrickit/exit-metrics-fixture.json", tells: ["NormalApp 3"], isNoDeath: true),
    Sample(
      path: "metrickit/meter-ios_uncaugh_exception_payload.json",
      tells: ["kill app code=0xb namespace=SIGNAL", "when it died is not said"]),
    Sample(
      path: "metrickit/meter-real_report.json",
      tells: ["kill app code=0x5 namespace=SIGNAL", "kill app code=0xb namespace=SIGNAL"]),
    Sample(
      path: "resource-reports/book-cpu_resource-202.ips", tells: ["action taken: none"],
      isNoDeath: true),
    Sample(
      path: "sdk/measure-wikipedia-4b8c9de9.json",
      tells: ["UIApplication.willTerminateNotification"], isNoDeath: true),
    Sample(
      path: "sdk/measure-wikipedia-9658a459.json", tells: ["process.start app"], isNoDeath: true),
    Sample(
      path: "sdk/sentry-breadcrumbs-only.json",
      tells: ["120.671s - notify UIApplication.didEnterBackgroundNotification"], isNoDeath: true),
  ]

  /// What is right of a sample; throws when it is not read.
  private func judge(_ sample: Sample) throws -> (form: String, isRight: Bool, told: [String]) {
    let bytes = try Captures.bytes(sample.path, in: Captures.field)
    let form = try #require(ReportForm(bytes[...]), "\(sample.path): the form is not known")
    let told = try reported(String(decoding: bytes, as: UTF8.self), app: sample.app)
    let isTold = sample.tells.allSatisfy { words in told.contains { $0.contains(words) } }
    let hasEnd = told.contains { $0.contains(" kill app") || $0.contains(" exit app") }
    return (form.rawValue, isTold && hasEnd != sample.isNoDeath, told)
  }

  @Test(arguments: samples) func whatIsToldIsRight(sample: Sample) throws {
    let judged = try judge(sample)
    #expect(judged.isRight, "\(sample.path): \(judged.told.joined(separator: "\n"))")
  }

  @Test func theTable() throws {
    var counts: [String: (all: Int, read: Int, right: Int)] = [:]
    for sample in Self.samples {
      let judged = try? judge(sample)
      let form = judged?.form ?? "unknown"
      counts[form, default: (0, 0, 0)].all += 1
      if judged != nil { counts[form, default: (0, 0, 0)].read += 1 }
      if judged?.isRight == true { counts[form, default: (0, 0, 0)].right += 1 }
    }

    Swift.print("form | reports | read | right")
    for (form, count) in counts.sorted(by: { $0.key < $1.key }) {
      Swift.print("\(form) | \(count.all) | \(count.read) | \(count.right)")
    }
    let right = counts.values.reduce(0) { $0 + $1.right }
    #expect(right == Self.samples.count)
  }

  /// Captures are no reports, whatever they quote.
  @Test(arguments: [
    "compact", "console-copy", "kernel-memorystatus", "log-json", "react-native", "syslog",
    "xcode-console",
  ])
  func capturesAreNoReports(folder: String) throws {
    let url = Captures.field.appending(path: folder)
    for name in try FileManager.default.contentsOfDirectory(atPath: url.path) {
      let bytes = try Captures.bytes(name, in: url)
      #expect(ReportForm(bytes[...]) == nil, "\(folder)/\(name)")
    }
  }
}
