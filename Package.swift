// swift-tools-version: 6.1

import PackageDescription

// A file of Apple's, which only bundles of Apple's systems have.
#if os(macOS)
  let privacy: (resources: [Resource], exclude: [String]) = ([.copy("PrivacyInfo.xcprivacy")], [])
#else
  let privacy: (resources: [Resource], exclude: [String]) = ([], ["PrivacyInfo.xcprivacy"])
#endif

// Homebrew's libyaml is where pkg-config says. On Linux the archive is linked, and nothing is asked.
#if os(macOS)
  let yaml: String? = "yaml-0.1"
#else
  let yaml: String? = nil
#endif

let package = Package(
  name: "tracectl",
  // What TraceAnalysis and TraceReport need; the recorder would run on iOS 13 and macOS 10.15, too, but
  // all of a package has one floor.
  platforms: [.macOS(.v13), .iOS(.v16), .tvOS(.v16), .visionOS(.v1)],
  products: [
    .library(name: "LifecycleModel", targets: ["LifecycleModel"]),
    .library(name: "TraceText", targets: ["TraceText"]),
    .library(name: "TraceLog", targets: ["TraceLog"]),
    .library(name: "TraceRecorder", targets: ["TraceRecorder"]),
    .library(name: "LifecycleTraceLogging", targets: ["LifecycleTraceLogging"]),
    .library(name: "TraceUIKit", targets: ["TraceUIKit"]),
    .library(name: "AppLifecycle", targets: ["AppLifecycle"]),
    .library(name: "TraceSources", targets: ["TraceSources"]),
    .library(name: "TraceAnalysis", targets: ["TraceAnalysis"]),
    .library(name: "LifecycleRules", targets: ["LifecycleRules"]),
    .library(name: "TraceConfiguration", targets: ["TraceConfiguration"]),
    .library(name: "TraceResults", targets: ["TraceResults"]),
    .library(name: "TraceVerdict", targets: ["TraceVerdict"]),
    .library(name: "TraceReport", targets: ["TraceReport"]),
    .library(name: "TraceTestSupport", targets: ["TraceTestSupport"]),
    .executable(name: "tracectl", targets: ["command"]),
  ],
  traits: [
    .default(enabledTraits: ["Tool", "SwiftLog"]),
    .trait(name: "Analysis", description: "The analyzer, for TraceTestSupport: HdrHistogram"),
    .trait(name: "SwiftLog", description: "LifecycleTraceLogging: swift-log"),
    .trait(
      name: "Tool", description: "The command: ArgumentParser", enabledTraits: ["Analysis"]),
  ],
  dependencies: [
    .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
    .package(url: "https://github.com/apple/swift-log", from: "1.16.2"),
    .package(url: "https://github.com/HdrHistogram/hdrhistogram-swift", from: "0.2.0"),
  ],
  targets: [
    .systemLibrary(
      name: "CZlib", pkgConfig: "zlib", providers: [.apt(["zlib1g-dev"]), .brew(["zlib"])]),
    // Without a name to link in its module map: TraceQuery links the archive, and no library is looked for
    // when the command starts.
    .systemLibrary(name: "CSQLite", providers: [.apt(["libsqlite3-dev"])]),
    // As CSQLite; YAMLReading links the archive.
    .systemLibrary(
      name: "CYAML", pkgConfig: yaml, providers: [.apt(["libyaml-dev"]), .brew(["libyaml"])]),
    .target(name: "CViews", exclude: ["views"]),
    .target(
      name: "CPage",
      exclude: [
        "data.js", "axis.js", "lanes.js", "picture.js", "ruler.js", "evidence.js", "map.js",
        "moment.js", "left-out.js", "controls.js", "links.js", "pointer.js", "start.js", "page.css",
      ]),
    .target(name: "CPlatform"),
    .target(name: "Platform", dependencies: ["CPlatform"]),
    .target(name: "LifecycleModel"),
    .target(name: "TraceText", dependencies: ["LifecycleModel"]),
    .target(name: "TraceLog", dependencies: ["CZlib", "LifecycleModel", "Platform"]),
    .target(
      name: "TraceRecorder", dependencies: ["LifecycleModel", "Platform", "TraceLog"],
      exclude: privacy.exclude, resources: privacy.resources),
    .target(name: "CTraceHooks"),
    .target(
      name: "TraceUIKit",
      dependencies: ["CTraceHooks", "LifecycleModel", "Platform", "TraceLog", "TraceRecorder"]),
    .target(name: "CTraceStart"),
    .target(name: "TraceUIKitAuto", dependencies: ["CTraceStart", "TraceUIKit"]),
    .target(
      name: "LifecycleTraceLogging",
      dependencies: [
        "TraceRecorder",
        .product(name: "Logging", package: "swift-log", condition: .when(traits: ["SwiftLog"])),
      ]),
    .target(name: "AppLifecycle", dependencies: ["LifecycleModel", "Platform", "TraceRecorder"]),
    .target(
      name: "YAMLReading", dependencies: ["CYAML", "LifecycleModel", "TraceText"],
      linkerSettings: [.linkedLibrary(":libyaml.a", .when(platforms: [.linux]))]),
    .target(name: "Scenarios", dependencies: ["AppLifecycle", "LifecycleModel", "YAMLReading"]),
    .target(
      name: "TraceSources", dependencies: ["LifecycleModel", "Platform", "Run", "TraceText"]),
    .target(name: "Run", dependencies: ["LifecycleModel"]),
    .target(
      name: "TraceAnalysis",
      dependencies: [
        "LifecycleModel", "Platform", "Run", "TraceText",
        .product(
          name: "Histogram", package: "hdrhistogram-swift", condition: .when(traits: ["Analysis"])),
      ]),
    .target(
      name: "LifecycleRules",
      dependencies: ["LifecycleModel", "Run", "TraceAnalysis", "TraceText"]),
    .target(
      name: "TraceConfiguration",
      dependencies: [
        "LifecycleModel", "LifecycleRules", "Platform", "TraceAnalysis", "TraceText",
        "YAMLReading",
      ]),
    .target(
      name: "TraceResults",
      dependencies: ["LifecycleModel", "LifecycleRules", "Run", "TraceAnalysis", "TraceText"]),
    .target(
      name: "TraceVerdict",
      dependencies: [
        "LifecycleModel", "LifecycleRules", "Platform", "TraceAnalysis", "TraceLog",
        "TraceRecorder", "TraceResults", "TraceText",
      ]),
    .target(
      name: "TraceReport",
      dependencies: [
        "CPage", "CZlib", "LifecycleModel", "LifecycleRules", "Platform", "Run",
        "TraceAnalysis", "TraceResults", "TraceText",
      ]),
    .target(
      name: "TraceQuery",
      dependencies: ["CSQLite", "CViews", "LifecycleModel", "TraceReport", "TraceText"],
      linkerSettings: [
        .linkedLibrary(":libsqlite3.a", .when(platforms: [.linux])),
        .linkedLibrary("m", .when(platforms: [.linux])),
        .linkedLibrary("sqlite3", .when(platforms: [.macOS])),
      ]),
    .target(
      name: "TraceTestSupport",
      dependencies: [
        "LifecycleModel", "LifecycleRules", "Platform", "TraceAnalysis", "TraceLog",
        "TraceRecorder", "TraceReport",
      ]),
    .target(
      name: "tracectl",
      dependencies: [
        "AppLifecycle", "CZlib", "LifecycleModel", "LifecycleRules", "Platform", "Scenarios",
        "TraceAnalysis",
        "TraceConfiguration", "TraceLog", "TraceQuery", "TraceRecorder", "TraceReport",
        "TraceSources", "TraceText",
        .product(
          name: "ArgumentParser", package: "swift-argument-parser",
          condition: .when(traits: ["Tool"])),
      ]),
    .executableTarget(name: "command", dependencies: ["tracectl"]),
    .executableTarget(
      name: "crash-in-background", dependencies: ["LifecycleModel", "TraceRecorder"],
      path: "samples/apps/crash-in-background", exclude: ["report.txt"]),
    .executableTarget(
      name: "hang", dependencies: ["LifecycleModel", "TraceRecorder"],
      path: "samples/apps/hang", exclude: ["report.txt"]),
    .executableTarget(
      name: "many-threads", dependencies: ["LifecycleModel", "TraceRecorder"],
      path: "samples/apps/many-threads", exclude: ["report.txt"]),
    .executableTarget(
      name: "note-taker", dependencies: ["LifecycleModel", "TraceRecorder", "TraceVerdict"],
      path: "samples/apps/note-taker"),
    .executableTarget(
      name: "Notes", dependencies: ["AppLifecycle", "LifecycleModel", "TraceRecorder"],
      path: "samples/Notes"),
    .target(
      name: "LogUpload", dependencies: ["TraceLog"], path: "samples/upload",
      exclude: ["README.md"]),
    .testTarget(
      name: "LogUploadTests",
      dependencies: ["LifecycleModel", "LogUpload", "TraceLog", "TraceRecorder", "TraceText"]),
    .target(
      name: "Traces", dependencies: ["LifecycleModel", "Platform", "TraceLog"],
      path: "Tests/Support/Traces"),
    // What tools/bench measures; it is a target of that package, too.
    .target(
      name: "Workloads", dependencies: ["AppLifecycle", "LifecycleModel", "TraceLog"],
      path: "tools/bench/Sources/Workloads"),
    // What the fuzzers feed, and what must hold; tools/fuzz builds the program around it.
    .target(
      name: "Fuzzing",
      dependencies: [
        "AppLifecycle", "LifecycleModel", "LifecycleRules", "Scenarios", "TraceAnalysis",
        "TraceConfiguration", "TraceLog", "TraceReport", "TraceSources", "TraceText", "Traces",
      ],
      path: "Tests/Support/Fuzzing"),
    .target(name: "TestTime", dependencies: ["Platform"], path: "Tests/Support/TestTime"),
    .target(name: "Tidy", path: "Tests/Support/Tidy"),
    .executableTarget(name: "measure", dependencies: ["Tidy"], path: "Tests/Support/Measure"),
    .testTarget(name: "TidyTests", dependencies: ["Tidy"]),
    .target(
      name: "AnalysisTestSupport",
      dependencies: [
        "AppLifecycle", "LifecycleModel", "LifecycleRules", "Scenarios", "TraceAnalysis",
        "TraceLog", "TraceReport", "TraceText", "Traces",
      ],
      path: "Tests/Support/Quality"),
    .executableTarget(
      name: "quality",
      dependencies: [
        "AnalysisTestSupport", "LifecycleModel", "LifecycleRules", "Platform", "TraceAnalysis",
        "TraceLog", "TraceReport", "TraceText", "Traces", "Workloads",
      ],
      path: "Tests/Support/Trials"),
    .testTarget(
      name: "LifecycleModelTests",
      dependencies: ["LifecycleModel", "TraceText", "Traces", "Workloads"]),
    .testTarget(
      name: "TraceTextTests", dependencies: ["LifecycleModel", "TraceText", "Traces"]),
    .testTarget(
      name: "TraceLogTests",
      dependencies: [
        "LifecycleModel", "Platform", "TestTime", "TraceLog", "TraceText", "Traces", "Workloads",
      ]),
    .testTarget(
      name: "TraceRecorderTests",
      dependencies: [
        "LifecycleModel", "Platform", "TestTime", "TraceLog", "TraceRecorder", "TraceText",
        "Traces",
      ]),
    .testTarget(
      name: "LifecycleTraceLoggingTests",
      dependencies: [
        "LifecycleTraceLogging", "LifecycleModel", "TraceLog", "TraceRecorder",
        .product(name: "Logging", package: "swift-log", condition: .when(traits: ["SwiftLog"])),
      ]),
    .testTarget(
      name: "AppLifecycleTests",
      dependencies: [
        "AnalysisTestSupport", "AppLifecycle", "LifecycleModel", "LifecycleRules", "TestTime",
        "TraceAnalysis",
        "TraceLog", "TraceText", "Traces",
      ]),
    .testTarget(
      name: "QualityTests",
      dependencies: [
        "AnalysisTestSupport", "LifecycleModel", "LifecycleRules", "TestTime", "TraceAnalysis",
        "TraceConfiguration", "TraceLog", "TraceReport", "TraceResults", "TraceText", "Traces",
        "Workloads",
      ]),
    .testTarget(
      name: "YAMLReadingTests", dependencies: ["LifecycleModel", "Traces", "YAMLReading"]),
    .testTarget(
      name: "ScenariosTests",
      dependencies: [
        "AppLifecycle", "LifecycleModel", "LifecycleRules", "Scenarios", "TestTime",
        "TraceAnalysis", "TraceLog",
      ]),
    .testTarget(
      name: "TraceSourcesTests",
      dependencies: [
        "Fuzzing", "LifecycleModel", "LifecycleRules", "Run", "TestTime", "TraceSources",
        "TraceText", "Traces",
      ]),
    .testTarget(
      name: "FuzzingTests",
      dependencies: ["Fuzzing", "TestTime", "TraceLog", "Traces"]),
    .testTarget(
      name: "TraceAnalysisTests",
      dependencies: [
        "LifecycleModel", "LifecycleRules", "Run", "TestTime", "TraceAnalysis", "TraceTestSupport",
        "TraceText", "Traces", "Workloads",
      ]),
    .testTarget(
      name: "TraceTestSupportTests",
      dependencies: [
        "LifecycleModel", "LifecycleRules", "TraceAnalysis", "TraceTestSupport", "TraceText",
      ]),
    .target(
      name: "Editor", dependencies: ["LifecycleModel", "TraceRecorder"],
      path: "samples/tested-app/Sources/Editor"),
    .testTarget(
      name: "EditorTests",
      dependencies: ["Editor", "LifecycleModel", "TraceTestSupport", "TraceText"],
      path: "samples/tested-app/Tests/EditorTests"),
    .testTarget(
      name: "TraceConfigurationTests",
      dependencies: [
        "AnalysisTestSupport", "LifecycleModel", "LifecycleRules", "TraceAnalysis",
        "TraceConfiguration", "TraceText",
      ]),
    .testTarget(
      name: "TraceReportTests",
      dependencies: [
        "CZlib", "LifecycleModel", "LifecycleRules", "TestTime", "TraceAnalysis", "TraceLog",
        "TraceReport", "TraceResults", "TraceText", "Traces", "Workloads",
      ]),
    .testTarget(
      name: "TraceQueryTests",
      dependencies: [
        "LifecycleModel", "TraceQuery", "TraceReport", "TraceText", "Traces",
      ]),
    .executableTarget(
      name: "storm", dependencies: ["LifecycleModel", "TraceLog", "TraceRecorder"],
      path: "Tests/Storm"),
    .executableTarget(
      name: "simulation",
      dependencies: [
        "AnalysisTestSupport", "LifecycleModel", "LifecycleRules", "Platform", "TraceAnalysis",
        "TraceLog", "TraceRecorder", "TraceReport", "TraceText", "Traces", "Workloads",
      ],
      path: "Tests/Simulation", exclude: ["Mutants.txt"]),
    .target(name: "CProbe", path: "Tests/CProbe"),
    .target(name: "COwnFiles", path: "Tests/COwnFiles"),
    .executableTarget(
      name: "quiet", dependencies: ["CProbe", "LifecycleModel", "TraceRecorder"],
      path: "Tests/Quiet"),
    .executableTarget(
      name: "steady", dependencies: ["LifecycleModel", "TraceRecorder"], path: "Tests/Steady"),
    .executableTarget(
      name: "lively", dependencies: ["LifecycleModel", "TraceRecorder"], path: "Tests/Lively"),
    .executableTarget(
      name: "deaths", dependencies: ["AppLifecycle", "LifecycleModel", "TraceRecorder"],
      path: "Tests/Deaths"),
    .testTarget(
      name: "TracectlTests",
      dependencies: [
        "tracectl", "command", "COwnFiles", "LifecycleModel", "LifecycleRules", "Platform",
        "TraceAnalysis", "TraceLog", "TraceRecorder", "TraceReport", "TraceResults", "TraceText",
        "TraceVerdict", "TestTime",
        "Traces",
        "crash-in-background", "hang", "many-threads", "note-taker", "storm", "steady", "deaths",
        "lively", "simulation", "Notes",
      ],
      exclude: ["Judgement", "Schemas", "Snapshots"]),
  ],
  swiftLanguageModes: [.v6]
)

