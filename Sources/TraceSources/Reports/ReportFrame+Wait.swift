import Run

/// What a thread waits for, as the functions show in which it is.
extension ReportFrame {
  /// Beginnings of functions in which a thread waits, without underscores at their front.
  private static func functions(of wait: ThreadWait) -> [String] {
    switch wait {
    case .queue: ["DISPATCH_WAIT_FOR_QUEUE", "dispatch_sync_f_slow"]
    case .once: ["swift_once", "dispatch_once"]
    case .group: ["dispatch_group_wait"]
    case .semaphore:
      ["dispatch_semaphore_wait", "semaphore_wait", "semaphore_timedwait", "sem_wait"]
    case .thread: ["pthread_join"]
    case .process:
      [
        "xpc_connection_send_message_with_reply_sync", "CFMessagePortSendRequest",
        "dispatch_mach_send_with_result_and_wait_for_reply",
        "dispatch_mach_send_and_wait_for_reply",
      ]
    case .network: ["+[NSURLConnection sendSynchronousRequest", "getaddrinfo", "mdns_search"]
    case .lock:
      [
        "psynch_mutexwait", "psynch_rw_", "pthread_mutex_", "pthread_rwlock_",
        "os_unfair_lock_lock", "objc_sync_enter", "dlock_wait", "ulock_wait",
      ]
    case .condition: ["psynch_cvwait", "pthread_cond_"]
    // Each main thread has a run loop: what stands above and below it tells them apart.
    case .runLoop, .events: []
    }
  }

  /// What it waits for; `nil` of a function in which no thread waits.
  private var wait: ThreadWait? {
    let bare = name.drop { $0 == "_" }
    return ThreadWait.allCases.first {
      Self.functions(of: $0).contains(where: bare.hasPrefix)
    }
  }

  /// What a thread waits for that is in these functions, the innermost first, and which functions called for it;
  /// `nil` where none of the innermost shows a wait.
  static func wait(in frames: [ReportFrame]) -> (words: String, callers: [ReportFrame])? {
    if let wait = waitForEvents(in: frames) { return wait }
    let system = frames.prefix(12).prefix { $0.wait != nil || !$0.isOfApp }
    let places = system.indices.filter { system[$0].wait != nil }
    // A thread that computes may have come through a function that waits now and then. Above a wait for a message stand
    // the kernel's own calls.
    let calls = system.prefix { $0.name.hasPrefix("mach_msg") }.count
    guard let innermost = places.first, innermost - calls < 3, let last = places.last,
      let telling = ThreadWait.allCases.first(where: system.compactMap(\.wait).contains)
    else { return nil }

    let callers = frames[(last + 1)...].drop(while: \.isNamelessOfApple)
    return ("\(telling.words) (\(frames[innermost].name))", Array(callers))
  }

  /// The same of a thread whose run loop waits: that of the app, or another one within it.
  private static func waitForEvents(
    in frames: [ReportFrame]
  ) -> (words: String, callers: [ReportFrame])? {
    guard
      let loop = frames.prefix(6).firstIndex(where: { $0.name.contains("CFRunLoopServiceMachPort") }
      )
    else { return nil }
    let callers = frames[loop...].drop { frame in
      loops.contains { frame.name.drop { $0 == "_" }.hasPrefix($0) }
    }
    let isMain = frames[..<callers.startIndex].contains { $0.name == "UIApplicationMain" }
    if isMain, callers.allSatisfy({ $0.isEntry || $0.isOfApple }) {
      return ("\(ThreadWait.events.words) (\(frames[loop].name))", Array(callers))
    }
    // A main loop of another kind, as an extension has it, runs below no code of the app.
    let isOfExtension = callers.contains {
      $0.name == "xpc_main" || $0.name.hasSuffix("ExtensionMain")
    }
    guard !isOfExtension, callers.contains(where: \.isKnownOfApp) else { return nil }
    return ("\(ThreadWait.runLoop.words) (\(frames[loop].name))", Array(callers))
  }

  /// How the functions of a run loop begin, down to that of the app.
  private static let loops = [
    "CFRunLoop", "GSEventRunModal", "-[NSRunL", "-[UIApplication _run]", "UIApplicationMain",
  ]
}
