import LifecycleModel
import TraceText

/// Finds out which process and which bundle the app is, and which lines are about it.
struct AppIdentity {
  /// The processes of the system that speak about apps, and what they print.
  private static let systemPrinters: [String: MessageRule.Printer] = [
    "SpringBoard": .system, "runningboardd": .system, "assertiond": .system,
    "launchd": .launchd, "com.apple.launchd": .launchd, "com.apple.xpc.launchd": .launchd,
    "launchd_sim": .launchd,
    "backboardd": .system, "FrontBoard": .system, "RunningBoard": .system,
    "Carousel": .system, "PineBoard": .system, "ReportCrash": .crashReporter, "kernel": .kernel,
    "osanalyticshelper": .crashReporter, "dasd": .system, "locationd": .system,
    "symptomsd": .system, "ReportSystemMemory": .crashReporter,
  ]

  /// Whether a process of this name is one of the system's that speak about apps.
  static func isSystemProcess(_ name: String) -> Bool { systemPrinter(name) != nil }

  /// A simulator's launchd has the name of its device before its own, or nothing but that.
  static func systemPrinter(_ name: String) -> MessageRule.Printer? {
    let isOfSimulator =
      name.hasSuffix(".launchd_sim") || name.hasPrefix("com.apple.CoreSimulator.SimDevice.")
    return systemPrinters[isOfSimulator ? "launchd_sim" : name]
  }

  private static let maximumBundles = 256
  private static let maximumNames = 4096
  private static let maximumPIDs = 64
  /// How long after a process's end its last lines can still come.
  static let aftermath: Nanoseconds = .seconds(1)

  /// What is known of a process that prints.
  struct Printer {
    var lines = 0
    var pid: Int32?
    /// When a line of it was last taken for the first of a process.
    var first: Instant?

    /// Counts a record; whether it is the first with this number, or the first after an end.
    fileprivate mutating func count(
      _ record: ConsoleRecord, at instant: Instant, _ lastEnd: Instant?
    ) -> Bool {
      lines += 1
      defer { pid = record.pid ?? pid }
      let isAfterEnd = first.flatMap { first in lastEnd.map { first.since($0) <= aftermath } }
      guard lines == 1 || pid != record.pid || isAfterEnd == true else { return false }
      first = instant
      return true
    }
  }

  /// What the person asked for: a process or a bundle.
  var wanted: String?
  /// The name of the app's process, once it is known.
  private(set) var process: String?
  /// The app's bundle identifier, once it is known.
  private(set) var bundle: String?

  /// The name of the app's process, as the text says it; `nil` where it says none.
  var name: String? {
    guard process == Self.anonymous else { return process }
    let others = printers.keys.filter { !Self.tools.contains($0) && !Self.isSystemProcess($0) }
    return nameInPath ?? (others.count == 1 ? others[0] : nil)
  }
  /// What prints beside an app and is none.
  private static let tools: Set = [anonymous, "xcodebuild", "Xcode", "xctest", "Simulator"]
  /// The name of the app in what is said of a process without a name.
  private var nameInPath: String?

  /// Whether there is text that names no process.
  var isAnonymous = false
  /// What the process is called of which the text says no name.
  static let anonymous = "app"

  private var bundles: [String: String] = [:]
  private var lifePrinters: Set<String> = []
  private(set) var printers: [String: Printer] = [:]
  /// Whom the system speaks of, and how often: bundle identifiers, or else names of processes.
  private(set) var mentioned: [String: Int] = [:]
  private var lastEnd: Instant?
  /// The last numbers of the app's processes.
  private var pids: [Int32] = []

  init(wanted: String?) {
    self.wanted = wanted
  }

  /// Whether the app is known by its process, or by a bundle that was asked for and mentioned.
  var isKnown: Bool { process != nil || bundle != nil }

  /// What kind of printer `process` is.
  func printer(_ process: String) -> MessageRule.Printer {
    process == wanted ? .app : Self.systemPrinter(process) ?? .app
  }

