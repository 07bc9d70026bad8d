/// A function that a thread was in.
struct ReportFrame: Hashable, Sendable {
  /// Its symbol, or where it lies in its image; at most 120 characters.
  let name: String
  /// The line of the code, such as `Store.swift:88`; `nil` where the report does not say it.
  let code: String?
  /// The image in which it lies; `nil` where the report does not say it.
  private let image: String?

  init(_ name: some StringProtocol, code: String? = nil, image: String? = nil) {
    (self.name, self.code) = (String(name.prefix(120)), code.map { String($0.prefix(72)) })
    self.image = image
  }

  /// Whether a library of the system is all that is known of it.
  var isNamelessOfApple: Bool { isOfApple && image == name }

  /// Whether it is of the app, as far as is known: of no library of the system, and of no crash reporter.
  var isOfApp: Bool { !isOfApple && !isOfReporter }

  // MARK: The system's

  /// Libraries of the system that stand in stacks of apps, beside those that begin with `libsystem_` and the like.
  private static let appleImages: Set = [
    "AppKit", "AVFCore", "AVFoundation", "BackgroundTasks", "BaseBoard", "BoardServices",
    "CFNetwork", "CallKit", "CloudKit", "Combine", "CoreAutoLayout", "CoreBluetooth", "CoreData",
    "CoreFoundation", "CoreGraphics", "CoreLocation", "CoreText", "Foundation",
    "FrontBoardServices", "GraphicsServices", "HIToolbox", "HealthKit", "ImageIO",
    "JavaScriptCore", "Metal", "PushKit", "QuartzCore", "RunningBoardServices", "Security",
    "StoreKit", "SwiftUI", "SwiftUICore", "UIFoundation", "UIKit", "UIKitCore",
    "UserNotifications", "WebCore", "WebKit", "dyld",
  ]
  private static let appleLibraries = [
    "libsystem_", "libobjc.", "libdispatch.", "libswift", "libc++", "libsqlite3.", "libxpc.",
    "libdyld.", "libBacktrace", "libRPAC.", "libMainThreadChecker.",
  ]

  /// Whether it lies in a library of the system, as far as that is known.
  private var isOfApple: Bool {
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
  init?(line: String) {
    guard let frame = Self.numbered(line) ?? Self.named(line) else { return nil }
    self = frame
  }

  /// Reads a frame of a debugger or a reporter: a number, its image, and an address or a symbol, with blanks
  /// or bars between them.
  private static func numbered(_ line: String) -> ReportFrame? {
    let words = columns(of: line)
    guard words.count > 2, Int(words[0]) != nil else { return nil }

    let address = words.firstIndex { $0.hasPrefix("0x") } ?? 1
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
    let image = words[1..<max(2, address)].joined(separator: " ")
    return ReportFrame(symbol.joined(separator: " "), code: code, image: image)
  }

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

  /// Whether a line is the innermost frame of a stack, by which the stack is known without a heading.
  static func isInnermost(_ line: String) -> Bool {
    let words = columns(of: line)
    guard words.first == "0" else { return named(line) != nil }
    return words.count > 2
      && (words[2].hasPrefix("0x") || words[2].hasPrefix("_") || words[2].hasPrefix("-["))
  }

  // MARK: Crash reporters

  /// How the names and files of crash reporters begin, whose handlers stand above what crashed.
  private static let reporters = [
    "FIRCLS", "ksmemory_", "kscm", "KSCrash", "sentrycrash", "SentryCrash", "BSG", "bsg_",
    "plcrash", "PLCrash",
  ]

  private var isOfReporter: Bool {
    Self.reporters.contains { name.hasPrefix($0) || code?.hasPrefix($0) == true }
  }

  /// The frames below those of a crash reporter, and of its handler of signals.
  static func withoutReporter(_ frames: [ReportFrame]) -> [ReportFrame] {
    let handler = frames.firstIndex { $0.name == "_sigtramp" }
    let own = frames[(handler.map { $0 + 1 } ?? 0)...].drop(while: \.isOfReporter)
    return own.isEmpty ? frames : Array(own)
  }
}
