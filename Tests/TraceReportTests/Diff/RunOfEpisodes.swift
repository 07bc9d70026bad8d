import LifecycleModel
import LifecycleRules
import TraceAnalysis
import TraceReport
import TraceText

/// The run of an app without scenes that becomes active and leaves again, so many times; what differs
/// from run to run can be set.
struct RunOfEpisodes {
  var cycles = 12
  var hooks = "app-delegate,app-notifications,work,tasks,resources,data,system"
  /// How long applicationDidEnterBackground takes, in milliseconds, in each cycle.
  var background: (Int) -> Int = { 20 + $0 % 5 }
  /// The labels of timers that fire while the app is active.
  var timers = ["tick-7"]
  /// Whether the notification of the resign comes behind the call.
  var postsBehind = true
  /// Whether the notification of the background comes before its call: no document says which is first.
  var postsBackgroundFirst = false
  /// Whether the notification of the background is posted.
  var postsBackground = true
  /// Lines that come behind the rest.
  var last: [String] = []

  /// The run in notation.
  var notation: String {
    var lines = [
      "0s - profile mode=app os=18.2 hooks=\(hooks)", "0s - process.start app launch=user",
    ]
    for cycle in 0..<cycles {
      let base = cycle * 100_000 + 100
      lines += call("applicationDidBecomeActive", base, 5)
      for (index, label) in timers.enumerated() {
        lines.append("\(base + 5000 + index)ms main work timer app \"\(label)\"")
      }
      lines += leave(base + 10_000, cycle)
    }
    return (lines + last).joined(separator: "\n")
  }

  private func leave(_ start: Int, _ cycle: Int) -> [String] {
    let resign = "main notify UIApplication.willResignActiveNotification app"
    let background = "main notify UIApplication.didEnterBackgroundNotification app"
    var lines = postsBehind ? [] : ["\(start)ms \(resign)"]
    lines += call("applicationWillResignActive", start + 1, 4)
    if postsBehind { lines.append("\(start + 6)ms \(resign)") }
    if postsBackground && postsBackgroundFirst { lines.append("\(start + 7)ms \(background)") }
    let time = self.background(cycle)
    lines += call("applicationDidEnterBackground", start + 8, time)
    if postsBackground && !postsBackgroundFirst {
      lines.append("\(start + 9 + time)ms \(background)")
    }

    return lines
  }

  private func call(_ name: String, _ start: Int, _ time: Int) -> [String] {
    ["\(start)ms main call \(name) app", "\(start + time)ms main return \(name) app"]
  }

  static let orders = DocumentedOrders(RuleRegistry.all)

  /// A side of these runs.
  static func side(
    _ notations: [String], among hooks: Set<Hook>? = nil
  ) throws -> EpisodeCounts {
    var side = EpisodeCounts()
    for notation in notations {
      let trace = try TraceNotation.parse(notation)
      var collector = EpisodeCollector(
        trace.vocabulary, orders, into: side, among: hooks)
      collector.observe(trace.events)
      side = collector.finish()
    }

    return side
  }

  var side: EpisodeCounts {
    get throws { try RunOfEpisodes.side([notation]) }
  }

  /// What differs between two runs.
  static func differences(
    _ first: RunOfEpisodes, _ second: RunOfEpisodes
  ) throws -> RunDifference {
    RunDifference(try first.side, try second.side, orders)
  }
}

extension Difference {
  /// In a line, for a test.
  var line: String {
    let values =
      switch measure {
      case .kind, .presence, .order:
        "\(a.having ?? 0)/\(a.of ?? 0) \(b.having ?? 0)/\(b.of ?? 0)"
      case .frequency: "\(a.mean ?? 0)/\(a.of ?? 0) \(b.mean ?? 0)/\(b.of ?? 0)"
      case .duration:
        [a.median, b.median, shift].map { "\(($0 ?? 0) / 1_000_000)ms" }.joined(separator: " ")
      }
    return "\(change) \(kind): \(token?.text ?? "-") \(values)"
  }
}