  /// Learns from a record, before anybody decides whom it is about; whether the record may be the
  /// first of its process.
  mutating func learn(from record: ConsoleRecord, at instant: Instant, isSystem: Bool) -> Bool {
    let isKept = printers.count < Self.maximumNames || printers[record.process] != nil
    let isFirst =
      isKept && printers[record.process, default: Printer()].count(record, at: instant, lastEnd)
    if isSystem { return false }
    if process == nil, record.process == wanted { take(process: record.process) }
    if record.process == Self.anonymous, nameInPath == nil {
      nameInPath = OwnBundleText.name(in: record.message)
    }
    if let pid = record.pid, record.process == process { take(pid: pid) }
    learnBundle(from: record)
    return isFirst
  }

  private mutating func learnBundle(from record: ConsoleRecord) {
    guard bundles.count < Self.maximumBundles, bundles[record.process] == nil,
      process == nil || record.process == process,
      let found = OwnBundleText.bundle(in: record.message)
    else { return }
    bundles[record.process] = found
    takeWanted(record.process)
    if record.process == process, bundle == nil { bundle = found }
  }

  /// Learns from a sighting; throws when it shows that the app must be chosen.
  mutating func learn(from sighting: ConsoleSighting) throws {
    if let wanted {
      if let mention = sighting.mention { learn(wanted, from: mention) }
      guard process == nil, !sighting.isSystem, sighting.fact.isOfOwnProcess else { return }
      if lifePrinters.count < Self.maximumBundles { lifePrinters.insert(sighting.process) }
      takeWanted(sighting.process)
      return
    }

    if let mention = sighting.mention { learn(from: mention) }
    guard case .reason = sighting.fact, !sighting.isSystem else { return }

    let process = process ?? sighting.process
    if self.process == nil { take(process: process) }
    guard process != sighting.process else {
      if let pid = sighting.pid { take(pid: pid) }
      return
    }

    throw SourceError(
      .severalApps, line: sighting.line, expected: "the lifecycle lines of one app",
      found: "lines of \(JSONText.quoted(process)) and of \(JSONText.quoted(sighting.process))",
      remedy: "pass --app with the process name or the bundle identifier")
  }

  /// Notes which apps the system mentions, for the person that has to choose.
  mutating func note(_ mention: ConsoleMention) {
    guard let name = mention.bundle ?? mention.process,
      mentioned.count < Self.maximumNames || mentioned[name] != nil
    else { return }
    mentioned[name, default: 0] += 1
  }

  /// Learns the app's numbers from what the system says about a process.
  private mutating func learn(from mention: ConsoleMention) {
    if bundle == nil, !mention.isHelper, let pid = mention.pid, pids.contains(pid) {
      bundle = mention.bundle
    }
    guard let bundle else { return }
    if mention.bundle == bundle, let pid = mention.pid { take(pid: pid) }
    if mention.hostBundle == bundle, let pid = mention.hostPID { take(pid: pid) }
  }

  /// Learns that the bundle that was asked for, or a process that is named after it, is there.
  private mutating func learn(_ wanted: String, from mention: ConsoleMention) {
    if bundle == nil, mention.bundle == wanted || mention.hostBundle == wanted { bundle = wanted }
    learn(from: mention)
    guard process == nil, let name = mention.process else { return }
    if mention.bundle == wanted || Self.isName(name, of: wanted) {
      take(process: name)
      bundle = wanted
    } else if name == wanted {
      take(process: name)
    }
    if process == name, let pid = mention.pid { take(pid: pid) }
  }

  /// Learns that a process has ended: what is printed next may be the first line of the next one.
  mutating func learnEnd(at instant: Instant) { lastEnd = max(lastEnd ?? instant, instant) }

