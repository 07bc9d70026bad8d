import Foundation
import LifecycleModel
import TraceLog
import TraceRecorder

/// A healthy app that records as fast as it can, and says on standard output what it has recorded.
///
/// For each event that is its thread and its number, in one write, after the event's call has returned; before all
/// the number of the process, as of the last thread that there could be.
///
/// Arguments: how many threads; the number of the first; its own log, unless `tracectl record` has one.
@main
enum Storm {
  static func main() throws {
    let arguments = Array(CommandLine.arguments.dropFirst())
    let threads = arguments.compactMap { Int($0) }
    let first = threads.dropFirst().first ?? 0
    acknowledge(UInt64(UInt32.max), UInt64(getpid()))
    let own = arguments.dropFirst(2).first
    let recorder = try own.map { try Recorder.open(log: $0, options: ownOptions) } ?? .shared
    recorder.profile(Profile([Attribute(.mode, "app"), Attribute(.hooks, "app-delegate,work")]))
    recorder.processStarts(launch: "user", bundle: "com.example.storm")
    recorder.callback(.applicationDidFinishLaunching, .app) {}
    recorder.callback(.applicationDidBecomeActive, .app) {}

    for number in 1..<max(2, threads.first ?? 1) where number < threads.first ?? 1 {
      Thread { run(first + number, recorder) }.start()
    }
    run(first, recorder)
  }

  /// Small rings fill and wrap soon; every block is a part.
  private static var ownOptions: Drain.Options {
    var options = Drain.Options()
    (options.threads, options.recordsPerThread) = (4, 4096)
    options.limits = LogLimits(maxPartAge: 1_000_000)
    return options
  }

  /// Every seventh event is a plain record; the others have an extension, and some a word of their own.
  private static func run(_ thread: Int, _ recorder: Recorder) {
    let subject = Subject.task(UInt32(thread))
    var number: Int64 = 0
    while true {
      number += 1
      if number % 7 == 0 {
        recorder.work(.timer, subject)
      } else {
        let label = number % 64 == 1 ? "storm \(number)" : "storm"
        recorder.record(.work, name: "other", subject: subject, label: label, value: number)
      }
      acknowledge(UInt64(thread), UInt64(number))
    }
  }

  private static func acknowledge(_ thread: UInt64, _ number: UInt64) {
    var words = (thread, number)
    _ = withUnsafeBytes(of: &words) { write(STDOUT_FILENO, $0.baseAddress, $0.count) }
  }
}
