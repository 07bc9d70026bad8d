import LifecycleModel

/// Reads the header and the body of an `.ips`, or what was pasted of them; what begins behind a body is a
/// report of its own.
///
/// Of threads, which may take megabytes, the innermost frames are read.
struct CrashJSONReader: JSONReportReader {
  /// What was read of the report that is open.
  var draft = ReportDraft(.ips)
  /// The reports before it.
  private var over = ReportContents()
  /// Whether the body of the report has ended.
  private var isOver = false

  private static let keys: ReportKeys = [
    "bug_type": .last(\.bugType),
    "incident|incident_id": .last(\.report.incident),
    "app_name|name": .first(\.report.process),
    "procName": .last(\.report.process),
    "bundleID": .first(\.report.bundle),
    "codeSigningID": .call { draft, text in
      if text.contains(".") { draft.report.bundle = draft.report.bundle ?? text }
    },
    "coalitionName": .last(\.coalition),
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
    // When the report was written is never the death.
    "timestamp": ReportKey { _ = $0.report.takeStamp($1, at: $2) },
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
    "vmRegionInfo": .call { draft, text in
      for line in text.split(separator: "\n") { draft.take(region: line) }
    },
    "exceptionReason/name": .last(\.exceptionName),
    "exceptionReason/composed_message": .last(\.exceptionWords),
    "procPath": .last(\.path),
    "faultingThread": .call { $0.report.crashedThread = Int($1) },
    "asi/": .call { draft, text in
      let lines = text.split(separator: "\n").map(String.init)
      let room = ReportDraft.longestInformation - draft.information.count
      draft.information += lines.prefix(max(0, room))
    },
  ]
  private typealias Key = ReportKey

  /// How many elements of lists are read.
  private static let most = [
    "threads": 4096, "threads/frames": ReportDraft.framesRead, "usedImages": 4096,
    "lastExceptionBacktrace": ReportDraft.framesRead, "reports": 256, "environment": 1,
    TerminationReport.statesPath: 64,
  ]

  func most(at path: String) -> Int {
    // Somebody may have put several bodies in a list.
    let path = path.withoutPrefix("reports/")
    let isWanted =
      Self.keys.places.contains(path)
      || ["asi/", TerminationReport.statesPath].contains(where: path.hasPrefix)
    return Self.most[path] ?? (isWanted ? .max : 0)
  }

  mutating func take(_ object: JSONObject, isWhole: Bool) {
    let several = object.objects("reports")
    for body in several { take(body, isWhole: true) }
    if !several.isEmpty { return }

    if isOver, isWhole {
      var next = CrashJSONReader()
      next.over = contents
      self = next
    }
    object.forEachText { path, text in
      Self.keys.take(path.hasPrefix("asi/") ? "asi/" : path, text, into: &draft, at: path)
    }
    takeFrames(of: object)
    draft.report.take(states: object.objects(TerminationReport.statesPath))
    // A header says none of these.
    if isWhole, draft.saysEnd || draft.report.pid != nil { isOver = true }
  }

  /// Takes the innermost frames of threads and of an exception.
  private mutating func takeFrames(of object: JSONObject) {
    let images = object.objects("usedImages")
    let thrown = object.objects("lastExceptionBacktrace")
    if !thrown.isEmpty {
      draft.hasExceptionBacktrace = true
      draft.frames[ReportDraft.throwing] = thrown.compactMap { Self.frame($0, images) }
    }

    let threads = object.objects("threads")
    let triggered = threads.lastIndex { $0["triggered"] == "true" }
    draft.report.crashedThread = triggered ?? draft.report.crashedThread
    for (index, thread) in threads.enumerated()
    where index < ReportDraft.mostThreads || index == draft.report.crashedThread {
      draft.frames[index] = thread.objects("frames").compactMap { Self.frame($0, images) }
      draft.dropFrames(of: index)
      if let queue = thread["queue"] { draft.take(queue: queue, of: index) }
    }
  }

  /// A frame: its symbol, or where it lies in its image; and the line of its code.
  private static func frame(_ frame: JSONObject, _ images: [JSONObject]) -> ReportFrame? {
    let image = frame["imageIndex"].flatMap { Int($0) }
      .flatMap { images.indices.contains($0) ? images[$0] : nil }
    let name = image?["name"]
    let place = name.map { name in frame["imageOffset"].map { "\(name) + \($0)" } ?? name }
    let code = frame["sourceFile"].flatMap { file in frame["sourceLine"].map { "\(file):\($0)" } }
    // Without the list of images nobody knows whose it is; what stands behind it has not thrown.
    let unnamed = frame["imageOffset"].map { offset in
      "image \(frame["imageIndex"] ?? "?") + \(offset)"
    }
    return (frame["symbol"] ?? place ?? unnamed).map {
      ReportFrame($0, code: code, image: name, path: image?["path"])
    }
  }

  /// The reports, with the frames named; behind another one a report must name a process or an incident: a piece of
  /// a body that is damaged names none.
  var contents: ReportContents {
    var all = over
    let report = draft.finished()
    let isNamed = report.incident != nil || report.pid != nil || report.process != nil
    if over.reports.isEmpty || isNamed { all.add(report) }
    return all
  }
}
