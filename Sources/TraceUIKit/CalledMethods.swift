#if canImport(UIKit) && !os(watchOS)
  /// Methods of the app's that somebody is to call by target and selector: each one has a token.
  struct CalledMethods {
    /// A method of a class.
    private struct Method: Hashable {
      let cls: UnsafeRawPointer
      let selector: String
    }

    private let tokens: Range<UInt32>
    private var known: [Method: UInt32] = [:]
    private var labels: [String] = []

    /// Methods that get these tokens.
    init(_ tokens: Range<UInt32>) { self.tokens = tokens }

    /// Watches the method of a target's class; its token, and `nil` where it cannot be watched, or is none of the
    /// app's: the system has timers and observers, too.
    mutating func watch(
      _ cls: UnsafeRawPointer, _ selector: String, _ runtime: HookRuntime
    ) -> UInt32? {
      let method = Method(cls: cls, selector: selector)
      if let token = known[method] { return token }
      let token = tokens.lowerBound + UInt32(labels.count)
      guard tokens.contains(token), runtime.isAppsMethod(cls, selector),
        runtime.watch(cls, selector, token, 0) == .watched
      else {
        return nil
      }

      known[method] = token
      labels.append("\(runtime.nameOf(cls)).\(selector)")
      return token
    }

    /// What the method of a token is called in a trace.
    func label(_ token: UInt32) -> String { labels[Int(token - tokens.lowerBound)] }
  }
#endif
