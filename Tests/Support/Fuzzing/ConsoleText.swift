/// Writes console captures in short, so that a test shows only what matters.
///
/// Each line is `time process message`. A message `+11 0>2048` stands for UIKit's line that reason 11
/// was added, `-11 2048>0` for its removal. A line that begins with a blank is a continuation, and so
/// is what follows a bar.
package enum ConsoleText {
  /// A short life of an app.
  private static let short = """
    10:00:00 SpringBoard Bootstrapping app<com.example.Notes> with intent foreground-interactive
    10:00:00.1 runningboardd Now tracking process: [app<com.example.Notes(7D)>:412]
    10:00:00.4 Notes +10 0>1024
    10:00:00.6 Notes -10 1024>0
    10:00:01 Notes Created background task <_UI: 0x1>: taskID = 1, taskName = x, creationTime = 1
    10:00:01.2 Notes Ending background task with UIBackgroundTaskIdentifier: 1
    10:00:01.5 Notes got 0x2 {name = UIApplicationDidBecomeActiveNotification; object = <A: 0x1>}
    10:00:02 Notes Scene will invalidate: UIWindowScene: 0x1; scene identity: sceneID%3Ax.n-default
    10:00:03 runningboardd [app<com.example.Notes(7D)>:412] termination reported by launchd (2, 9, 9)
    """

  /// A short life of an app in each form that is read.
  package static var everyForm: [String] {
    [
      consoleApp(short), ndjson(short), compact(short), syslog(short), logShow(short),
      logSyslog(short), json(short), xcode(short), pyMobileDevice(short),
      consoleApp(short).replacing("\t", with: " "),
    ]
  }

  /// As Console.app copies it.
  package static func consoleApp(_ short: String, zone: String = "+0200") -> String {
    each(short) { time, process, message in
      "default\t\(padded(time))\(zone)\t\(process)\t\(message)"
    }
  }

  /// As `log stream --style ndjson` prints it.
  package static func ndjson(_ short: String, pid: Int = 412) -> String {
    each(short) { time, process, message in
      """
      {"traceID":7,"eventMessage":\(quoted(message)),"eventType":"logEvent","source":null,\
      "subsystem":"com.apple.UIKit","category":"Lifecycle","processID":\(pid),"threadID":9001,\
      "senderImagePath":"\\/System\\/UIKitCore","timestamp":"2026-03-01 \(padded(time))+0200",\
      "processImagePath":"\\/Applications\\/\(process).app\\/\(process)","messageType":"Default"}
      """
    }
  }

  /// As `log --style compact` prints it.
  package static func compact(_ short: String, pid: Int = 412) -> String {
    each(short) { time, process, message in
      let milliseconds = padded(time).dropLast(3)
      return
        "2026-03-01 \(milliseconds) Df \(process)[\(pid):a1da12] [com.apple.UIKit:App] \(message)"
    }
  }

  /// As `idevicesyslog` prints it.
  package static func syslog(_ short: String, device: String = "Marias-iPhone ", pid: Int = 412)
    -> String
  {
    each(short) { time, process, message in
      let seconds = padded(time).prefix(8)
      return "Mar  1 \(seconds) \(device)\(process)(UIKitCore)[\(pid)] <Notice>: \(message)"
    }
  }

  /// `log show` without a style, with its header and its trailer.
  package static func logShow(_ short: String, pid: Int = 412) -> String {
    "Timestamp                       Thread     Type        Activity             PID    TTL  \n"
      + each(short) { time, process, message in
        "2026-03-01 \(padded(time))+0200 0x1cc15    Default     0x0                  \(pid)    0    "
          + "\(process): (UIKitCore) [com.apple.UIKit:App] \(message)"
      } + String(repeating: "-", count: 116)
      + "\nLog      - Default:          3, Info:                0, Debug:             0\n"
  }

  /// As `log --style syslog` prints it.
  package static func logSyslog(_ short: String, pid: Int = 412) -> String {
    each(short) { time, process, message in
      "2026-03-01 \(padded(time))+0200  localhost \(process)[\(pid)]: (UIKitCore) "
        + "[com.apple.UIKit:App] \(message)"
    }
  }

  /// `log --style json`: the objects of an array, each on several lines.
  package static func json(_ short: String) -> String {
    let objects = ndjson(short).split(separator: "\n").map { object in
      object.dropFirst().dropLast().replacing(",\"", with: ",\n  \"")
    }
    return "[{\n  " + objects.joined(separator: "\n},{\n  ") + "\n}]\n"
  }

  /// As the console of Xcode shows it.
  package static func xcode(_ short: String, pid: Int = 412) -> String {
    each(short) { time, process, message in
      "2026-03-01 \(padded(time))+0200 \(process)[\(pid):80966] [Lifecycle] \(message)"
    }
  }

  /// As `pymobiledevice3` prints it.
  package static func pyMobileDevice(_ short: String, pid: Int = 412) -> String {
    each(short) { time, process, message in
      "2026-03-01 \(padded(time)) \(process){UIKitCore}[\(pid)] <NOTICE>: \(message)"
        + " [com.apple.UIKit][Lifecycle]"
    }
  }

  /// A Console.app copy with these columns, of which the last is the message.
  package static func consoleApp(columns: [String], _ short: String) -> String {
    each(short) { time, process, message in
      columns.map { column in
        switch column {
        case "type": "default"
        case "time": "\(padded(time))+0200"
        case "process": String(process)
        case "message": message
        default: column
        }
      }.joined(separator: "\t")
    }
  }

  private static func each(
    _ short: String, _ line: (Substring, Substring, String) -> String
  ) -> String {
    short.split(separator: "\n", omittingEmptySubsequences: false).map { row in
      if row.first == " " || row.isEmpty { return String(row) }
      if row.first == "|" { return String(row.dropFirst()) }
      let parts = row.split(separator: " ", maxSplits: 2)
      return line(parts[0], parts[1], message(parts.count > 2 ? parts[2] : ""))
    }.joined(separator: "\n") + "\n"
  }

  private static func message(_ short: Substring) -> String {
    let parts = short.split(separator: " ")
    guard parts.count == 2, let sign = parts[0].first, sign == "+" || sign == "-",
      let arrow = parts[1].firstIndex(of: ">"), Int(parts[1][..<arrow]) != nil
    else { return String(short) }
    return """
      Deactivation reason \(sign == "+" ? "added" : "removed"): \(parts[0].dropFirst()); \
      deactivation reasons: \(parts[1][..<arrow]) -> \(parts[1][parts[1].index(after: arrow)...]); \
      animating application lifecycle event: 0
      """
  }

  private static func padded(_ time: Substring) -> String {
    guard let dot = time.firstIndex(of: ".") else { return time + ".000000" }
    let fraction = time[time.index(after: dot)...]
    return time + String(repeating: "0", count: 6 - fraction.count)
  }

  private static func quoted(_ text: String) -> String {
    "\"" + text.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"") + "\""
  }
}
