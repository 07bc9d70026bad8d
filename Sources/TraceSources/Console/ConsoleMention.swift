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

  /// Whether the process shows pages for an app that goes on without it.
  var isOfWebKit: Bool { process?.hasPrefix("com.apple.WebKit.") == true }
}

extension ConsoleMention {
  private static let predicateName = MessagePattern(#""{name}""#)

  /// Whom the message of a system process is about; `nil` when it mentions no app.
  init?(_ said: Said, by printer: MessageRule.Printer) {
    let message = said.message
    let named: ConsoleMention? =
      switch printer {
      case .kernel: MemoryStatusText.subject(of: message)
      case .crashReporter: CrashReportText.subject(of: message)
      case .launchd: JobLabel.subject(in: message)
      case .system: ConsoleMention(assertionsIn: message)
      case .app: nil
      }
    if let named {
      self = named
      return
    }
    // The kernel names no bundle, and cuts the name.
    if printer == .kernel { return nil }

    // symptomsd and ReportSystemMemory write the name of a process and its number.
    if let name = said.name?.trimmedEnd, let number = said.pid.flatMap(\.processNumber) {
      (process, pid) = (name.text, number)
      return
    }
    let head = message.prefix(512)
    if let predicate = said.predicate {
      if let subject = ConsoleMention(processIn: predicate) {
        self = subject
      } else if let name = Self.predicateName.read(predicate)?.name, !name.isEmpty {
        bundle = name.text
      } else {
        return nil
      }
    } else if let subject = ConsoleMention(processIn: message.prefix(1024)) {
      self = subject
      pid = pid ?? said.pid.flatMap(\.processNumber)
    } else if let text = head.behind("sceneID:") {
      // Its identifier goes up to what cannot belong to it.
      guard let scene = ConsoleSceneName.identifier(at: message[text.startIndex...].prefix(512))
      else { return nil }
      self.scene = scene
      bundle = ConsoleSceneName.bundle(of: scene)
    } else if let named = said.bundle {
      guard named.isIdentifier, named.contains(".") || said.pid != nil else { return nil }
      bundle = named.text
      pid = said.pid.flatMap(\.processNumber)
    } else if let label = said.label {
      // SpringBoard quotes the name of an application, or that of its job.
      bundle = JobLabel.bundle(in: label)
      if bundle == nil { process = label.text }
    } else {
      // `[Notes:412] …`, a job's label somewhere in the message, or both.
      if message.first == "[", let close = head.firstIndex(of: "]") {
        let inside = message[(message.startIndex + 1)..<close]
        if Self.isProcess(inside), let colon = inside.lastIndex(of: ":") {
          process = inside[..<colon].text
          pid = inside[(colon + 1)...].processNumber
        }
      }
      bundle = JobLabel.bundle(in: head)
      if process == nil && bundle == nil { return nil }
    }
  }

  /// Reads `Notes[412] has active assertions …`; `nil` of other words.
  private init?(assertionsIn message: ArraySlice<UInt8>) {
    guard AssertionText.isHeading(message.line), message.first != "[",
      let subject = AssertionText.subject(of: message.line.text), let pid = subject.pid
    else { return nil }
    self.init(bundle: subject.bundle, process: subject.name, pid: pid)
  }

  /// Whether a bracket's inside has the form `Notes:412` or `app<…>:412`.
  static func isProcess(_ inside: ArraySlice<UInt8>) -> Bool {
    guard let colon = inside.lastIndex(of: ":"), colon > inside.startIndex else { return false }
    let digits = inside[(colon + 1)...]
    return !digits.isEmpty && digits.allSatisfy { $0.isDigit }
  }
}
