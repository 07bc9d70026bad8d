/// A function that a thread was in.
struct ReportFrame: Hashable, Sendable {
  /// Its symbol, or where it lies in its image; at most 120 characters.
  let name: String
  /// The line of the code, such as `Store.swift:88`; `nil` where the report does not say it.
  let code: String?
  /// The image in which it lies; `nil` where the report does not say it.
  private let image: String?
  /// Whether that is a library of the system, by where it lies; `nil` where the report does not say it.
  private let isOfSystem: Bool?

  init(
    _ name: some StringProtocol, code: String? = nil, image: String? = nil, path: String? = nil
  ) {
    (self.name, self.code) = (String(name.prefix(120)), code.map { String($0.prefix(72)) })
    self.image = image
    isOfSystem = path.map { path in
      ["/System/", "/usr/lib/", "/Developer/"].contains { path.hasPrefix($0) }
        || path.contains("/RuntimeRoot/")
    }
  }

  /// Whether a library of the system is all that is known of it.
  var isNamelessOfApple: Bool { isOfApple && image == name }

  /// Whether it is of the app's own code, as far as is known: of no library of the system, of no crash reporter,
  /// and not where every app begins.
  var isOfApp: Bool { !isOfApple && !shows(.reporter) && !isEntry }

  private var isEntry: Bool { name == "main" || name == "start" || name.contains("$main") }

  /// What the name of a function shows.
  enum Sign {
    /// It locks files: SQLite, or the system's calls.
    case lock
    /// It throws any exception.
    case throwing
    /// It stops a process from within.
    case stop
    /// It says what stopped the app, where no words stand beside it.
    case nameOfStop
    /// It says why the app was stopped, more than any words beside it: UIKit and PushKit say it so.
    case nameOfCause
    /// It handles crashes for a reporter, and stands above what crashed.
    case reporter
  }

  /// What names of functions begin with, without the dashes below the line.
  private static let starts: [Sign: [String]] = [
    .lock: ["sqlite3", "flock", "fcntl", "NSPersistentStore", "-[NSSQL"],
    .throwing: [
      "exceptionPreprocess", "objc_exception_throw", "-[NSException raise]",
      "+[NSException raise:", "-[NSAssertionHandler ", "userInfoForFileAndLine",
    ],
    .stop: [
      "pthread_kill", "abort", "Swift runtime failure: ", "assertionFailure", "swift_fatalError",
      "swift_runtime_on_report", "sigtramp", "dispatch_assert_queue_fail", "objc_terminate",
      "std::terminate", "std::__terminate",
    ],
    .reporter: [
      "FIRCLS", "ksmemory_", "kscm", "KSCrash", "sentrycrash", "SentryCrash", "BSG", "bsg_",
      "plcrash", "PLCrash", "CLSProcess", "CLSHandler", "CLSException", "CLSTerminateHandler",
    ],
  ]
  /// What stands somewhere in them.
  private static let parts: [Sign: [String]] = [
    .nameOfStop: [
      "_dispatch_assert_queue_fail", "__DISPATCH_WAIT_FOR_QUEUE__", "malloc_error_break",
      "_objc_terminate", "WKRefreshBackgroundTask dealloc",
    ],
    .nameOfCause: [
      "NoSceneLifecycleAdoption", "UnhandledVoIPPush",
      "__TCC_CRASHING_DUE_TO_PRIVACY_VIOLATION__", "_unsafe_registerForTaskWithIdentifier",
    ],
  ]

  /// Whether the name, or for a reporter the file of the code, shows this.
  func shows(_ sign: Sign) -> Bool {
    let bare = name.drop { $0 == "_" }
    let file = sign == .reporter ? code ?? "" : ""
    return Self.starts[sign]?.contains { bare.hasPrefix($0) || file.hasPrefix($0) } == true
      || Self.parts[sign]?.contains(where: name.contains) == true
  }

  // MARK: The system's