  /// Takes the only app that the capture is about, when none has printed its deactivation reasons.
  mutating func settle(by sightings: ArraySlice<ConsoleSighting>) {
    guard wanted == nil, process == nil, bundle == nil else { return }
    var own = Set(
      sightings.lazy.filter { !$0.isSystem && $0.fact.isOfOwnProcess }.map(\.process))
    if own.count > 1, isAnonymous { own.remove(Self.anonymous) }
    if own.count == 1, let name = own.first { take(process: name) }
    let mentions = sightings.compactMap(\.mention)
    let mentioned = Set(mentions.compactMap { $0.isHelper ? $0.hostBundle : $0.bundle })
    let names = Set(mentions.compactMap(\.process))
    if let process {
      if mentioned.count == 1, let only = mentioned.first, isSame(process, only, in: mentions) {
        bundle = bundle ?? only
      }
    } else {
      bundle = Self.only(of: mentioned, sightings)
      // The system may name the app by its bundle and by its process.
      if names.count == 1, let name = names.first,
        mentioned.isEmpty || bundle.map({ isSame(name, $0, in: mentions) }) == true
      {
        process = name
      }
    }
    for mention in mentions { learn(from: mention) }
  }

  /// The only app that a capture can be about.
  ///
  /// It is the only one that is not Apple's, or the only one of these that ended badly; without any, the only extension
  /// that no app hosts, or the only app of Apple's.
  private static func only(
    of mentioned: Set<String>, _ sightings: ArraySlice<ConsoleSighting>
  ) -> String? {
    let others = mentioned.filter { !$0.hasPrefix("com.apple.") }
    if others.count == 1 { return others.first }
    if others.isEmpty {
      let services = sightings.compactMap(\.mention).filter { $0.isHelper && $0.hostBundle == nil }
      let helpers = Set(services.compactMap(\.bundle)).filter { !$0.hasPrefix("com.apple.") }
      if helpers.count == 1 { return helpers.first }
      let apps = mentioned.filter { !$0.hasPrefix("com.apple.WebKit.") }
      return apps.count == 1 ? apps.first : nil
    }

    let ended = Set(sightings.filter(\.fact.isBadEnd).compactMap(\.mention?.bundle))
      .intersection(others)
    return ended.count == 1 ? ended.first : nil
  }

  /// Whether a process and a bundle are the same app: by their names, or by one number.
  private func isSame(_ name: String, _ bundle: String, in mentions: [ConsoleMention]) -> Bool {
    if Self.isName(name, of: bundle) { return true }
    var numbers = Set(mentions.lazy.filter { $0.process == name }.compactMap(\.pid))
    if let own = printers[name]?.pid { numbers.insert(own) }
    return mentions.contains { mention in
      let pid = mention.bundle == bundle ? mention.pid : nil
      let host = mention.hostBundle == bundle ? mention.hostPID : nil
      return [pid, host].contains { $0.map(numbers.contains) == true }
    }
  }

  /// Whether a sighting is about the app; `nil` when that may still turn out.
  func concerns(_ sighting: ConsoleSighting) -> Bool? {
    if case .hole = sighting.fact { return true }
    guard sighting.isSystem else { return process.map { isOwn(sighting.process, of: $0) } }
    guard let mention = sighting.mention else { return false }

    if let bundle, mention.bundle == bundle { return true }
    if mention.isHelper { return concerns(helper: mention) }
    if mention.bundle == nil || bundle == nil, let pid = mention.pid, pids.contains(pid) {
      return true
    }

    if let name = mention.process, mention.bundle == nil {
      if let process { return Self.isName(name, cutFrom: process) }
      return bundle.map { Self.isName(name, of: $0) }
    }

    guard let mentioned = mention.bundle else { return false }
    if let bundle {
      return mention.scene?.hasPrefix(bundle + "-") == true
    }

    if let process, Self.isName(process, of: mentioned) { return true }
    return nil
  }

  /// Whether a process that prints is the app: by its name, or as text that names no process.
  private func isOwn(_ name: String, of process: String) -> Bool {
    name == process || isAnonymous && name == Self.anonymous && wanted == nil
  }

  /// Whether a helper helps the app; `nil` when that may still turn out.
  private func concerns(helper mention: ConsoleMention) -> Bool? {
    if let pid = mention.hostPID, pids.contains(pid) { return true }
    guard let host = mention.hostBundle else {
      return bundle == nil && (wanted != nil || process == nil) ? nil : false
    }
    if let bundle { return host == bundle }
    return process.map { Self.isName($0, of: host) } == true ? true : nil
  }