// It is inserted into apps, as only Apple's systems do.
#if os(macOS)
  package.products.append(
    .library(
      name: "TraceUIKitAuto", type: .dynamic, targets: ["TraceUIKitAuto"]))
#endif

// TRACECTL_TESTED=1 is the build of tools/test. On Linux it compiles TraceUIKit against a UIKit of our own over
// AppLifecycle, which has a name of its own, so that `canImport(UIKit)` is true for TraceUIKit alone.
let isTested = Context.environment["TRACECTL_TESTED"] == "1"
#if os(Linux)
  if isTested {
    package.targets += [
      .target(
        name: "UIKitStub", dependencies: ["AppLifecycle", "LifecycleModel"],
        path: "Tests/Support/UIKitStub"),
      .testTarget(
        name: "TraceUIKitTests",
        dependencies: [
          "AppLifecycle", "LifecycleModel", "TestTime", "TraceAnalysis", "TraceLog",
          "TraceRecorder", "TraceTestSupport", "TraceText", "TraceUIKit", "TraceUIKitAuto",
          "Traces", "UIKitStub",
        ]),
    ]
    for target in package.targets where ["TraceUIKit", "TraceUIKitAuto"].contains(target.name) {
      target.dependencies.append("UIKitStub")
      target.swiftSettings = [.unsafeFlags(["-module-alias", "UIKit=UIKitStub"])]
    }
  }