  /// Libraries of the system that stand in stacks of apps, beside those that begin with `libsystem_` and the like.
  private static let appleImages: Set = [
    "ARKit", "AVFAudio", "AVFCore", "AVFoundation", "AVKit", "Accelerate", "ActivityKit",
    "AppIntents", "AppKit", "AttributeGraph", "AudioToolbox", "AuthenticationServices",
    "BackgroundTasks", "BaseBoard", "BoardServices", "CFNetwork", "CallKit", "CloudKit", "Combine",
    "Contacts", "ContactsUI", "CoreAutoLayout", "CoreBluetooth", "CoreData", "CoreFoundation",
    "CoreGraphics", "CoreImage", "CoreLocation", "CoreMedia", "CoreMotion", "CoreServices",
    "CoreSpotlight", "CoreTelephony", "CoreText", "CoreVideo", "CryptoKit", "DocumentManager",
    "EventKit", "Foundation", "FrontBoardServices", "GameController", "GameKit", "GeoServices",
    "GraphicsServices", "HIToolbox", "HealthKit", "HomeKit", "IOKit", "IOSurface", "ImageIO",
    "Intents", "JavaScriptCore", "LinkPresentation", "LocalAuthentication", "MapKit",
    "MediaPlayer", "MessageUI", "Metal", "MetalKit", "MobileCoreServices", "Network",
    "NetworkExtension", "PDFKit", "PencilKit", "Photos", "PhotosUI", "PushKit", "QuartzCore",
    "RealityKit", "RunningBoardServices", "SafariServices", "SceneKit", "Security", "SpriteKit",
    "StoreKit", "SwiftData", "SwiftUI", "SwiftUICore", "SystemConfiguration", "TextInputCore",
    "UIFoundation", "UIKit", "UIKitCore", "UserNotifications", "VectorKit", "Vision", "WatchKit",
    "WebCore", "WebKit", "WidgetKit", "XCTest", "XCTestCore", "dyld", "dyld_sim",
  ]
  private static let appleLibraries = [
    "libsystem_", "libobjc.", "libdispatch.", "libswift", "libc++", "libsqlite3.", "libxpc.",
    "libdyld.", "libBacktrace", "libRPAC.", "libMainThreadChecker.",
  ]

  /// Whether it lies in a library of the system, as far as that is known.
  private var isOfApple: Bool {
    if let isOfSystem { return isOfSystem }
    guard let image else { return false }
    return Self.appleImages.contains(image) || Self.appleLibraries.contains { image.hasPrefix($0) }
  }

  /// The innermost frame, called by the others.
  static func text(of frames: [ReportFrame]) -> String {
    frames.map { frame in frame.code.map { "\(frame.name) (\($0))" } ?? frame.name }
      .joined(separator: ", called by ")
  }

  // MARK: Text

  /// Reads a line of text; `nil` of what is no frame.
  ///
  ///     0   libsystem_kernel.dylib   0x000000018a337224 mach_msg_trap + 8
  ///     3 | Notes | NoteStore.save() (Store.swift:88)
  ///     File "Notes/Store.swift", line 88, in NoteStore.save
  ///     ?, in main
  ///     NoteStore.save in Store.swift at line 88
  ///     * frame #0: 0x0000000104a1c2b4 Notes`NoteStore.save(self=0x10) at Store.swift:88:13
  init?(line: String) {
    let frame = Self.numbered(line) ?? Self.named(line) ?? Self.debugged(line)
    guard let frame else { return nil }
    self = frame
  }

  /// Reads the frames in the lines of a text, innermost first, at most the first 64.
  static func all(in text: ArraySlice<UInt8>) -> [ReportFrame] {
    text.split(separator: 0x0a).prefix(64).compactMap { ReportFrame(line: $0.prefix(512).text) }
  }

