import CProbe
import Foundation
import LifecycleModel
import TraceRecorder

/// An app that records a million facts and says what that took beside time.
///
/// Arguments: the log, or `-` for that of `tracectl record`, and what is looked at: `allocations`, `system-calls`,
/// `fork`, or `idle` and for how many seconds. With `broken` behind them, what must not happen does happen, so that
/// the look can be seen to see it.
@main
enum Quiet {
  static func main() throws {
    let arguments = CommandLine.arguments
    guard arguments.count > 2 else { exit(64) }

    var options = Drain.Options()
    options.recordsPerThread = 1 << 20
    options.threads = 2
    let log = arguments[1]
    let recorder = log == "-" ? .shared : try Recorder.open(log: log, options: options)
    let isBroken = arguments.last == "broken"

    // The first facts take a lane and put names and labels into the ring.
    state(recorder, 1, isBroken: false)
    switch arguments[2] {
    case "allocations":
      let before = probe_allocations()
      state(recorder, 100_000, isBroken: isBroken)
      let count = probe_allocations() - before
      print("allocations \(count)")
    case "system-calls":
      guard probe_forbid_system_calls() != 0 else { return print("cannot be forbidden here") }
      // Less than half of a lane: at its middle the drain is woken, by a call of the system.
      state(recorder, 40_000, isBroken: isBroken)
      say("none\n")
    case "fork":
      shared = recorder
      let status = probe_run_forked {
        // The child has the parent's thread, its lane, and no right to use it.
        Quiet.state(Quiet.shared, 1000, isBroken: false)
      }
      state(recorder, 1, isBroken: false)
      print("child \(status)")
    case "idle":
      say("idle\n")
      sleep(UInt32(arguments.last ?? "") ?? 0)
    default: exit(64)
    }

    fflush(nil)
    // The drain's thread may be in a system call that is its right; nothing is waited for.
    _exit(0)
  }

  nonisolated(unsafe) private static var shared = Recorder.off

  /// Ten facts of every kind that has a bounded cost, `count` times.
  @inline(never)
  private static func state(_ recorder: Recorder, _ count: Int, isBroken: Bool) {
    for number in 0..<count {
      recorder.call(.sceneDidBecomeActive, .scene(1))
      recorder.returned(.sceneDidBecomeActive, .scene(1))
      recorder.notify(.sceneDidActivate, object: .scene(1))
      recorder.work(.timer, .scene(1), "autosave")
      recorder.work(.timer, .scene(1), label: label)
      recorder.workBegins(.network, .app, "/items", value: Int64(number))
      recorder.acquire(.lock, .app, "notes.db")
      recorder.release(.lock, .app, "notes.db")
      recorder.dirty("notes.db")
      recorder.sample(.memory, 42)
      if isBroken {
        probe_make_system_call()
        kept = [number]
      }
    }
  }

  private static let label = String("a label that was made at run time")
  nonisolated(unsafe) private static var kept: [Int] = []

  private static func say(_ text: StaticString) {
    _ = write(STDOUT_FILENO, text.utf8Start, text.utf8CodeUnitCount)
  }
}
