#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// A process of this machine, told apart from a later one with the same number by when it began.
package struct RecordingProcess: Hashable, Sendable {
  /// The number that the system gave it.
  package let number: Int32
  /// When it began, in a unit of the system's own; 0 when that is not known.
  package let start: UInt64

  package init(number: Int32, start: UInt64) {
    self.number = number
    self.start = start
  }

  /// The calling process.
  package static var current: RecordingProcess {
    let number = getpid()
    return RecordingProcess(number: number, start: start(of: number) ?? 0)
  }

  /// Whether the process runs on this boot of the machine: one that ended and was not waited for does
  /// not.
  package var isRunning: Bool {
    guard number > 0, let now = RecordingProcess.start(of: number) else { return false }
    return start == 0 || now == 0 || now == start
  }

  #if canImport(Darwin)
    /// When the process with this number began; `nil` when there is none that runs.
    private static func start(of number: Int32) -> UInt64? {
      var name: [Int32] = [CTL_KERN, KERN_PROC, KERN_PROC_PID, number]
      var process = kinfo_proc()
      var size = MemoryLayout<kinfo_proc>.stride
      guard sysctl(&name, UInt32(name.count), &process, &size, nil, 0) == 0, size > 0 else {
        return nil
      }
      let zombie: Int8 = 5
      guard process.kp_proc.p_stat != zombie else { return nil }
      let began = process.kp_proc.p_un.__p_starttime
      return UInt64(began.tv_sec) &* 1_000_000 &+ UInt64(began.tv_usec)
    }
  #else
    /// When the process with this number began; `nil` when there is none that runs.
    private static func start(of number: Int32) -> UInt64? {
      let path = "/proc/\(number)/stat"
      guard let descriptor = try? SystemCalls.openForReading(path) else {
        // Without /proc the number alone has to do.
        let isThere = kill(number, 0) == 0 || errno == EPERM
        return isThere && access("/proc/self/stat", R_OK) != 0 ? 0 : nil
      }
      defer { SystemCalls.closeDescriptor(descriptor) }
      var text = [UInt8](repeating: 0, count: 1024)
      let count = text.withUnsafeMutableBytes {
        (try? SystemCalls.read(descriptor, $0, path)) ?? 0
      }
      // The program's name stands in parentheses, and may hold anything.
      guard let name = text[..<count].lastIndex(of: UInt8(ascii: ")")) else { return nil }
      let fields = text[(name + 1)..<count].split(separator: UInt8(ascii: " "))
      let startField = 19
      guard fields.count > startField, fields[0] != [UInt8(ascii: "Z")][...],
        fields[0] != [UInt8(ascii: "X")][...]
      else { return nil }
      return UInt64(String(decoding: fields[startField], as: UTF8.self)) ?? 0
    }
  #endif
}
