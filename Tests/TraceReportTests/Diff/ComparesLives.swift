import TraceText

/// Compares runs of one app.
protocol ComparesLives {}

extension ComparesLives {
  /// An app without scenes that becomes active and leaves eight times.
  func life(
    timers: [String] = ["tick"], background: Int = 10, hooks: String = "app-delegate,work",
    last: [String] = []
  ) -> String {
    var lines = ["0s - profile mode=app os=18.2 hooks=\(hooks)"]
    for cycle in 0..<8 {
      let start = cycle * 100_000 + 1000
      lines.append("\(start)ms main call applicationDidBecomeActive app")
      lines.append("\(start + 1)ms main return applicationDidBecomeActive app")
      for (index, label) in timers.enumerated() {
        lines.append("\(start + 5000 + index)ms main work timer app \(JSONText.quoted(label))")
      }

      let leaving = start + 20_000
      lines.append("\(leaving)ms main call applicationWillResignActive app")
      lines.append("\(leaving + 1)ms main return applicationWillResignActive app")
      lines.append("\(leaving + 2)ms main call applicationDidEnterBackground app")
      lines.append("\(leaving + 2 + background)ms main return applicationDidEnterBackground app")
    }
    return (lines + last).joined(separator: "\n")
  }
}
