/// The exceptions of Mach, by their numbers from 1.
enum MachException {
  static let names = [
    "EXC_BAD_ACCESS", "EXC_BAD_INSTRUCTION", "EXC_ARITHMETIC", "EXC_EMULATION", "EXC_SOFTWARE",
    "EXC_BREAKPOINT", "EXC_SYSCALL", "EXC_MACH_SYSCALL", "EXC_RPC_ALERT", "EXC_CRASH",
    "EXC_RESOURCE", "EXC_GUARD", "EXC_CORPSE_NOTIFY",
  ]

  /// Those that a thread brings about by what it does.
  static let faults = ["EXC_BAD_ACCESS", "EXC_BAD_INSTRUCTION", "EXC_BREAKPOINT", "EXC_ARITHMETIC"]
  /// Those that end a process.
  static let fatal = faults + ["EXC_CRASH", "EXC_GUARD"]

  /// The end that an exception is, where nothing else is said of it.
  static func end(_ number: String) -> Termination {
    let name = Int(number).flatMap { names.indices.contains($0 - 1) ? names[$0 - 1] : nil }
    return .signal(nil, reason: name ?? "Mach exception \(number.prefix(16))")
  }

  /// The end that an exception is for which no signal is named, with what the kernel says of it.
  static func end(named name: String, _ words: String?) -> Termination {
    name == "EXC_GUARD"
      ? .killed("GUARD", reason: words)
      : .signal(nil, reason: [name, words].compactMap(\.self).joined(separator: " "))
  }
}
