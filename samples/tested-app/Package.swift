// swift-tools-version: 6.1

import PackageDescription

let package = Package(
  name: "tested-app",
  platforms: [.macOS(.v13), .iOS(.v16)],
  dependencies: [
    // In an app of your own: .package(url: …, from: …, traits: ["Analysis"])
    .package(name: "tracectl", path: "../..", traits: ["Analysis"])
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
