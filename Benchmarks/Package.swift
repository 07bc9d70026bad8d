// swift-tools-version: 6.1

import PackageDescription

let package = Package(
  name: "Benchmarks",
  platforms: [.macOS(.v15)],
  dependencies: [.package(name: "tracectl", path: "..")],
  targets: [
    .executableTarget(
      name: "bench",
      dependencies: [
        .product(name: "LifecycleModel", package: "tracectl"),
        .product(name: "TraceLog", package: "tracectl"),
        .product(name: "TraceRecorder", package: "tracectl"),
        .product(name: "TraceAnalysis", package: "tracectl"),
        .product(name: "TraceTestSupport", package: "tracectl"),
        .product(name: "AnalysisTestSupport", package: "tracectl"),
      ])
  ],
  swiftLanguageModes: [.v6]
)
