import LifecycleModel

/// Reads the header and the body of an `.ips`, or what was pasted of them; what begins behind a body is a
/// report of its own.
///
/// Threads and images, which may take megabytes, are passed over but for the innermost frames of two
/// threads.
struct CrashJSONReader: JSONReportReader {
  /// What was read of the report that is open.
  var draft = ReportDraft(.ips)
  /// The reports before it.
  private var over = ReportPile()
  /// Whether the body of the report has ended.
  private var isOver = false

  /// So many frames of a thread are kept.
  private static let framesKept = 5
  private static let longestFrame = 120

  /// A frame: its symbol, or where it lies in its image.
  private struct Frame {
    var symbol: String?
    var image: Int?
    var offset: String?
  }

  private var thread = -1
  private var faultingThread: Int?
  private var isTriggered = false
  private var frames: [Int: [Frame]] = [:]
  private var image = -1
  private var imageNames: [Int: String] = [:]
  private var states = ReportedStates()

  private static let wanted: Set = [
    "", "bundleInfo", "osVersion", "termination", "termination/reasons", "termination/details",
    "reasons", "details", "exception", "exceptionReason", "asi", "threads", "usedImages",
    "environment", "environment/states",
  ]

  // MARK: Objects

  mutating func begin(_ path: String, isObject: Bool) -> Bool {
    if isObject, path.isEmpty, isOver { beginAnother() }
    switch path {
    case "lastExceptionBacktrace":
      draft.hasExceptionBacktrace = true
      return false
    case "threads" where isObject:
      thread += 1
      isTriggered = false
      return thread < 4096
    case "threads/frames":
      return isObject ? beginFrame() : isThreadWanted
    case "environment/states" where isObject:
      states.begin()
      return true
    case "usedImages" where isObject:
      image += 1
      return neededImages.contains(image)
    default:
      return Self.wanted.contains(path) || path.hasPrefix("asi/")
        || path.hasPrefix("environment/states/")
    }
  }

  mutating func end(_ path: String, isObject: Bool) {
    if isObject, path == "environment/states" { states.end() }
    // A header says none of these.
    if isObject, path.isEmpty, draft.saysEnd || draft.report.pid != nil { isOver = true }
  }

  private mutating func beginAnother() {
    var next = CrashJSONReader()
    keep()
    next.over = over
    self = next
  }

  private var isThreadWanted: Bool { thread == 0 || thread == faultingThread || isTriggered }

  private mutating func beginFrame() -> Bool {
    guard frames[thread, default: []].count < Self.framesKept else { return false }
    frames[thread, default: []].append(Frame())
    return true
  }

  private var neededImages: Set<Int> {
    Set(frames.values.joined().filter { $0.symbol == nil }.compactMap(\.image))
  }

  // MARK: Values

  mutating func value(_ path: String, _ text: String) {
    if path.hasPrefix("threads/") || path.hasPrefix("usedImages/") { return takeThread(path, text) }
    if path.hasPrefix("asi/") { return takeInformation(text) }
    if path.hasPrefix("termination/") || path.hasPrefix("exception") { return takeEnd(path, text) }
    if path.hasPrefix("environment/") {
      return states.take(path.split(separator: "/").last.map(String.init) ?? "", text)
    }
    takeHeader(path, text)
    takeProcess(path, text)
  }

  private mutating func takeInformation(_ text: String) {
    let lines = text.split(separator: "\n", omittingEmptySubsequences: true).map(String.init)
    let room = ReportDraft.longestInformation - draft.information.count
    draft.information += lines.prefix(max(0, room))
  }

  private mutating func takeEnd(_ path: String, _ text: String) {
    switch path {
    case "termination/namespace": draft.namespace = text
    case "termination/code": draft.code = text
    case "termination/reasons", "termination/details": takeReason(text)
    case "exception/type": draft.exceptionType = text
    case "exception/signal": draft.take(signal: text)
    case "termination/byProc": draft.terminator = text
    case "exception/message": draft.exceptionDetail = text
    case "exception/subtype":
      // Of a bad access it is an address, which says more to a debugger than here.
      if draft.exceptionDetail == nil, draft.exceptionType?.hasPrefix("EXC_RESOURCE") == true {
        draft.exceptionDetail = text
      }
    case "exceptionReason/name": draft.exceptionName = text
    case "exceptionReason/composed_message": draft.exceptionWords = text
    default: break
    }
  }

  private mutating func takeReason(_ text: String) {
    if draft.reasons.count < ReportDraft.longestInformation { draft.reasons.append(text) }
  }

  private mutating func takeHeader(_ path: String, _ text: String) {
    switch path {
    case "bug_type": draft.bugType = text
    case "app_name", "name": if draft.report.process == nil { draft.report.process = text }
    case "bundleID": if draft.report.bundle == nil { draft.report.bundle = text }
    case "app_version": draft.report.release.take(.version, text)
    case "build_version": draft.report.release.take(.build, text)
    case "timestamp": draft.report.written = draft.report.takeStamp(text, at: path)
    case "os_version": if draft.report.os == nil { take(system: text) }
    case "incident_id", "incident": draft.report.incident = text
    case "platform":
      if text == "7" { draft.report.isSimulator = true }
      if text == "1" { draft.report.isOfMac = true }
    case "isNonFatal", "isSimulated", "is_simulated":
      if text == "1" || text == "true" { draft.isNonFatal = true }
    // Of what was pasted only the termination may be there.
    case "namespace": draft.namespace = draft.namespace ?? text
    case "code": draft.code = draft.code ?? text
    case "reasons", "details": takeReason(text)
    default: break
    }
  }