  /// Reads a frame of a debugger or a reporter: a number, its image, and an address or a symbol, with blanks
  /// or bars between them.
  static func numbered(_ line: String) -> ReportFrame? {
    let words = columns(of: line)
    guard words.count > 1, Int(words[0]) != nil else { return nil }
    if words.count == 2 {
      let isSymbol = words[1].hasPrefix("_") || words[1].contains("(") || words[1].contains("$")
      return isSymbol ? ReportFrame(words[1]) : nil
    }

    let isSymbolAlone = symbolStarts.contains(String(words[1]))
    let address = words.firstIndex { $0.hasPrefix("0x") } ?? (isSymbolAlone ? 0 : 1)
    var symbol = words[(address + 1)...]
    // A comment names what the address stands for.
    if let comment = symbol.firstIndex(of: "//") { symbol = symbol[(comment + 1)...] }
    // Without a symbol the image says more.
    if symbol.isEmpty || symbol.first == "<redacted>" || symbol.first == "(Missing)" {
      symbol = words[1...1]
    }
    // The line of the code stands last, where the frames have symbols.
    let code = symbol.last?.wholeMatch(of: #/\((.+:\d+)\)/#).map { String($0.1) }
    if code != nil { symbol.removeLast() }
    // Without symbols the address of the image stands there.
    if let first = symbol.first, first.hasPrefix("0x") {
      symbol = words[1..<address] + symbol.dropFirst()
    } else if let plus = symbol.lastIndex(of: "+"), plus > symbol.startIndex {
      symbol = symbol[..<plus]
    }
    let image = address == 0 ? nil : words[1..<max(2, address)].joined(separator: " ")
    return ReportFrame(symbol.joined(separator: " "), code: code, image: image)
  }

  /// How the names of Swift's functions begin that have several words.
  private static let symbolStarts: Set = [
    "closure", "specialized", "static", "thunk", "partial", "protocol", "merged", "outlined",
  ]

  private static func columns(of line: String) -> [Substring] {
    line.split { $0 == " " || $0 == "\t" || $0 == "|" }
  }

  /// Reads a frame in the words of Sentry.
  private static func named(_ line: String) -> ReportFrame? {
    guard line.contains(" in ") else { return nil }
    if let frame = line.wholeMatch(of: #/\s*(?:\?|File "([^"]*)")(?:, line (\d+))?, in (\S.*)/#) {
      let file = frame.1?.split(separator: "/").last
      return ReportFrame(frame.3, code: file.flatMap { file in frame.2.map { "\(file):\($0)" } })
    }
    return line.wholeMatch(of: #/\s*(\S.*) in (\S+\.\w+) at line (\d+)/#).map {
      ReportFrame($0.1, code: "\($0.2):\($0.3)")
    }
  }

  /// Reads a frame in the words of LLDB.
  private static func debugged(_ line: String) -> ReportFrame? {
    let form = #/[\s*]*frame #\d+: 0x[0-9a-f]+ ([^`]+)`(.+)/#
    guard let frame = line.wholeMatch(of: form) else { return nil }
    let (image, words) = (String(frame.1), String(frame.2))
    let code = words.firstMatch(of: #/ at (\S+\.\w+:\d+)/#).map { String($0.1) }
    // The arguments stand behind the name, which may have parentheses of its own.
    let isMethod = words.hasPrefix("-[") || words.hasPrefix("+[")
    let close = isMethod ? words.firstIndex(of: "]").map { words.index(after: $0) } : nil
    let end = close ?? words.firstIndex(of: "(") ?? words.firstRange(of: " + ")?.lowerBound
    return ReportFrame(words[..<(end ?? words.endIndex)], code: code, image: image)
  }

  /// Whether a line is the innermost frame of a stack, by which the stack is known without a heading.
  static func isInnermost(_ line: String) -> Bool {
    let words = columns(of: line)
    guard words.first == "0" else { return named(line) != nil }
    return words.count > 2
      && (words[2].hasPrefix("0x") || words[2].hasPrefix("_") || words[2].hasPrefix("-["))
  }
}
