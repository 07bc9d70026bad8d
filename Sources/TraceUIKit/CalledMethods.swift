#if canImport(UIKit) && !os(watchOS)
  import Platform

  /// Methods of the app's that somebody is to call by target and selector: each one has a token.
  ///
  /// Classes that inherit a method share it, and its token; by the receiver it is known whose call it is. Any
  /// thread may ask. To watch a method may run code of the app, so no lock is held meanwhile.
  final class CalledMethods: Sendable {
    /// A method as a class has it.
    private struct Called: Hashable {
      let token: UInt32
      let cls: UnsafeRawPointer
    }

    private struct Known {
      /// The tokens of methods.
      var tokens: [UnsafeRawPointer: UInt32] = [:]
      var labels: [Called: String] = [:]
      /// What a method is called with a receiver of a class that is not known, by its token.
      var first: [String] = []
      var missed: Set<String> = []
    }

    /// So many places for methods with as many arguments are left for delegates, which come late in part: more
    /// than their methods with one argument.
    private static let reserve = 32

    private let tokens: Range<UInt32>
    private let runtime: HookRuntime
    private let known = Lock(Known())
    /// The selectors of the app's methods that could not be watched.
    var missed: Set<String> { known.withLock { $0.missed } }

    /// Methods that get these tokens.
    init(_ tokens: Range<UInt32>, _ runtime: HookRuntime) {
      (self.tokens, self.runtime) = (tokens, runtime)
    }

    /// Watches the method of a target's class; its token, and `nil` where it cannot be watched, or is none of the
    /// app's: the system has timers and observers, too.
    func watch(_ cls: UnsafeRawPointer, _ selector: String) -> UInt32? {
      guard let method = runtime.methodOf(cls, selector), runtime.isAppsMethod(cls, selector) else {
        return nil
      }
      let label = "\(runtime.nameOf(cls)).\(selector)"
      guard let (token, isNew) = reserve(method, cls, label) else { return missed(selector) }
      guard isNew else { return token }

      let arguments = selector.utf8.count { $0 == UInt8(ascii: ":") }
      guard runtime.room(arguments) > CalledMethods.reserve,
        runtime.watch(cls, selector, token, 0) == .watched
      else { return missed(selector) }
      return token
    }

    /// A method's token, and whether it has just got it; `nil` when all are taken.
    private func reserve(
      _ method: UnsafeRawPointer, _ cls: UnsafeRawPointer, _ label: String
    ) -> (token: UInt32, isNew: Bool)? {
      known.withLock { known in
        if let token = known.tokens[method] {
          known.labels[Called(token: token, cls: cls)] = label
          return (token, false)
        }
        let token = tokens.lowerBound + UInt32(known.first.count)
        guard tokens.contains(token) else { return nil }

        known.tokens[method] = token
        known.labels[Called(token: token, cls: cls)] = label
        known.first.append(label)
        return (token, true)
      }
    }

    private func missed(_ selector: String) -> UInt32? {
      known.withLock { _ = $0.missed.insert(selector) }
      return nil
    }

    /// What the method that is called is called in a trace.
    func label(_ call: HookedCall) -> String {
      let cls = call.target.flatMap(runtime.classOf)
      return known.withLock { known in
        cls.flatMap { known.labels[Called(token: call.token, cls: $0)] }
          ?? known.first[Int(call.token - tokens.lowerBound)]
      }
    }
  }
#endif
