/// The namespaces of the kernel's exit reasons, by their numbers, and jetsam's codes.
package enum ExitNamespace {
  private static let names: [UInt64: String] = [
    1: "JETSAM", 2: "SIGNAL", 3: "CODESIGNING", 4: "HANGTRACER", 6: "DYLD", 7: "LIBXPC", 8: "OBJC",
    9: "EXEC", 10: "FRONTBOARD", 11: "TCC", 12: "REPORTCRASH", 13: "COREANIMATION",
    15: "RUNNINGBOARD", 18: "LIBSYSTEM", 20: "WATCHDOG", 21: "METAL", 22: "WATCHKIT", 23: "GUARD",
    25: "SANDBOX", 26: "SECURITY", 27: "ENDPOINTSECURITY", 28: "PAC_EXCEPTION", 30: "PORT_SPACE",
    31: "WEBKIT", 33: "MEDIA", 46: "POWEREXCEPTIONS",
  ]

  private static let jetsamReasons = [
    "", "jettisoned", "highwater", "vnode-limit", "vm-pageshortage", "proc-thrashing",
    "fc-thrashing", "per-process-limit", "disk-space-shortage", "idle-exit",
    "zone-map-exhaustion", "vm-compressor-thrashing", "vm-compressor-space-shortage", "low-swap",
    "sustained-memory-pressure",
  ]

  /// The word for a namespace; the number where none is known.
  package static func name(_ number: UInt64) -> String { names[number] ?? String(number) }

  /// The number of a namespace; `nil` for a word that is none.
  package static func number(named name: String) -> UInt64? {
    names.first { $0.value == name }?.key
  }

  /// The names that systems had before.
  private static let formerNames: Set = ["SPRINGBOARD", "ASSERTIOND"]

  /// Whether a name is that of a namespace.
  package static func isKnown(_ name: String) -> Bool {
    formerNames.contains(name) || names.values.contains(name)
  }

  /// Whether a text is like the name of a namespace: in capitals.
  package static func isName(_ text: String) -> Bool {
    let isWord = text.utf8.allSatisfy { (0x41...0x5a).contains($0) || $0 == 0x5f }
    return isWord && (3...32).contains(text.utf8.count)
  }

  /// Why jetsam ends a process, in the words of its reports; `nil` for a code without a word.
  package static func jetsamReason(_ code: UInt64) -> String? {
    code > 0 && code < jetsamReasons.count ? jetsamReasons[Int(code)] : nil
  }

  /// The code of one of jetsam's words; `nil` for other words.
  package static func jetsamCode(_ reason: String) -> UInt64? {
    reason.isEmpty ? nil : jetsamReasons.firstIndex(of: reason).map(UInt64.init)
  }
}
