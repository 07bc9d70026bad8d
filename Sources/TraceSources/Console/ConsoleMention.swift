/// Which process a line of the system is about, as far as the line says.
///
///     [app<com.example.notes(UUID)>:412] …      [Notes:412] …      app<com.example.notes>
///     Bootstrapping com.example.notes with …    memorystatus: Notes [412] exceeded …
///     [(FBSceneManager):sceneID:com.example.notes-default] …
struct ConsoleMention: Hashable {
  /// The bundle identifier of the app, or the identifier of the helper.
  var bundle: String?
  /// The name of the process.
  var process: String?
  /// The number of the process; never negative.
  var pid: Int32?
  /// The scene's identifier without `sceneID:`; its bundle is a prefix of it.
  var scene: String?
  /// Whether the process is a service or a daemon, and no app.
  var isHelper = false
  /// The bundle identifier of the app that the process helps.
  var hostBundle: String?
  /// The number of the process that the process helps.
  var hostPID: Int32?

  private static let sceneID = Array("sceneID:".utf8)
  private static let bootstrapping = Array("Bootstrapping ".utf8)
  private static let terminationRequest = Array("Received termination request from ".utf8)
  private static let stateUpdate = Array("Received state update for ".utf8)
  private static let stateChange = Array("Application process state changed for ".utf8)

  /// Reads whom a message of a system process is about; `nil` when it mentions no app.
  init?(in message: ArraySlice<UInt8>, by printer: MessageRule.Printer = .system) {
    switch printer {
    case .kernel:
      self.init(kernel: message)
      return
    case .crashReporter:
      if let found = CrashReportText.subject(of: message) {
        self.init()
        process = found.process
        pid = found.pid
        return
      }
    case .launchd:
      if let job = JobLabel.subject(in: message) {
        self.init()
        bundle = job.label
        pid = job.pid
        hostPID = job.hostPID
        isHelper = job.hostPID != nil
        return
      }
    case .app, .system: break
    }
    self.init(system: message)
  }

  private init?(system message: ArraySlice<UInt8>) {
    let head = message.prefix(512)
    if let rest = message.dropping(prefix: Self.terminationRequest) {
      self.init(predicate: rest)
    } else if let rest = message.dropping(prefix: Self.stateChange) {
      self.init(changed: rest)
    } else if let subject = ProcessSubject(in: message.prefix(1024)) {
      self.init(subject)
      if pid == nil, let rest = message.dropping(prefix: Self.stateUpdate) {
        pid = Self.pid(rest.prefix { $0 >= 0x30 && $0 <= 0x39 })
      }
    } else if let found = head.firstRange(of: Self.sceneID) {
      self.init(scene: message[found.upperBound...].prefix(512))
    } else if let rest = message.dropping(prefix: Self.bootstrapping) {
      self.init(launched: rest)
    } else if let name = Self.quoted(in: head, between: "Application '", and: "' exited") {
      self.init(label: name)
    } else if let name = Self.quoted(in: head, between: "request to open \"", and: "\" from") {
      self.init()
      bundle = name
    } else {
      self.init(bracketOrLabel: message)
    }
  }

  private init() {}

  private init(_ subject: ProcessSubject) {
    bundle = subject.identifier
    pid = subject.pid
    isHelper = !subject.isApp
    hostBundle = subject.host?.bundle
    hostPID = subject.host?.pid
  }

  /// Reads `ORIGIN on PREDICATE with context …`: the predicate names the process.
  private init?(predicate rest: ArraySlice<UInt8>) {
    guard let on = rest.prefix(512).firstRange(of: Array(" on ".utf8)) else { return nil }
    var predicate = rest[on.upperBound...].prefix(1024)
    if let end = predicate.firstRange(of: Array(" with context ".utf8)) {
      predicate = predicate[..<end.lowerBound]
    }

    if let subject = ProcessSubject(in: predicate) {
      self.init(subject)
    } else if let name = Self.quoted(in: predicate, between: "\"", and: "\"") {
      self.init()
      bundle = name
    } else {
      return nil
    }
  }

