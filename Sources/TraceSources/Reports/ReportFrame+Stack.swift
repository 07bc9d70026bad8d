import Run

/// What the frames of a stack show together.
extension ReportFrame {
  /// The frames with which these lines begin; none where the first is not the innermost of a stack.
  static func stack(atStartOf lines: some Collection<ArraySlice<UInt8>>) -> [ReportFrame] {
    guard let first = lines.first?.prefix(512).text, isInnermost(first) else { return [] }
    let frames = lines.lazy.map { line in
      let text = line.prefix(512).text
      return ReportFrame(line: text) ?? ReportFrame(word: text)
    }
    return frames.prefix { $0 != nil }.compactMap(\.self)
  }

  /// Whether a stack shows by itself that its process stopped.
  static func isStop(_ frames: [ReportFrame]) -> Bool {
    frames.count > 2 && frames.prefix(8).contains { $0.shows(.stop) || $0.isThrow }
  }

  /// Whether a stack has the names of its functions, down to where its thread began, and none is the app's.
  static func isForeign(_ frames: [ReportFrame]) -> Bool {
    guard let last = frames.last, last.isEntry || last.name.contains("thread"),
      frames.count(where: { !$0.isEntry }) > 3
    else { return false }
    let named = frames.count { !$0.isNameless }
    return named * 2 > frames.count && !frames.contains(where: \.isOfApp)
  }

  /// Itself, if it uses the memory of an object; `nil` where the words of the kernel name address 0 or a damaged pointer.
  func userOfObject(at words: String?) -> ReportFrame? {
    guard shows(.memoryOfObjects), words?.contains("EXC_ARM_") != true else { return nil }
    let digits = words?.split(separator: "0x").last.map { $0.prefix(while: \.isHexDigit) }
    return digits.flatMap { UInt64($0, radix: 16) } == 0 ? nil : self
  }

  // MARK: What threw

  /// Whether it throws an exception of Objective-C.
  var isThrow: Bool { name.hasPrefix("objc_exception_throw") }

  /// The frames that led to an exception: those below the runtime, which throws it.
  static func thrown(_ frames: [ReportFrame]) -> [ReportFrame] {
    // Between the runtime's own frames stands one of another name now and then.
    let last = frames.prefix(8).lastIndex { $0.shows(.throwing) }
    return Array(frames[(last.map { $0 + 1 } ?? 0)...].drop(while: \.isNamelessOfApple))
  }

  // MARK: Crash reporters

  /// The frames without those of a crash reporter, and of its handler of signals.
  ///
  /// A thread that waited for messages did nothing that raises a signal: there the handler itself has crashed.
  static func withoutReporter(_ frames: [ReportFrame]) -> [ReportFrame] {
    let handler = frames.firstIndex { $0.name == "_sigtramp" }
    let own = frames[(handler.map { $0 + 1 } ?? 0)...].filter { !$0.shows(.reporter) }
    let isIdle = handler != nil && own.first?.name.hasPrefix("mach_msg") == true
    // A reporter above which the system stands, and no end, has crashed itself.
    let hasReporterCrashed =
      own.count < frames.count && frames.first == own.first
      && !own.contains { frame in
        (frame.image != nil || frame.code != nil) && frame.isOfApp || frame.isEntry
          || frame.shows(.stop) || frame.shows(.throwing)
      }
    return isIdle || hasReporterCrashed ? frames : own
  }

  /// The innermost frames, at most `count`; where the system's stand above those of the app and of the libraries that
  /// it brings, the innermost and then these.
  ///
  /// `app` is the name of its executable. Where no frame is certainly of the app, the two innermost and the first others
  /// are shown. How the runtime ends a process is left out where other frames follow, and of frames without symbols that
  /// lie in one image, one behind the other, one is shown.
  static func shown(_ all: [ReportFrame], _ count: Int, of app: String? = nil) -> [ReportFrame] {
    var frames = all.indices.filter { place in
      all[place].name != "<redacted>" && !all[place].name.contains(" in _assertionFailure")
        && (place == 0 || all[place] != all[place - 1] || all[place].image != all[place].name)
    }.map { all[$0] }
    let ways = frames.prefix { $0.isWayToEnd && !$0.isKnownOfApp }
    if ways.count < frames.count { frames.removeFirst(ways.count) }

    // What the app's code called without a library of the system between them is the app's, too.
    let certain = frames.firstIndex { $0.isCertainlyOfApp(app) }
    let block = certain.map { place in
      frames[..<place].lastIndex { !$0.isKnownOfApp }.map { $0 + 1 } ?? 0
    }
    let own = block ?? frames.firstIndex(where: \.isKnownOfApp)
    guard let own, own > 2 else { return Array(frames.prefix(count)) }
    let above = frames.prefix(block == nil ? 2 : 1)
    return above + [.leftOut] + frames[own...].prefix(count - 1 - above.count)
  }
}

extension Termination {
  /// Takes where the app had come to from the frames of what crashed or threw, innermost first.
  ///
  /// `app` is the name of its executable.
  mutating func take(stack: [ReportFrame], isThrown: Bool, of app: String? = nil) {
    let stack = ReportFrame.withoutReporter(stack)
    let apps = stack.filter(\.isOfApp)
    place = place ?? apps.lazy.compactMap(\.code).first
    let isThrown = exception != nil || isThrown

    // Below a handler of signals stands what the signal met.
    let isOfHandler = stack.contains { $0.name == "_sigtramp" }
    let own = apps.first.flatMap { first in
      !isOfHandler && first.isCertainlyOfApp(app) && !first.isNameless ? first : nil
    }
    frame = isThrown ? apps.first?.name : own?.name
    if frame?.hasPrefix("image ") == true { frame = nil }
    // A signal of the processor has no call of pthread_kill above what the thread did.
    if case .killed("SIGNAL", let code?) = kind, DarwinSignal.ofProcessor.contains(code),
      let first = stack.first,
      first.shows(.ownSignal)
    {
      reason = first.name
    }
  }
}
