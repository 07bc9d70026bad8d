import Foundation
import LifecycleModel
import TraceRecorder

/// An app that records as fast as it can, and says on standard output what it has recorded: for each
/// event the thread and its number, in one write, after the event's call has returned.
@main
enum Storm {
  static func main() {
    let threads = CommandLine.arguments.count > 1 ? Int(CommandLine.arguments[1]) ?? 1 : 1
    acknowledge(0, UInt64(getpid()))
    for number in 1..<max(2, threads) where number < threads {
      Thread { run(number) }.start()
    }
    run(0)
  }

  /// Every seventh event is a plain record; the others have an extension.
  private static func run(_ thread: Int) {
    let recorder = Recorder.shared
    var number: Int64 = 0
    while true {
      number += 1
      if number % 7 == 0 {
        recorder.work(.timer, .task(UInt32(thread)))
      } else {
        recorder.workBegins(.other, .task(UInt32(thread)), "storm", value: number)
      }
      acknowledge(UInt64(thread), UInt64(number))
    }
  }

  private static func acknowledge(_ thread: UInt64, _ number: UInt64) {
    var words = (thread, number)
    _ = withUnsafeBytes(of: &words) { write(STDOUT_FILENO, $0.baseAddress, $0.count) }
  }
}
