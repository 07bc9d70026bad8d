/// A function that a thread was in.
struct ReportFrame: Hashable, Sendable {
  /// Its symbol, or where it lies in its image; at most 120 characters.
  let name: String
  /// The line of the code, such as `Store.swift:88`; `nil` where the report does not say it.
  let code: String?
  /// The image in which it lies; `nil` where the report does not say it.
  let image: String?
  /// Whether that is a library of the system, by where it lies; `nil` where the report does not say it.
  private var isOfSystem: Bool?

  init(
    _ name: some StringProtocol, code: String? = nil, image: String? = nil, path: String? = nil
  ) {
    // A mangled name that was cut behind its first number is none, nor are the first digits of an address.
    let isCut = name.hasPrefix("$s") && name.utf8.count < 6 || name.allSatisfy(\.isNumber)
    self.name = isCut ? image ?? String(name) : String(name.prefix(120))
    // What the compiler makes has line 0.
    self.code = code.flatMap {
      let isMade =
        $0.hasSuffix(":0") || ["_hidden#", "<compiler-generated>"].contains(where: $0.contains)
      return isMade ? nil : String($0.prefix(72))
    }
    self.image = image
    isOfSystem = path.map(Self.isOfSystem)
  }

  /// What stands in place of frames that are not shown.
  static let leftOut = ReportFrame("…")

  /// The same frame, which lies in the app.
  var ofApp: ReportFrame {
    var own = self
    own.isOfSystem = false
    return own
  }

  /// Whether a library of the system is all that is known of it.
  var isNamelessOfApple: Bool { isOfApple && image == name }

  /// Whether a file lies in a folder of the system's.
  static func isOfSystem(path: String) -> Bool {
    [
      "/System/Library/", "/System/Applications/", "/System/iOSSupport/", "/System/Cryptexes/",
      "/usr/lib/",
      "/usr/libexec/", "/usr/sbin/", "/usr/bin/", "/Developer/",
    ].contains { path.hasPrefix($0) } || path.contains("/RuntimeRoot/")
  }

  /// Whether it is of the app's own code, as far as is known: of no library of the system, of no crash reporter,
  /// of no language's library, and not where every app begins.
  var isOfApp: Bool {
    !isOfApple && !shows(.reporter) && !isEntry && !isOfStandardLibrary && !isOfEngine
  }

  /// Whether it lies in a framework that runs an app's code in another language.
  private var isOfEngine: Bool {
    [
      "hermes", "React", "Flutter", "libcoreclr.dylib", "libclrjit.dylib", "libhostpolicy.dylib",
      "libhostfxr.dylib",
    ].contains(image) || shows(.engine)
  }

  /// Whether it is where every app begins, or where a bridge to another language passes an exception on.
  var isEntry: Bool {
    name == "main" || name == "start" || name.contains("$main")
      || name.contains("static ") && name.hasSuffix(".main()")
      || name.hasPrefix("xamarin_")
      || name.contains("UIApplicationMain") || name.contains("UIApplication_Main")
      || name.hasPrefix("native_to_managed_")
      || code?.hasPrefix("registrar.mm:") == true
  }

  /// The app's executable, which contains `main` and its delegate; `nil` of other frames, and where the app lies in a
  /// library.
  var executable: String? {
    let isOfDelegate = ["AppDelegate.", "-[AppDelegate "].contains(where: name.hasPrefix)
    guard isEntry || isOfDelegate || name.contains("RCTFatal"), !isOfApple, let image,
      image != name,
      !["UnityFramework", "React"].contains(image), !image.hasPrefix("lib"), !image.hasPrefix("?")
    else { return nil }
    return image.slice.before(".debug.dylib").text
  }

  /// Whether it is of the standard library of C++, whose headers have no ending or names of their own.
  private var isOfStandardLibrary: Bool {
    guard let file = code?.prefix(while: { $0 != ":" }) else {
      return ["std::", "core::panicking::", "core::ops::", "__rust", "rust_begin_unwind"]
        .contains { name.hasPrefix($0) }
    }
    let isHeader = ["stl_", "shared_ptr", "basic_string"].contains { file.hasPrefix($0) }
    return !file.contains(".") || file.hasPrefix("__") || isHeader && file.hasSuffix(".h")
  }

