import CRecorder
import LifecycleModel
import Synchronization
import TraceLog

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

extension Recorder {
  /// Records into a new log at `path`, with a thread of this process that empties the ring.
  ///
  /// When the process ends by `exit`, what is left is moved into the log. When it dies in any other
  /// way, the ring beside the log holds it, and every reader of the log joins the two. Throws a
  /// ``LogError`` when log or ring cannot be made, so that a full disk shows now and never later.
  public static func open(log path: String, options: Drain.Options = Drain.Options()) throws
    -> Recorder
  {
    let drain = try Drain(log: path, options: options)
    let core = RecorderCore.make(drain.ring)
    drain.ring.store(RingFormat.Header.process, UInt64(getpid()))
    DrainThread.start(drain, core)
    return Recorder(core)
  }

  /// Ends the log of a recorder that ``open(log:options:)`` made: facts that are stated later are not
  /// in it.
  package func finish() {
    for thread in DrainThread.all.withLock({ $0 }) where thread.core == core { thread.finish() }
  }
}

/// The thread of an app that empties its own ring.
private final class DrainThread: @unchecked Sendable {
  // Sound because the drain is used by this thread alone, and by `exit` after it was stopped under
  // the lock.
  private let drain: Drain
  let core: UnsafeMutablePointer<RecorderCore>
  private var mutex = pthread_mutex_t()
  private var isFinished = false

  private init(_ drain: Drain, _ core: UnsafeMutablePointer<RecorderCore>) {
    self.drain = drain
    self.core = core
    pthread_mutex_init(&mutex, nil)
  }

  static func start(_ drain: Drain, _ core: UnsafeMutablePointer<RecorderCore>) {
    let thread = DrainThread(drain, core)
    DrainThread.all.withLock { $0.append(thread) }
    atexit { for thread in DrainThread.all.withLock({ $0 }) { thread.finish() } }
    #if canImport(Darwin)
      var id: pthread_t?
    #else
      var id = pthread_t()
    #endif
    // Nobody waits for the thread: it ends with the process.
    var attributes = pthread_attr_t()
    pthread_attr_init(&attributes)
    pthread_attr_setdetachstate(&attributes, Int32(PTHREAD_CREATE_DETACHED))
    defer { pthread_attr_destroy(&attributes) }
    pthread_create(
      &id, &attributes,
      { argument in
        #if canImport(Darwin)
          let thread = Unmanaged<DrainThread>.fromOpaque(argument).takeRetainedValue()
        #else
          guard let argument else { return nil }
          let thread = Unmanaged<DrainThread>.fromOpaque(argument).takeRetainedValue()
        #endif
        thread.run()
        return nil
      }, Unmanaged.passRetained(thread).toOpaque())
  }

  /// The drains of this process that are not finished.
  static let all = Mutex<[DrainThread]>([])

  private func run() {
    recorder_lower_priority()
    while true {
      usleep(UInt32(Drain.lookMilliseconds) * 1000)
      pthread_mutex_lock(&mutex)
      if !isFinished { drain.look() }
      let isOver = isFinished
      pthread_mutex_unlock(&mutex)
      if isOver { return }
    }
  }

  func finish() {
    pthread_mutex_lock(&mutex)
    if !isFinished { try? drain.finish() }
    isFinished = true
    pthread_mutex_unlock(&mutex)
    DrainThread.all.withLock { $0.removeAll { $0 === self } }
  }
}
