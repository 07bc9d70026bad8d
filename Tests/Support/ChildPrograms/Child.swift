import Platform

/// Processes that this one starts and waits for.
package enum Child {
  /// Starts a program whose output and errors go into files.
  package static func start(_ words: [String], output: String, errors: String) throws -> pid_t {
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    for (descriptor, path) in [(STDOUT_FILENO, output), (STDERR_FILENO, errors)] {
      posix_spawn_file_actions_addopen(
        &actions, descriptor, path, O_WRONLY | O_CREAT | O_TRUNC, 0o600)
    }

    var process: pid_t = 0
    var arguments: [UnsafeMutablePointer<CChar>?] = words.map { strdup($0) } + [nil]
    defer { for word in arguments { free(word) } }
    guard posix_spawn(&process, words[0], &actions, nil, &arguments, environ) == 0 else {
      throw Failure("\(words[0]): cannot be started")
    }
    return process
  }

  /// Waits for a process, or for any; its status is 128 and the signal that ended it, as a shell says it.
  package static func wait(_ process: pid_t = -1) -> (process: pid_t, status: Int32) {
    var status: Int32 = 0
    var ended = waitpid(process, &status, 0)
    while ended < 0, errno == EINTR { ended = waitpid(process, &status, 0) }
    let signal = status & 0x7f
    return (ended, signal == 0 ? status >> 8 & 0xff : 128 + signal)
  }
}

/// What ends the program, in words.
package struct Failure: Error, CustomStringConvertible {
  package let description: String

  package init(_ description: String) { self.description = description }
}