  /// Whether nothing but its image is known of it, and where it lies there.
  var isNameless: Bool {
    let bare = name.drop { $0 == "_" }
    let isMade = ["mh_execute_header", "lldb_unnamed_symbol", "OUTLINED_FUNCTION_", "0x"]
      .contains(where: bare.hasPrefix)
    return isMade || image.map { name == $0 || name.hasPrefix($0 + " + ") } ?? false
  }

  /// Whether its image shows that it is.
  var isKnownOfApp: Bool { isOfApp && (image != nil && image != name || isOfSystem == false) }

  /// Whether it lies in the executable of the app, or by its path in a library that the app brings.
  func isCertainlyOfApp(_ app: String?) -> Bool {
    isKnownOfApp && (isOfSystem == false || image == app)
  }

  /// What the name of a function shows.
  enum Sign {
    /// It locks files: SQLite, or the system's calls.
    case lock
    /// It throws any exception.
    case throwing
    /// It stops a process from within.
    case stop
    /// It uses the memory of an object that it is given.
    case memoryOfObjects
    /// It sends a signal to its own process.
    case ownSignal
    /// It says what stopped the app, where no words stand beside it.
    case nameOfStop
    /// It says why the app was stopped, more than any words beside it: UIKit and PushKit say it so.
    case nameOfCause
    /// It handles crashes for a reporter, and stands above what crashed.
    case reporter
    /// It is an engine's own, wherever it lies, or the compiler adds it around another one.
    case engine
  }

  /// What names of functions begin with, without the dashes below the line.
  static let starts: [Sign: [String]] = [
    .lock: ["sqlite3", "flock", "fcntl", "NSPersistentStore", "-[NSSQL"],
    .throwing: [
      "exceptionPreprocess", "objc_exception_throw", "-[NSException raise]",
      "+[NSException raise:", "-[NSAssertionHandler ", "xamarin_", "RCTFatal",
      "CFThrowFormattedException",
      // The functions behind those that throw: a call that never returns ends there.
      "userInfoForFileAndLine", "CFDictionaryCreateGeneric", "-[NSException name]",
      "-[NSMutableDictionary initWithContentsOfFile:]",
      "-[NSMutableDictionary(NSMutableDictionary) initWithContentsOfFile:]",
      "-[NSOrderedSet initWithSet:", "+[NSObject(NSObject) _copyDescription]",
    ],
    .stop: [
      "pthread_kill", "abort", "Swift runtime failure: ", "assertionFailure", "swift_fatalError",
      "swift_runtime_on_report", "sigtramp", "dispatch_assert_queue_fail", "objc_terminate",
      "std::terminate", "std::__terminate",
    ],
    .nameOfCause: ["load_aot_module"],
    .ownSignal: ["pthread_kill", "raise", "kill"],
    .memoryOfObjects: [
      "objc_msgSend", "objc_release", "objc_retain", "swift_release", "swift_retain",
      "lookUpImpOrForward", "AutoreleasePoolPage",
    ],
    .reporter: [
      "FIRCLS", "ksmemory_", "kscm", "KSCrash", "sentrycrash", "SentryCrash", "BSG", "bsg_",
      "plcrash", "PLCrash", "CLSProcess", "CLSHandler", "CLSException", "CLSTerminateHandler",
      "UmengSignalHandler", "mono_dump_native_crash_info", "mono_handle_native_crash",
      "mono_crash_", "mono_handle_native_sigsegv", "sigabrt_signal_handler",
      "mono_sigsegv_signal_handler",
    ],
    .engine: [
      "-[RCTExceptionsManager", "-[RCTModuleMethod", "-[RCTCxxBridge", "-[RCTBatchedBridge",
      "-[RCTBridge", "-[RCTJSCExecutor", "facebook::react::", "facebook::jsi::", "hermes::",
      "radr://", "monotouch_unhandled_exception_handler", "mono_", "monoeg_", "load_aot_module",
      "print_callback(char const*", "il2cpp::", "flutter::", "dart::", "checkExpectedExecutor(",
      "thunk for ",
    ],
  ]
  /// What stands somewhere in them.
  static let parts: [Sign: [String]] = [
    .nameOfStop: [
      "_dispatch_assert_queue_fail", "__DISPATCH_WAIT_FOR_QUEUE__", "malloc_error_break",
      "malloc_zone_error", "malloc_report", "malloc_vreport", "_objc_terminate",
      "WKRefreshBackgroundTask dealloc", "_checkInoutAndNativeTypeCheckedBounds",
      "demangling_terminate_handler", "std::terminate(", "std::__terminate(", "_checkSubscript(",
      "swift_unexpectedError",
      "dynamicCastFailure", "__NSPlaceholderDictionary initWithObjects",
      "__NSPlaceholderArray initWithObjects",
      "__NSDictionaryM setObject:", "doesNotRecognizeSelector:", "forUndefinedKey:",
      "ForScrollingToRowAtIndexPath:", "_performBlockAfterCATransactionCommitSynchronizes:",
      "___forwarding___",
      "objectAtIndex:]", "objectAtIndexedSubscript:]", "a null function",
      "core::panicking::", "rust_begin_unwind",
    ],
    .nameOfCause: [
      "NoSceneLifecycleAdoption", "UnhandledVoIPPush",
      "CRASHING_DUE_TO_PRIVACY_VIOLATION__", "_unsafe_registerForTaskWithIdentifier",
      "_handleSubmissionWithoutRegistration", "RCTFatal",
      "RCTExceptionsManager reportFatalException", "RNFBCrashlyticsModule crash",
      "SentrySDK crash", "generateTestCrash", "convertNSExceptionToJSError",
      "ErrorRecoveryDelegate.throwException(",
      "ErrorRecovery.crash(",
    ],
  ]