#endif

// TRACECTL_INSTALLED=1 is the build of tools/install: what runs once for a command, not for each event or line, is
// compiled for its size.
if Context.environment["TRACECTL_INSTALLED"] == "1" {
  let cold: Set = [
    "AppLifecycle", "Scenarios", "TraceConfiguration", "TraceQuery", "TraceReport", "TraceResults",
    "TraceVerdict", "YAMLReading", "command", "tracectl",
  ]
  for target in package.targets where cold.contains(target.name) {
    target.swiftSettings = (target.swiftSettings ?? []) + [.unsafeFlags(["-Osize"])]
  }
}

// In a release build it optimizes only what tests spend their time in, and the packages that this one depends on: to
// optimize the rest takes longer than it saves. No package that is depended on may have unsafe flags.
if isTested {
  let hot: Set = [
    "AnalysisTestSupport", "LifecycleModel", "Platform", "Run", "TraceAnalysis", "TraceLog",
    "TraceText", "Traces",
  ]
  let plain = ["-Onone", "-no-whole-module-optimization", "-enable-batch-mode"]
  for target in package.targets where target.type != .system && !hot.contains(target.name) {
    target.swiftSettings = (target.swiftSettings ?? []) + [.unsafeFlags(plain)]
  }
}

// TRACECTL_FUZZ=1 adds the program of tools/fuzz, which links only with libFuzzer.
if Context.environment["TRACECTL_FUZZ"] == "1" {
  package.targets.append(
    .executableTarget(name: "fuzz", dependencies: ["Fuzzing"], path: "Tests/Support/Fuzz"))
}
