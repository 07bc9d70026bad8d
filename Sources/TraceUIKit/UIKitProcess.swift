#if canImport(UIKit) && !os(watchOS)
  import CTraceHooks
  import Foundation
  import UIKit

  #if canImport(os)
    import os
  #endif

  /// What tracing asks of the process that it runs in; a test puts a stand-in in its place.
  @MainActor
  struct UIKitProcess {
    /// Says who is told of calls; `nil`: nobody.
    var tell: ((any HookListener)?) -> Void
    /// The methods and classes of the process.
    var runtime: HookRuntime
    /// The object that another one hands a method on to.
    var forwards: (AnyObject, _ selector: String) -> AnyObject?
    /// The application; `nil` before UIApplicationMain has made it.
    ///
    /// UIKit's `shared` is nil then, too, and its type hides it.
    var application: () -> UIApplication?
    /// Where UIKit posts.
    var center: NotificationCenter
    /// Whether the caller is on the main thread.
    var isMain: @Sendable () -> Bool
    /// The app's property list.
    var information: [String: Any]
    /// The variables of the environment.
    var environment: [String: String]
    /// The system's version, such as `18.2`; `nil` leaves it to the recorder.
    var systemVersion: String?
    /// Whether the main run loop is this process's.
    var hasRunLoop: Bool
    /// Where the developer reads what is wrong with the recording itself.
    var complain: @Sendable (String) -> Void = UIKitProcess.log

    #if canImport(os)
      private static nonisolated let log: @Sendable (String) -> Void = {
        os.Logger(subsystem: "dev.tracectl", category: "recording").error("\($0, privacy: .public)")
      }
    #else
      private static nonisolated let log: @Sendable (String) -> Void = {
        FileHandle.standardError.write(Data("tracectl: \($0)\n".utf8))
      }
    #endif

    /// The process as it is.
    static var current: UIKitProcess {
      UIKitProcess(
        tell: { HookTelling.tell($0) }, runtime: .current,
        forwards: { object, selector in
          trace_hook_forwards(Unmanaged.passUnretained(object).toOpaque(), selector).map {
            Unmanaged<AnyObject>.fromOpaque($0).takeUnretainedValue()
          }
        },
        application: {
          trace_hook_application().map {
            Unmanaged<UIApplication>.fromOpaque($0).takeUnretainedValue()
          }
        },
        center: .default, isMain: { Thread.isMainThread },
        information: Bundle.main.infoDictionary ?? [:],
        environment: ProcessInfo.processInfo.environment, systemVersion: systemVersion,
        hasRunLoop: true)
    }

    /// The version that the system states; in a simulator, that of the system that it simulates.
    private static var systemVersion: String? {
      #if canImport(Darwin)
        let process = ProcessInfo.processInfo
        if let simulated = process.environment["SIMULATOR_RUNTIME_VERSION"] { return simulated }
        let version = process.operatingSystemVersion
        let patch = version.patchVersion == 0 ? "" : ".\(version.patchVersion)"
        return "\(version.majorVersion).\(version.minorVersion)\(patch)"
      #else
        return nil
      #endif
    }
  }
#endif
