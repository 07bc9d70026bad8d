import LifecycleModel

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// What the platform says about the process that runs, as keys of the profile.
enum PlatformFacts {
  /// The platform, the system's version where it is UIKit's, and whether a debugger or a simulator runs
  /// the process.
  static func now() -> [Attribute] {
    var attributes: [Attribute] = []
    if let platform { attributes.append(Attribute(.platform, platform)) }
    if let version { attributes.append(Attribute(.os, version)) }
    if let isDebugged { attributes.append(Attribute(.debugger, String(isDebugged))) }
    if environment("SIMULATOR_UDID") != nil { attributes.append(Attribute(.simulator, "true")) }
    return attributes
  }

  private static func environment(_ name: String) -> String? {
    getenv(name).map { String(cString: $0) }
  }

  #if canImport(Darwin)
    /// A Mac without Catalyst is no platform of UIKit.
    private static var platform: String? {
      #if targetEnvironment(macCatalyst)
        "catalyst"
      #elseif os(iOS)
        (environment("SIMULATOR_MODEL_IDENTIFIER") ?? text("hw.machine"))?.hasPrefix("iPad") == true
          ? "ipados" : "ios"
      #elseif os(tvOS)
        "tvos"
      #elseif os(visionOS)
        "visionos"
      #elseif os(watchOS)
        "watchos"
      #else
        nil
      #endif
    }

    /// In a simulator the system is that of the Mac, and the environment has the one that is meant.
    private static var version: String? {
      guard platform != nil else { return nil }
      return environment("SIMULATOR_RUNTIME_VERSION") ?? text("kern.osproductversion")
    }

    private static var isDebugged: Bool? {
      var name: [Int32] = [CTL_KERN, KERN_PROC, KERN_PROC_PID, getpid()]
      var process = kinfo_proc()
      var size = MemoryLayout<kinfo_proc>.stride
      guard sysctl(&name, UInt32(name.count), &process, &size, nil, 0) == 0 else { return nil }
      return process.kp_proc.p_flag & P_TRACED != 0
    }

    /// A text that the kernel has under `name`.
    private static func text(_ name: String) -> String? {
      var bytes = [UInt8](repeating: 0, count: 64)
      var size = bytes.count
      guard sysctlbyname(name, &bytes, &size, nil, 0) == 0 else { return nil }
      return String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
    }
  #else
    private static var platform: String? { "linux" }

    /// The version of a kernel is none of UIKit's, which is what rules ask for.
    private static var version: String? { nil }

    private static var isDebugged: Bool? {
      guard let file = fopen("/proc/self/status", "r") else { return nil }
      defer { fclose(file) }
      var line = [CChar](repeating: 0, count: 256)
      while fgets(&line, Int32(line.count), file) != nil {
        let text = String(
          decoding: line.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
        let key = "TracerPid:"
        guard text.hasPrefix(key) else { continue }
        return text.dropFirst(key.count).contains { $0.isNumber && $0 != "0" }
      }
      return nil
    }
  #endif
}
