// swift-tools-version: 6.1

import PackageDescription

let package = Package(
  name: "tested-app",
  platforms: [.macOS(.v15), .iOS(.v18)],
  dependencies: [
    // In an app of your own: .package(url: …, from: …)
    .package(name: "tracectl", path: "../..")
  ],
  targets: [
    .target(
      name: "Editor",
      dependencies: [
        .product(name: "LifecycleModel", package: "tracectl"),
        .product(name: "TraceRecorder", package: "tracectl"),
      ]),
    .testTarget(
      name: "EditorTests",
      dependencies: [
        "Editor",
        .product(name: "LifecycleModel", package: "tracectl"),
        .product(name: "TraceTestSupport", package: "tracectl"),
        .product(name: "TraceText", package: "tracectl"),
      ]),
  ]
)
