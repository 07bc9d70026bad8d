import AppLifecycle
import Foundation
import LifecycleModel
import LifecycleRules
import TraceAnalysis
import TraceLog
import TraceText

/// An app under a driver, for tests: what it does is given by name of callback.
@MainActor
package final class HostedApp {
  /// What an app does when a callback is called.
  package typealias Behaviour = @MainActor (Application, Scene?) -> Void

  /// The user and the system.
  package let driver: LifecycleDriver
  private var marks: [(at: Nanoseconds, name: String)] = []

  /// An app in virtual time, with what it does in its callbacks.
  package init(
    _ mode: Profile.Mode, behaviour: [Callback: Behaviour] = [:],
    _ change: (inout LifecycleDriver.Options) -> Void = { _ in }
  ) throws {
    var options = LifecycleDriver.Options()
    options.mode = mode
    change(&options)
    driver = try LifecycleDriver(options) {
      DelegateCall.delegate { call in
        if let act = behaviour[call.callback] {
          act(call.application, call.scene)
        } else {
          call.complete?()
        }
      }
    }
  }

  /// The log so far, which ends with it.
  package func trace() throws -> Trace {
    try driver.finish()
    var reader = try LogReader(bytes: driver.bytes)
    return try reader.readAll()
  }

  /// Does what `name` says, and remembers when, for the story.
  package func act(
    _ name: String, then seconds: TimeInterval = 0, _ action: (LifecycleDriver) -> Void
  ) {
    marks.append((driver.now, name))
    action(driver)
    driver.run(for: seconds)
  }

  /// The trace as notation without instants, each action in front of what it caused; the system's lines
  /// begin with `-`.
  ///
  /// Of profile and process start the verb alone is kept, and of a connection the options.
  package func story() throws -> String {
    let trace = try trace()
    let printer = TraceNotation.Printer(vocabulary: trace.vocabulary)
    var marks = marks[...]
    var lines: [String] = []

    for event in trace.events {
      while let mark = marks.first, mark.at <= event.instant.nanoseconds {
        lines.append("> \(mark.name)")
        marks.removeFirst()
      }
      var words = printer.line(event).split(separator: " ").dropFirst().map(String.init)
      if words[0] == "main" { words.removeFirst() }
      if event.verb == .profile || event.verb == .processStart {
        words = words.prefix(2) + words.filter { $0.hasPrefix("launch=") && words[1] != "profile" }
      }
      let shown = words.filter { !$0.hasPrefix("session=") && !$0.hasPrefix("role=w") }
      lines.append(shown.joined(separator: " "))
    }
    return (lines + marks.map { "> \($0.name)" }).joined(separator: "\n")
  }

  /// A story as the tests write it: a callback alone is its call and its return, a notification alone is
  /// posted, and what stands between braces comes between call and return.
  package static func expand(_ text: String) -> String {
    var lines: [String] = []
    var open: [String] = []
    for line in text.split(separator: "\n") {
      let line = line.trimmingCharacters(in: .whitespaces)
      if line == "}" {
        if let call = open.popLast() { lines.append("return \(call)") }
      } else if line.hasPrefix("UI") {
        lines.append("notify \(line)")
      } else if ["application", "scene", "windowScene"].contains(where: line.hasPrefix) {
        let call = line.replacingOccurrences(of: " {", with: "")
        let plain = call.split(separator: " ").prefix(2).joined(separator: " ")
        lines.append("call \(call)")
        if line.hasSuffix("{") { open.append(plain) } else { lines.append("return \(plain)") }
      } else {
        lines.append(line)
      }
    }
    return lines.joined(separator: "\n")
  }

  /// What the analyzer finds, by rule.
  package func findings() throws -> [String] {
    Analyzer.analyze(try trace()).allFindings.map(\.rule)
  }
}