  /// Reads `com.example.notes: <SBApplicationProcessState: 0x1; pid: 412; …>`.
  private init?(changed rest: ArraySlice<UInt8>) {
    let word = rest.prefix(512).prefix { $0 > 0x20 && $0 != UInt8(ascii: ":") }
    guard Self.isIdentifier(word) else { return nil }
    bundle = word.text
    if let mark = rest.firstRange(of: Array("; pid: ".utf8)) {
      pid = Self.pid(rest[mark.upperBound...].prefix { $0 >= 0x30 && $0 <= 0x39 })
    }
  }

  /// Reads `com.example.notes with intent background`.
  private init?(launched rest: ArraySlice<UInt8>) {
    let word = rest.prefix(512).prefix { $0 > 0x20 }
    guard Self.isIdentifier(word), word.contains(UInt8(ascii: ".")) else { return nil }
    bundle = word.text
  }

  /// Reads a scene's identifier, up to what cannot belong to it.
  private init?(scene text: ArraySlice<UInt8>) {
    guard let identifier = ConsoleSceneName.identifier(at: text) else { return nil }
    scene = identifier
    bundle = ConsoleSceneName.bundle(of: identifier)
  }

  /// Reads the name of an application as SpringBoard quotes it: its own, or its job's.
  private init(label name: String) {
    if let found = JobLabel.bundle(in: Array(name.utf8)[...]) {
      bundle = found
    } else {
      process = name
    }
  }

  /// Reads `[Notes:412] …`, a job's label somewhere in the message, or both.
  private init?(bracketOrLabel message: ArraySlice<UInt8>) {
    let head = message.prefix(512)
    if message.first == UInt8(ascii: "["), let close = head.firstIndex(of: UInt8(ascii: "]")) {
      let inside = message[(message.startIndex + 1)..<close]
      if Self.isProcess(inside), let colon = inside.lastIndex(of: UInt8(ascii: ":")) {
        process = inside[..<colon].text
        pid = Self.pid(inside[(colon + 1)...])
      }
    }
    bundle = JobLabel.bundle(in: head)
    if process == nil && bundle == nil { return nil }
  }

  /// Reads the kernel's `Notes [412] exceeded …`, `pid 412 [Notes]` and `Notes[412] Corpse …`.
  ///
  /// The kernel names no bundle, and cuts the name.
  private init?(kernel message: ArraySlice<UInt8>) {
    guard let found = MemoryStatusText.subject(of: message) else { return nil }
    process = found.process
    pid = found.pid
  }

  /// Whether a bracket's inside has the form `Notes:412` or `app<…>:412`.
  static func isProcess(_ inside: ArraySlice<UInt8>) -> Bool {
    guard let colon = inside.lastIndex(of: UInt8(ascii: ":")), colon > inside.startIndex else {
      return false
    }
    let digits = inside[(colon + 1)...]
    return !digits.isEmpty && digits.allSatisfy { $0 >= 0x30 && $0 <= 0x39 }
  }

  /// Whether the bytes can be a bundle identifier.
  static func isIdentifier(_ bytes: ArraySlice<UInt8>) -> Bool {
    !bytes.isEmpty && bytes.count <= 255
      && bytes.allSatisfy {
        switch $0 {
        case 0x30...0x39, 0x41...0x5a, 0x61...0x7a, UInt8(ascii: "."), UInt8(ascii: "-"),
          UInt8(ascii: "_"):
          true
        default: $0 >= 0x80
        }
      }
  }

  /// Reads the number of a process; `nil` for what is no positive number.
  static func pid(_ digits: ArraySlice<UInt8>) -> Int32? {
    Int32(digits.text).flatMap { $0 > 0 ? $0 : nil }
  }

  private static func quoted(
    in text: ArraySlice<UInt8>, between open: String, and close: String
  ) -> String? {
    guard let start = text.firstRange(of: Array(open.utf8)),
      let end = text[start.upperBound...].firstRange(of: Array(close.utf8)),
      start.upperBound < end.lowerBound
    else { return nil }
    return text[start.upperBound..<end.lowerBound].text
  }
}
