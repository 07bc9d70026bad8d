import LifecycleModel

/// Finds out which process and which bundle the app is, and which lines are about it.
struct AppIdentity {
  /// The processes of the system that speak about apps.
  static let systemProcesses: Set<String> = [
    "SpringBoard", "runningboardd", "assertiond", "launchd", "launchd_sim", "backboardd",
    "FrontBoard", "Carousel", "PineBoard", "ReportCrash", "kernel", "osanalyticshelper",
  ]

  private static let maximumBundles = 256
  private static let maximumNames = 4096

  /// What the person asked for: a process or a bundle.
  var wanted: String?
  /// The name of the app's process, once it is known.
  private(set) var process: String?
  /// The app's bundle identifier, once it is known.
  private(set) var bundle: String?

  private var bundles: [String: String] = [:]
  private var reasonPrinters: Set<String> = []
  private var names: [String: Int] = [:]

  init(wanted: String?) {
    self.wanted = wanted
  }

  /// Whether the app is known by its process, or by a bundle that was asked for and mentioned.
  var isKnown: Bool { process != nil || bundle != nil }

  /// Whether `process` is one of the system's.
  func isSystem(_ process: String) -> Bool {
    Self.systemProcesses.contains(process) && process != wanted
  }

  /// Learns from a record, before anybody decides whom it is about.
  mutating func learn(from record: ConsoleRecord, isSystem: Bool) {
    if names.count < Self.maximumNames || names[record.process] != nil {
      names[record.process, default: 0] += 1
    }
    if isSystem { return }
    if process == nil, record.process == wanted { take(process: record.process) }
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
      if bundle == nil, sighting.mention?.bundle == wanted { bundle = wanted }
      guard process == nil, case .reason = sighting.fact, !sighting.isSystem else { return }
      if reasonPrinters.count < Self.maximumBundles { reasonPrinters.insert(sighting.process) }
      takeWanted(sighting.process)
      return
    }
    guard case .reason = sighting.fact, !sighting.isSystem else { return }
    guard let process else { return take(process: sighting.process) }
    guard process != sighting.process else { return }
    throw SourceError(
      .severalApps, line: sighting.line, expected: "the lifecycle lines of one app",
      found: "those of \(JSONText.quoted(process)) and of \(JSONText.quoted(sighting.process))",
      remedy: "pass --app with the name of the process or the bundle identifier")
  }

  /// Takes the only bundle that the system mentions, when no app has printed anything itself.
  mutating func settle(by sightings: ArraySlice<ConsoleSighting>) {
    guard wanted == nil, process == nil, bundle == nil else { return }
    let mentioned = Set(sightings.compactMap { $0.mention?.bundle })
    if mentioned.count == 1 { bundle = mentioned.first }
    let names = Set(sightings.compactMap { $0.mention?.process })
    // The system may name the app by its bundle and by its process.
    if names.count == 1, let name = names.first,
      mentioned.isEmpty || bundle.map(Self.lastComponent) == name
    {
      process = name
    }
  }

  /// Whether a sighting is about the app; `nil` when that may still turn out.
  func concerns(_ sighting: ConsoleSighting) -> Bool? {
    if case .hole = sighting.fact { return true }
    guard sighting.isSystem else { return process.map { $0 == sighting.process } }
    guard let mention = sighting.mention else { return false }
    if let name = mention.process { return process.map { $0 == name } }
    guard let mentioned = mention.bundle else { return false }
    if let bundle {
      return mentioned == bundle || mention.scene?.hasPrefix(bundle + "-") == true
    }
    if let process, Self.lastComponent(of: mentioned) == process { return true }
    return nil
  }

  /// What is said when the app does not appear.
  var notFound: SourceError {
    let order = names.sorted { ($1.value, $0.key) < ($0.value, $1.key) }
    let seen = order.prefix(10).map { JSONText.quoted(String($0.key.prefix(80))) }
    let list = seen.isEmpty ? "no process" : "only " + seen.joined(separator: ", ")
    guard let wanted, names[wanted] == nil else {
      let whose = wanted.map { JSONText.quoted($0) } ?? "an app"
      return SourceError(
        .appNotFound,
        expected: "lifecycle lines of \(whose), such as \"Deactivation reason added\"",
        found: wanted == nil ? list : "only other lines of it",
        remedy: "capture while the app comes and goes, without a filter on the messages")
    }
    return SourceError(
      .appNotFound, expected: "lines about \(JSONText.quoted(wanted))", found: list,
      remedy: "pass --app with the name of the process or the bundle identifier")
  }

  /// Takes a process when it prints UIKit's lines and is of the bundle that was asked for: other
  /// processes name that bundle too.
  private mutating func takeWanted(_ name: String) {
    guard process == nil, let wanted, reasonPrinters.contains(name) else { return }
    guard bundles[name] == wanted || Self.lastComponent(of: wanted) == name else { return }
    take(process: name)
    bundle = wanted
  }

  private mutating func take(process name: String) {
    process = name
    bundle = bundle ?? bundles[name]
  }

  private static func lastComponent(of bundle: String) -> String? {
    bundle.utf8.split(separator: UInt8(ascii: ".")).last.map { String($0) ?? "" }
  }
}

/// The lines in which an app's own process names its bundle.
enum OwnBundleText {
  private static let telemetry = Array("App with bundleID:".utf8)
  private static let update = Array("Received state update for ".utf8)
  /// What a process is to itself; to others it has a role.
  private static let own = Array("unknown-NotVisible".utf8)
  private static let app = Array("(app<".utf8)

  /// The bundle that the message names; `nil` when it names none.
  static func bundle(in message: ArraySlice<UInt8>) -> String? {
    if let rest = message.dropping(prefix: telemetry) {
      return identifier(rest.prefix { $0 > 0x20 })
    }
    if let rest = message.dropping(prefix: update) {
      guard rest.firstRange(of: own) != nil, let found = rest.firstRange(of: app) else {
        return nil
      }
      return identifier(
        rest[found.upperBound...].prefix { $0 != UInt8(ascii: "(") && $0 != UInt8(ascii: ">") })
    }
    return ConsoleSceneName.identifier(in: message).flatMap { ConsoleSceneName.bundle(of: $0) }
  }

  private static func identifier(_ bytes: ArraySlice<UInt8>) -> String? {
    ConsoleMention.isIdentifier(bytes) ? bytes.text : nil
  }
}
