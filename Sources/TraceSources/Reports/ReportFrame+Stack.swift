/// What the frames of a stack show together.
extension ReportFrame {
  /// How many of these lines are the frames of a stack that shows by itself that its process stopped; 0 of other
  /// lines.
  static func crashedStack(atStartOf lines: some Collection<ArraySlice<UInt8>>) -> Int {
    guard let first = lines.first?.prefix(512).text, isInnermost(first) else { return 0 }
    let frames = Array(lines.lazy.map { numbered($0.prefix(512).text) }.prefix { $0 != nil })
    let isStop = frames.prefix(8).contains { $0?.shows(.stop) == true }
    return isStop && frames.count > 2 ? frames.count : 0
  }

  // MARK: What threw

  /// The frames that led to an exception: those below the runtime, which throws it.
  static func thrown(_ frames: [ReportFrame]) -> [ReportFrame] {
    // Between the runtime's own frames stands one of another name now and then.
    let last = frames.prefix(6).lastIndex { $0.shows(.throwing) }
    return Array(frames[(last.map { $0 + 1 } ?? 0)...].drop(while: \.isNamelessOfApple))
  }

  // MARK: Crash reporters

  /// The frames below those of a crash reporter, and of its handler of signals.
  static func withoutReporter(_ frames: [ReportFrame]) -> [ReportFrame] {
    let handler = frames.firstIndex { $0.name == "_sigtramp" }
    let own = frames[(handler.map { $0 + 1 } ?? 0)...].drop { $0.shows(.reporter) }
    return own.isEmpty ? frames : Array(own)
  }
}

extension Termination {
  /// Takes where the app had come to from the frames of what crashed or threw, innermost first.
  mutating func take(stack: [ReportFrame]) {
    let apps = stack.filter(\.isOfApp)
    place = place ?? apps.lazy.compactMap(\.code).first
    if exception != nil { frame = (apps.first ?? stack.first)?.name }
  }
}