  /// Takes a process when it prints UIKit's lines and is of the bundle that was asked for: other
  /// processes name that bundle too.
  private mutating func takeWanted(_ name: String) {
    guard process == nil, let wanted, lifePrinters.contains(name) else { return }
    guard bundles[name] == wanted || Self.isName(name, of: wanted) else { return }
    take(process: name)
    bundle = wanted
  }

  private mutating func take(process name: String) {
    process = name
    bundle = bundle ?? bundles[name]
  }

  private mutating func take(pid: Int32) {
    if pids.contains(pid) { return }
    if pids.count == Self.maximumPIDs { pids.removeFirst() }
    pids.append(pid)
  }

  /// Whether an app with this bundle identifier has, by custom, a process of this name: an identifier has a dash
  /// for each character that it may not have.
  private static func isName(_ name: String, of bundle: String) -> Bool {
    let plain = name.lowercased().map { $0.isASCII && ($0.isLetter || $0.isNumber) ? $0 : "-" }
    return bundle.split(separator: ".").last?.lowercased() == String(plain)
  }

  /// Whether a name is that of the process, or what the kernel leaves of it.
  private static func isName(_ name: String, cutFrom process: String) -> Bool {
    name == process
      || MemoryStatusText.nameLengths.contains(name.utf8.count) && process.hasPrefix(name)
  }
}

/// The lines in which an app's own process names its bundle.
enum OwnBundleText {
  private static let telemetry = MessagePattern("^App with bundleID:{bundle:word}")
  // What a process is to itself; to others it has a role.
  private static let update = MessagePattern(
    "^Received state update for [[*(app<{bundle:word}*unknown-NotVisible]]")

  private static let target = MessagePattern("Target {number:int}: ({name}) stopped.")

  /// The name of the app whose library the linker has not found, or that a debugger has stopped; `nil` in other text.
  static func name(in text: ArraySlice<UInt8>) -> String? {
    if let said = target.read(text) { return said.text("name") }
    if let image = text.behind("\nBinary Image: ") { return image.line.text }
    if let app = text.behind("/Bundle/Application/").flatMap({ app(inPath: $0.line) }) {
      return app.name
    }
    guard let path = text.behind("Referenced")?.drop(while: { $0 == 0x20 }) else { return nil }
    return path.dropping(prefix: Array("from: ".utf8)).flatMap { app(inPath: $0.line)?.name }
  }

  /// The name of the app, or of its extension, whose folder is in a path, and what stands behind the folder; `nil`
  /// without one.
  static func app(inPath path: ArraySlice<UInt8>) -> (name: String, rest: ArraySlice<UInt8>)? {
    guard let ending = path.firstRange(of: ".app/"),
      let slash = path[..<ending.lowerBound].lastIndex(of: "/"), slash + 1 < ending.lowerBound
    else { return nil }
    if let inner = path[ending.upperBound...].dropping(prefix: Array("PlugIns/".utf8)),
      let end = inner.firstRange(of: ".appex/"), !inner[..<end.lowerBound].contains("/")
    {
      return (inner[..<end.lowerBound].text, inner[end.upperBound...])
    }
    let name = path[(slash + 1)..<ending.lowerBound]
    // Whoever posts a path may have put a placeholder there.
    if let mark = name.first, "<[{*".utf8.contains(mark) { return nil }
    return (name.text, path[ending.upperBound...])
  }

  /// The bundle that the message names; `nil` when it names none.
  static func bundle(in message: ArraySlice<UInt8>) -> String? {
    if let said = telemetry.read(message) { return said.bundle.flatMap(\.identifier) }
    if let said = update.read(message) {
      // A name that the end of a line cuts is another one.
      guard let word = said.bundle, let end = word.firstIndex(where: { $0 == "(" || $0 == ">" })
      else { return nil }
      return word[..<end].identifier
    }
    return ConsoleSceneName.identifier(in: message).flatMap { ConsoleSceneName.bundle(of: $0) }
  }
}
