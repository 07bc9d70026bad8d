#if canImport(UIKit) && !os(watchOS)
  import Foundation
  import LifecycleModel

  /// What the analyzer must know of the app, as its property list and the process say it.
  struct ProfileReading {
    private let information: [String: Any]
    private let environment: [String: String]
    private let systemVersion: String?
    /// Whether the app is seen to use scenes; those of SwiftUI do so without a manifest.
    var usesScenes = false

    init(_ information: [String: Any], _ environment: [String: String], systemVersion: String?) {
      self.information = information
      self.environment = environment
      self.systemVersion = systemVersion
    }

    private var manifest: [String: Any]? {
      information["UIApplicationSceneManifest"] as? [String: Any]
    }

    /// Whether the app uses scenes: it has a manifest of them, or is seen to use them.
    var mode: Profile.Mode { manifest == nil && !usesScenes ? .app : .scene }

    /// The classes that the manifest names for scenes' delegates.
    var sceneDelegateClassNames: [String] {
      let roles = manifest?["UISceneConfigurations"] as? [String: [[String: Any]]] ?? [:]
      let names = roles.values.joined().compactMap { $0["UISceneDelegateClassName"] as? String }
      return Set(names).sorted()
    }

    /// `prewarm` when the system says so; what else a launch is for is not known when it begins.
    var launch: String {
      environment["ActivePrewarm"] == "1" ? LaunchReason.prewarm.rawValue : "unknown"
    }

    /// What is so for the whole life of the process.
    var attributes: [Attribute] {
      let isMulti = manifest?["UIApplicationSupportsMultipleScenes"] as? Bool ?? false
      let modes = information["UIBackgroundModes"] as? [String] ?? []
      var attributes = [
        Attribute(.mode, mode.rawValue), Attribute(.multiScene, String(isMulti)),
        Attribute(.backgroundModes, modes.isEmpty ? "none" : modes.joined(separator: ",")),
        Attribute(.clock, Profile.Clock.monotonic.rawValue), Attribute(.launch, launch),
      ]

      if let systemVersion { attributes.append(Attribute(.os, systemVersion)) }
      // It is `iphoneos18.2`, and rules ask for the number.
      if let name = information["DTSDKName"] as? String {
        attributes.append(Attribute(.sdk, String(name.drop { !$0.isNumber })))
      }
      return attributes + release
    }

    /// Which app it is, and which release of it.
    private var release: [Attribute] {
      let said: [(AttributeKey, String)] = [
        (.app, "CFBundleIdentifier"), (.version, "CFBundleShortVersionString"),
        (.build, "CFBundleVersion"),
      ]
      return said.compactMap { key, name in
        (information[name] as? String).map { Attribute(key, $0) }
      }
    }
  }
#endif
