/// What a thread waits for, as the functions show in which it is.
extension ReportFrame {
  /// Functions in which a thread waits, by what it waits for; the last two are also those in which the others wait.
  private static let waits: [(what: String, functions: [String])] = [
    ("another queue", ["DISPATCH_WAIT_FOR_QUEUE", "dispatch_sync_f_slow"]),
    ("a value that is made once", ["swift_once", "dispatch_once"]),
    ("a dispatch group", ["dispatch_group_wait"]),
    (
      "a semaphore",
      ["dispatch_semaphore_wait", "semaphore_wait", "semaphore_timedwait", "sem_wait"]
    ),
    ("another thread", ["pthread_join"]),
    (
      "the answer of another process",
      [
        "xpc_connection_send_message_with_reply_sync", "CFMessagePortSendRequest",
        "dispatch_mach_send_with_result_and_wait_for_reply",
      ]
    ),
    ("the network", ["+[NSURLConnection sendSynchronousRequest", "getaddrinfo", "mdns_search"]),
    (
      "a lock",
      [
        "psynch_mutexwait", "psynch_rw_", "pthread_mutex_", "pthread_rwlock_",
        "os_unfair_lock_lock",
        "objc_sync_enter", "dlock_wait", "ulock_wait",
      ]
    ),
    ("a condition", ["psynch_cvwait", "pthread_cond_"]),
  ]

  /// The place of what it waits for among ``waits``; `nil` of a function in which no thread waits.
  private var wait: Int? {
    let bare = name.drop { $0 == "_" }
    return Self.waits.firstIndex { $0.functions.contains(where: bare.hasPrefix) }
  }

  /// What a thread waits for that is in these functions, the innermost first, and which functions called for it;
  /// `nil` where none of the innermost shows a wait.
  static func wait(in frames: [ReportFrame]) -> (words: String, callers: [ReportFrame])? {
    let system = frames.prefix(12).prefix { $0.wait != nil || !$0.isOfApp }
    let places = system.indices.filter { system[$0].wait != nil }
    // A thread that computes may have come through a function that waits now and then.
    guard let innermost = places.first, innermost < 3, let last = places.last,
      let telling = places.compactMap({ system[$0].wait }).min()
    else { return nil }

    let callers = frames[(last + 1)...].drop(while: \.isNamelessOfApple)
    return ("\(waits[telling].what) (\(frames[innermost].name))", Array(callers))
  }
}