  /// Whether the name, or for a reporter the file of the code, shows this.
  func shows(_ sign: Sign) -> Bool {
    let bare = name.drop { $0 == "_" }
    let file = sign == .reporter ? code ?? "" : ""
    return Self.starts[sign]?.contains { bare.hasPrefix($0) || file.hasPrefix($0) } == true
      || Self.parts[sign]?.contains(where: name.contains) == true
  }

  /// Whether it is where Swift's runtime stops the process, or a closure in there.
  var isAssertion: Bool { name.contains("_assertionFailure") && !isKnownOfApp }

  /// Whether it is a step on the way on which a runtime ends the process, whatever the cause.
  var isWayToEnd: Bool {
    let bare = name.drop { $0 == "_" }
    return Self.waysToEnd.contains(String(bare.prefix { !"($ ".contains($0) }))
      || ["std::sys::", "std::panicking::", "core::panicking::"].contains(where: bare.hasPrefix)
  }

  private static let waysToEnd: Set = [
    "pthread_kill", "raise", "abort", "abort_message", "abort_with_reason", "abort_with_payload",
    "abort_with_payload_wrapper_internal", "demangling_terminate_handler", "objc_terminate",
    "std::terminate", "std::__terminate", "cxa_rethrow", "cxa_throw", "objc_exception_rethrow",
    "std::process::abort", "rust_begin_unwind",
  ]

  // MARK: The system's

