// swift-tools-version: 6.1

import PackageDescription

let package = Package(
  name: "minimal-app",
  platforms: [.macOS(.v13), .iOS(.v16)],
  dependencies: [
    // In an app of your own: .package(url: …, from: …, traits: [])
    // Without traits nothing is resolved but the package itself.
    .package(name: "tracectl", path: "../..", traits: [])
  ],
  targets: [
    .executableTarget(
      name: "minimal-app",
      dependencies: [
        .product(name: "LifecycleModel", package: "tracectl"),
        .product(name: "TraceRecorder", package: "tracectl"),
      ])
  ]
)
