// swift-tools-version: 6.1

import PackageDescription

let package = Package(
  name: "own-rule",
  platforms: [.macOS(.v13), .iOS(.v16)],
  dependencies: [
    // In a package of your own: .package(url: …, from: …, traits: ["Analysis"])
    .package(name: "tracectl", path: "../..", traits: ["Analysis"])
  ],
  targets: [
    .executableTarget(
      name: "own-rule",
      dependencies: [
        .product(name: "LifecycleModel", package: "tracectl"),
        .product(name: "LifecycleRules", package: "tracectl"),
        .product(name: "TraceAnalysis", package: "tracectl"),
        .product(name: "TraceText", package: "tracectl"),
      ])
  ]
)