  /// Frameworks of the system: the public ones, and others that stand in stacks of apps.
  private static let appleImages: Set = [
    "ARKit", "AVFAudio", "AVFCore", "AVFoundation", "AVKit", "AVRouting", "Accelerate",
    "ActivityKit", "AdServices", "AdSupport", "AddressBook", "AppClip",
    "AppIntents", "AppKit", "AppTrackingTransparency", "AssetsLibrary", "AttributeGraph",
    "AudioToolbox", "AudioToolboxCore", "AuthenticationServices", "BackgroundAssets",
    "BackgroundTasks", "BaseBoard", "BoardServices", "BrowserEngineKit", "CFNetwork", "CallKit",
    "CarPlay", "ClassKit", "ClockKit", "CloudKit", "Combine", "Contacts", "ContactsUI",
    "CoreAudio", "CoreAudioKit", "CoreAutoLayout", "CoreBluetooth", "CoreData", "CoreFoundation",
    "CoreGraphics", "CoreHaptics", "CoreImage", "CoreLocation", "CoreLocationUI", "CoreMIDI",
    "CoreML", "CoreMedia", "CoreMotion", "CoreNFC", "CoreServices", "CoreSpotlight",
    "CoreTelephony", "CoreText", "CoreVideo", "CryptoKit", "CryptoTokenKit", "DeviceActivity",
    "DeviceCheck", "DocumentManager", "EventKit", "EventKitUI", "ExposureNotification",
    "ExtensionFoundation", "ExtensionKit", "ExternalAccessory", "FamilyControls", "FileProvider",
    "FileProviderUI", "Foundation", "FoundationModels", "FrontBoardServices", "GLKit", "GSS",
    "GameController", "GameKit", "GameplayKit", "GeoServices", "GraphicsServices",
    "GroupActivities", "HIToolbox", "HealthKit", "HealthKitUI", "HomeKit", "IOKit", "IOSurface",
    "IdentityLookup", "ImageIO", "Intents", "IntentsUI", "JavaScriptCore", "LinkPresentation",
    "LiveCommunicationKit", "LocalAuthentication", "ManagedSettings", "MapKit",
    "MediaAccessibility", "MediaPlayer", "MediaToolbox", "MessageUI", "Metal",
    "MetalFX", "MetalKit", "MetalPerformanceShaders", "MetalPerformanceShadersGraph", "MetalTools",
    "MetricKit", "MobileCoreServices", "ModelIO", "MultipeerConnectivity", "MusicKit",
    "NaturalLanguage", "NearbyInteraction", "Network", "NetworkExtension", "NewsstandKit",
    "NotificationCenter", "OSLog", "OpenAL", "OpenGLES", "PDFKit", "PHASE", "PassKit",
    "PassKitCore", "PencilKit", "Photos", "PhotosUI", "PrintCore", "ProximityReader", "PushKit",
    "PushToTalk", "QuartzCore", "QuickLook", "QuickLookThumbnailing", "RealityKit", "ReplayKit",
    "RoomPlan", "RunningBoardServices", "SafariServices", "SceneKit", "ScreenTime", "Security",
    "SensitiveContentAnalysis", "SensorKit", "SharedWithYou", "ShazamKit",
    "SoundAnalysis", "Speech", "SpriteKit", "StoreKit", "SwiftData", "SwiftUI", "SwiftUICore",
    "SystemConfiguration", "TextInputCore", "TipKit", "UIFoundation", "UIKit", "UIKitCore",
    "UniformTypeIdentifiers", "UserNotifications", "UserNotificationsUI", "VectorKit",
    "VideoSubscriberAccount", "VideoToolbox", "Vision", "VisionKit", "WatchConnectivity",
    "WatchKit", "WeatherKit", "WebCore", "WebKit", "WidgetKit", "XCTest", "XCTestCore", "caulk",
    "dyld", "dyld_sim", "iAd",
  ]
  private static let appleLibraries = [
    "libsystem_", "libobjc.", "libdispatch.", "libswift", "libc++", "libsqlite3.", "libxpc.",
    "AGXMetal", "libdyld.", "libBacktrace", "libRPAC.", "libMainThreadChecker.",
    "libEmbeddedSystemAUs.",
  ]

  /// Whether it lies in a library of the system, as far as that is known.
  var isOfApple: Bool {
    if let isOfSystem { return isOfSystem }
    guard let image else { return false }
    return Self.appleImages.contains(image) || Self.appleLibraries.contains { image.hasPrefix($0) }
  }

  /// The innermost frame, called by the others.
  static func text(of frames: [ReportFrame]) -> String {
    zip([nil] + frames, frames).map { inner, frame in
      let words = frame.code.map { "\(frame.name) (\($0))" } ?? frame.name
      guard let inner else { return words }
      return (inner == .leftOut ? " " : ", called by ") + words
    }.joined()
  }
}
