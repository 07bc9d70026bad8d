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

  /// A frame: its symbol, or where it lies in its image; and the line of its code.
  private struct Frame {
    var symbol: String?
    var image: Int?
    var offset: String?
    var file: String?
    var line: String?
  }

  private var thread = -1
  private var isTriggered = false
  private var frames: [Int: [Frame]] = [:]
  private var image = -1
  private var images: [Int: (name: String?, path: String?)] = [:]

  private static let keys: ReportKeys = [
    "bug_type": .last(\.bugType),
    "incident|incident_id": .last(\.report.incident),
    "app_name|name": .first(\.report.process),
    "procName": .last(\.report.process),
    "bundleID": .first(\.report.bundle),
    "bundleInfo/CFBundleIdentifier": .last(\.report.bundle),
    "app_version|bundleInfo/CFBundleShortVersionString": .release(.version),
    "build_version|bundleInfo/CFBundleVersion": .release(.build),
    "modelCode": .release(.device),
    "os_version": Key { if $0.report.os == nil { Key.system.take(&$0, $1, $2) } },
    "osVersion/train": .system,
    "platform": .call {
      if $1 == "7" { $0.report.isSimulator = true }
      if $1 == "1" { $0.report.isOfMac = true }
    },
    "isNonFatal|isSimulated|is_simulated": .flag(\.isNonFatal, "1", "true"),
    "pid": .pid,
    "procRole": .last(\.report.role),
    "parentProc": .parent,
    "timestamp": .stamp(\.report.written),
    "captureTime": .stamp(\.report.died),
    "procLaunch": .stamp(\.report.launched),
    "procStartAbsTime": .number(\.report.startTicks),
    "procExitAbsTime": .number(\.report.exitTicks),
    "cpuType": .processor,
    "bootSessionUUID": .last(\.report.bootSession),
    "isLocked": .call { draft, text in
      let note = "the device was locked"
      if text == "1", !draft.report.notes.contains(note) { draft.report.notes.append(note) }
    },
    "environment/states/": Key { $0.states.take($2.lastKey, $1) },

    "termination/namespace": .last(\.namespace),
    "termination/code": .last(\.code),
    // Of what was pasted only the termination may be there.
    "namespace": .first(\.namespace),
    "code": .first(\.code),
    "termination/reasons[]|termination/details[]|reasons[]|details[]|[]": .each(\.reasons),
    "termination/byProc": .last(\.terminator),
    "exception/type": .last(\.exceptionType),
    "exception/signal": .call { $0.take(signal: $1) },
    "exception/message": .last(\.exceptionDetail),
    "exception/subtype": .exceptionSubtype,
    "exceptionReason/name": .last(\.exceptionName),
    "exceptionReason/composed_message": .last(\.exceptionWords),
    "faultingThread": .call { $0.report.crashedThread = Int($1) },
    "asi/": .call { draft, text in
      let lines = text.split(separator: "\n").map(String.init)
      let room = ReportDraft.longestInformation - draft.information.count
      draft.information += lines.prefix(max(0, room))
    },
  ]
  /// Under these paths every key means the same.
  private static let openPaths = ["asi/", "environment/states/"]
  private typealias Key = ReportKey

  // MARK: Objects

  /// A path without the list in which somebody has put several bodies.
  private static func bare(_ path: String) -> String {
    path == "reports" ? "" : path.withoutPrefix("reports/")
  }

  mutating func begin(_ path: String, isObject: Bool) -> Bool {
    if path == "reports", !isObject { return true }
    let path = Self.bare(path)
    if isObject, path.isEmpty, isOver { beginAnother() }
    switch path {
    case "lastExceptionBacktrace":
      draft.hasExceptionBacktrace = true
      thread = ReportDraft.throwing
      return isObject ? beginFrame() : true
    case "threads" where isObject:
      if thread == ReportDraft.throwing { thread = -1 }
      thread += 1
      isTriggered = false
      return thread < 4096
    case "threads/frames":
      return isObject ? beginFrame() : isThreadWanted
    case "environment/states" where isObject:
      draft.states.begin()
      return true
    case "usedImages" where isObject:
      image += 1
      return isNamed(image)
    case "threads", "usedImages": return true
    default: return Self.keys.places.contains(path) || Self.openPath(of: path) != nil
    }
  }

  mutating func end(_ path: String, isObject: Bool) {
    let path = Self.bare(path)
    if isObject, path == "threads" { endThread() }
    if isObject, path == "environment/states" { draft.states.end() }
    // A header says none of these.
    if isObject, path.isEmpty, draft.saysEnd || draft.report.pid != nil { isOver = true }
  }

  private mutating func beginAnother() {
    var next = CrashJSONReader()
    keep()
    next.over = over
    self = next
  }

  private var isThreadWanted: Bool {
    thread < ReportDraft.mostThreads || thread == draft.report.crashedThread || isTriggered
  }

  private mutating func endThread() {
    let named = frames[thread, default: []].compactMap { $0.symbol.map { ReportFrame($0) } }
    if !draft.keepsFrames(named, of: thread) { frames[thread] = nil }
  }

  private mutating func beginFrame() -> Bool {
    guard frames[thread, default: []].count < ReportDraft.framesKept(of: thread) else {
      return false
    }
    frames[thread, default: []].append(Frame())
    return true
  }

  /// Whether a frame that is kept lies in an image.
  private func isNamed(_ image: Int) -> Bool {
    frames.values.contains { $0.contains { $0.image == image } }
  }

  // MARK: Values

  mutating func value(_ path: String, _ text: String) {
    let path = Self.bare(path)
    switch path {
    case "threads/triggered":
      isTriggered = text == "true"
      if isTriggered { draft.report.crashedThread = thread }
    case "usedImages/name": images[image, default: (nil, nil)].name = text
    case "usedImages/path": images[image, default: (nil, nil)].path = text
    case _ where path.hasPrefix("threads/frames/") || path.hasPrefix("lastExceptionBacktrace/"):
      takeFrame(path.lastKey, text)
    default: Self.keys.take(Self.openPath(of: path) ?? path, text, into: &draft, at: path)
    }
  }

  private static func openPath(of path: String) -> String? {
    openPaths.first(where: path.hasPrefix)
  }

  private mutating func takeFrame(_ key: String, _ text: String) {
    guard var frame = frames[thread]?.popLast() else { return }
    switch key {
    case "symbol": frame.symbol = text
    case "imageIndex": frame.image = Int(text)
    case "imageOffset": frame.offset = text
    case "sourceFile": frame.file = text
    case "sourceLine": frame.line = text
    default: break
    }
    frames[thread, default: []].append(frame)
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
    if over.reports.isEmpty || isNamed { over.add(report) }
  }

  private func finished() -> TerminationReport {
    var draft = draft
    draft.states.put(into: &draft.report)
    for (thread, frames) in frames { draft.frames[thread] = frames.compactMap(named) }
    return draft.finished()
  }

  private func named(_ frame: Frame) -> ReportFrame? {
    let image = frame.image.flatMap { images[$0] }
    let place = image?.name.map { name in frame.offset.map { "\(name) + \($0)" } ?? name }
    let code = frame.file.flatMap { file in frame.line.map { "\(file):\($0)" } }
    return (frame.symbol ?? place).map {
      ReportFrame($0, code: code, image: image?.name, path: image?.path)
    }
  }
}
