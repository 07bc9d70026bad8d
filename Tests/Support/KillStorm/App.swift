import LifecycleModel
import Platform
import TraceLog
import TraceRecorder
import Traces

/// The app of a storm: it states facts, and says on standard output which it has stated, each in one write
/// after its call has returned, with what it states next.
struct App {
  /// How an app is told what to do.
  struct Options {
    /// Its own log; `nil` when somebody else records it.
    var log: String?
    var seed: UInt64 = 1
    /// After how many facts it exits; never when it is 0.
    var facts = 0
    var records = 512
    var partAge: Nanoseconds?
    var keptBytes: Int?
    var keptAge: Nanoseconds?
    /// -1 for never, 0 for each block, else milliseconds.
    var sync = 100

    /// As the app's arguments.
    var words: [String] {
      [
        log ?? "-", "\(seed)", "\(facts)", "\(records)", "\(partAge ?? -1)", "\(keptBytes ?? -1)",
        "\(keptAge ?? -1)", "\(sync)",
      ]
    }

    init() {}

    init(_ words: [String]) {
      let numbers = words.map { Int($0) ?? 0 }
      guard words.count == 8 else { return }
      log = words[0] == "-" ? nil : words[0]
      (seed, facts, records) = (UInt64(numbers[1]), numbers[2], numbers[3])
      if numbers[4] >= 0 { partAge = Nanoseconds(numbers[4]) }
      if numbers[5] >= 0 { keptBytes = numbers[5] }
      if numbers[6] >= 0 { keptAge = Nanoseconds(numbers[6]) }
      sync = numbers[7]
    }

    fileprivate var drain: Drain.Options {
      var options = Drain.Options()
      (options.threads, options.recordsPerThread, options.wordBytes) = (4, records, 1 << 17)
      options.limits = LogLimits(maxPartAge: partAge, keptBytes: keptBytes, keptAge: keptAge)
      switch sync {
      case -1: options.sync = .none
      case 0: options.sync = .everyBlock
      default: options.sync = .interval(Nanoseconds(sync) * 1_000_000)
      }
      return options
    }
  }

  /// The first number of the facts of a thread that comes and goes; those of the main thread are below.
  static let threadBase: UInt32 = 400_000
  static let threadFacts: UInt32 = 16
  /// What an app exits with whose log cannot be opened.
  static let refusedStatus: Int32 = 3

  private let options: Options
  private let recorder: Recorder

  /// Runs the app to its end.
  static func run(_ words: [String]) -> Never {
    // Nobody may be there any more to end it.
    alarm(30)
    let options = Options(words)
    acknowledge(0, UInt64(getpid()), next: nil)
    do {
      let recorder = try options.log.map { try Recorder.open(log: $0, options: options.drain) }
      App(options: options, recorder: recorder ?? .shared).state()
      exit(0)
    } catch {
      exit(refusedStatus)
    }
  }

  /// States facts.
  private func state() {
    recorder.profile(
      Profile([
        Attribute(.mode, "app"), Attribute(.platform, "ios"),
        Attribute(.hooks, "app-delegate,app-notifications,work"),
      ]))
    recorder.processStarts(launch: "user", bundle: "com.example.storm")
    recorder.callback(.applicationWillFinishLaunching, .app) {}
    recorder.callback(.applicationDidFinishLaunching, .app) {}
    recorder.callback(.applicationDidBecomeActive, .app) {}

    var chance = SeededGenerator(seed: options.seed)
    var number: UInt32 = 0
    var thread: pthread_t?
    var threadCount: UInt32 = 0
    var next = Step.facts[Int.random(in: 0..<5, using: &chance)]
    while options.facts == 0 || number < options.facts {
      number += 1
      state(next, number, &chance)
      next = Step.facts[Int.random(in: 0..<5, using: &chance)]
      App.acknowledge(0, UInt64(number), next: next)
      if number % 20 == 0 { usleep(1000) }
      if number % 32 == 16 {
        if let thread { pthread_join(thread, nil) }
        threadCount += 1
        thread = start(threadCount)
      }
    }
    if let thread { pthread_join(thread, nil) }
  }

  private func state(_ step: Step, _ number: UInt32, _ chance: inout SeededGenerator) {
    let subject = Subject.task(number)
    func noise(_ words: Int) -> String {
      (0..<words).map { _ in String(chance.next(), radix: 36) }.joined()
    }

    switch step {
    case .plainFact: recorder.work(.other, subject, "storm")
    case .wideFact:
      recorder.record(.work, name: "other", subject: subject, value: Int64(number))
    case .newWord: recorder.work(.other, subject, label: noise(1))
    case .text: recorder.note(noise(4), subject)
    default:
      recorder.record(
        .work, name: "other", subject: subject, attributes: [Attribute(.options, noise(1))])
    }
  }

  /// Starts a thread that states some facts, and ends.
  private func start(_ thread: UInt32) -> pthread_t? {
    final class Work: Sendable {
      let app: App
      let thread: UInt32

      init(_ app: App, _ thread: UInt32) { (self.app, self.thread) = (app, thread) }
    }

    var made = pthread_t()
    let work = Unmanaged.passRetained(Work(self, thread))
    let error = pthread_create(
      &made, nil,
      { pointer in
        guard let pointer else { return nil }
        let work = Unmanaged<Work>.fromOpaque(pointer).takeRetainedValue()
        work.app.runThread(work.thread)
        return nil
      }, work.toOpaque())
    return error == 0 ? made : nil
  }

  private func runThread(_ thread: UInt32) {
    var chance = SeededGenerator(seed: options.seed &+ UInt64(thread))
    App.acknowledge(thread, 0, next: .newLane)
    for number in 1...UInt32.random(in: 1...8, using: &chance) {
      let place = App.threadBase + (thread - 1) * App.threadFacts + number
      state(number % 2 == 0 ? .plainFact : .newWord, place, &chance)
      App.acknowledge(thread, UInt64(number), next: nil)
    }
  }

  private static func acknowledge(_ thread: UInt32, _ number: UInt64, next: Step?) {
    let kind = next.flatMap { Step.facts.firstIndex(of: $0) } ?? 255
    var words = (UInt64(thread) | UInt64(kind) << 32, number)
    _ = withUnsafeBytes(of: &words) { platform_write(STDOUT_FILENO, $0.baseAddress, $0.count) }
  }
}
