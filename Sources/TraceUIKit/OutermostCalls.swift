#if canImport(UIKit) && !os(watchOS)
  import Foundation

  /// The calls of some methods that are open, the outermost one of each thread: the system may use one of them
  /// in another, and both are one.
  struct OutermostCalls {
    private var open: [ObjectIdentifier: UInt64] = [:]

    /// A call is entered on this thread; whether it is inside of no other.
    mutating func enter(_ call: HookedCall) -> Bool {
      let thread = ObjectIdentifier(Thread.current)
      guard open[thread] == nil else { return false }
      open[thread] = call.number
      return true
    }

    /// A call has returned; whether it was inside of no other.
    mutating func leave(_ call: HookedCall) -> Bool {
      let thread = ObjectIdentifier(Thread.current)
      guard open[thread] == call.number else { return false }
      open[thread] = nil
      return true
    }
  }
#endif
