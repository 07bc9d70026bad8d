import LifecycleModel
import Platform

/// What the platform says about the process that runs, as keys of the profile.
enum PlatformFacts {
  /// The platform, the system's version where it is UIKit's, the device's model, and whether a debugger or a
  /// simulator runs the process.
  static func now() -> [Attribute] {
    var attributes: [Attribute] = []
    if let platform { attributes.append(Attribute(.platform, platform)) }
    if let version { attributes.append(Attribute(.os, version)) }
    if platform != nil, let model { attributes.append(Attribute(.device, model)) }
    if let isDebugged { attributes.append(Attribute(.debugger, String(isDebugged))) }
    if environment("SIMULATOR_UDID") != nil { attributes.append(Attribute(.simulator, "true")) }
    return attributes
  }

  private static func environment(_ name: String) -> String? {
    getenv(name).map { String(cString: $0) }
  }

  /// A Mac without Catalyst is no platform of UIKit.
  private static var platform: String? {
    #if targetEnvironment(macCatalyst)
      "catalyst"
    #elseif os(iOS)
      model?.hasPrefix("iPad") == true ? "ipados" : "ios"
    #elseif os(tvOS)
      "tvos"
    #elseif os(visionOS)
      "visionos"
    #elseif os(watchOS)
      "watchos"
    #elseif os(Linux)
      "linux"
    #else
      nil
    #endif
  }

  /// The version of the system where it is UIKit's, which is what rules ask for; that of Linux is not.
  ///
  /// In a simulator the system is that of the Mac, and the environment has the one that is meant.
  private static var version: String? {
    guard platform != nil else { return nil }
    return environment("SIMULATOR_RUNTIME_VERSION") ?? kernelText("kern.osproductversion")
  }

  /// The device's model where a system of Apple's says it, such as `iPhone16,2`.
  ///
  /// In a simulator it is that of the device which it stands for. A Mac calls its processor the machine.
  private static var model: String? {
    #if targetEnvironment(macCatalyst)
      kernelText("hw.model")
    #else
      environment("SIMULATOR_MODEL_IDENTIFIER") ?? kernelText("hw.machine")
    #endif
  }

  private static var isDebugged: Bool? {
    let answer = platform_is_traced()
    return answer < 0 ? nil : answer != 0
  }

  /// A text that the kernel has under `name`; none on Linux.
  private static func kernelText(_ name: String) -> String? {
    var bytes = [CChar](repeating: 0, count: 64)
    guard platform_kernel_text(name, &bytes, bytes.count) != 0 else { return nil }
    return String(decoding: bytes.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
  }
}
