// swift-tools-version: 6.1

import PackageDescription

// Products of tracectl only: what is measured is what its users call.
func tracectl(_ product: String) -> Target.Dependency {
  .product(name: product, package: "tracectl")
}

let package = Package(
  name: "tracectl-bench",
  platforms: [.macOS(.v13)],
  dependencies: [
    .package(name: "tracectl", path: "../.."),
    .package(url: "https://github.com/apple/swift-log", from: "1.16.2"),
  ],
  targets: [
    .target(name: "CBench"),
    // The tests of tracectl compile these files, too.
    .target(
      name: "Workloads",
      dependencies: [tracectl("AppLifecycle"), tracectl("LifecycleModel"), tracectl("TraceLog")]),
    .executableTarget(
      name: "bench",
      dependencies: [
        "CBench", "Workloads", tracectl("LifecycleModel"), tracectl("LifecycleRules"),
        tracectl("TraceAnalysis"), tracectl("TraceLog"), tracectl("TraceRecorder"),
        tracectl("TraceText"),
      ]),
    .executableTarget(
      name: "swift-log-peer",
      dependencies: ["CBench", .product(name: "Logging", package: "swift-log")],
      path: "peers/swift-log"),
  ],
  swiftLanguageModes: [.v6]
)