  private mutating func takeProcess(_ path: String, _ text: String) {
    switch path {
    case "pid": draft.report.pid = draft.report.takePID(text, at: path)
    case "procName": draft.report.process = text
    case "bundleInfo/CFBundleIdentifier": draft.report.bundle = text
    case "bundleInfo/CFBundleShortVersionString": draft.report.release.take(.version, text)
    case "bundleInfo/CFBundleVersion": draft.report.release.take(.build, text)
    case "modelCode": draft.report.release.take(.device, text)
    case "osVersion/train": take(system: text)
    case "procRole": draft.report.role = text
    case "parentProc": if text == "launchd_sim" { draft.report.isSimulator = true }
    case "captureTime": draft.report.died = draft.report.takeStamp(text, at: path)
    case "procLaunch": draft.report.launched = draft.report.takeStamp(text, at: path)
    case "procStartAbsTime": draft.report.startTicks = UInt64(text)
    case "procExitAbsTime": draft.report.exitTicks = UInt64(text)
    case "cpuType": draft.report.hasKnownTicks = text.hasPrefix("ARM")
    case "bootSessionUUID": draft.report.bootSession = text
    case "isLocked":
      let note = "the device was locked"
      if text == "1", !draft.report.notes.contains(note) { draft.report.notes.append(note) }
    case "faultingThread": faultingThread = Int(text)
    default: break
    }
  }

  private mutating func take(system text: String) {
    let system = SystemName(text)
    (draft.report.platform, draft.report.os) = (system.platform, system.version)
    draft.report.hostOS = system.number
  }

  // MARK: Threads

  private mutating func takeThread(_ path: String, _ text: String) {
    switch path {
    case "threads/triggered":
      isTriggered = text == "true"
      if isTriggered { faultingThread = thread }
    case "threads/frames/symbol": changeFrame { $0.symbol = text }
    case "threads/frames/imageIndex": changeFrame { $0.image = Int(text) }
    case "threads/frames/imageOffset": changeFrame { $0.offset = text }
    case "usedImages/name": imageNames[image] = text
    default: break
    }
  }

  private mutating func changeFrame(_ change: (inout Frame) -> Void) {
    guard let last = frames[thread]?.indices.last else { return }
    change(&frames[thread, default: []][last])
  }

  /// What the report says, with the frames named.
  mutating func contents() -> ReportContents {
    keep()
    return over.contents
  }

  /// Takes the report that is open; behind another one it must name a process or an incident: a piece of a
  /// body that is damaged names none.
  private mutating func keep() {
    let report = finished()
    let isNamed = report.incident != nil || report.pid != nil || report.process != nil
    if over.isEmpty || isNamed { over.add(report) }
  }

  private func finished() -> TerminationReport {
    var draft = draft
    states.put(into: &draft.report)
    let isCrash = draft.exceptionSignal != "SIGKILL"
    draft.report.mainFrames = names(of: 0)
    draft.report.crashedThread = isCrash ? faultingThread : nil
    if let faultingThread, faultingThread != 0 {
      draft.report.crashedFrames = names(of: faultingThread)
    }
    return draft.finished()
  }

  private func names(of thread: Int) -> [String] {
    frames[thread, default: []].compactMap { frame in
      let place = frame.image.flatMap { imageNames[$0] }.map { name in
        frame.offset.map { "\(name) + \($0)" } ?? name
      }
      return (frame.symbol ?? place).map { String($0.prefix(Self.longestFrame)) }
    }
  }
}

/// A system and its version, as reports write them: `iPhone OS 18.2 (22C152)`.
struct SystemName {
  /// `ios`, `macos` …; `nil` for one that is not known.
  var platform: String?
  /// The version, whatever the system; `nil` where no number stands.
  var number: String?
  /// `18.2`; `nil` where no number stands.
  var version: String?

  private static let platforms = [
    "iPhone OS": "ios", "iPadOS": "ipados", "iOS": "ios", "tvOS": "tvos", "Apple TVOS": "tvos",
    "Watch OS": "watchos", "watchOS": "watchos", "visionOS": "visionos", "xrOS": "visionos",
  ]

  init(_ text: String) {
    let head = text.prefix { $0 != "(" }
    let words = head.split(separator: " ")
    let number = words.last { $0.first?.isNumber == true }
    let name = words.prefix { $0.first?.isNumber != true }.joined(separator: " ")
    platform = Self.platforms[name]
    self.number = number.map(String.init)
    // The version of the host says nothing of the simulator's.
    version = platform == nil ? nil : number.map(String.init)
  }
}
