import Foundation

/// What the stub needs of an Objective-C runtime.
///
/// It knows which methods classes have, which ones are watched, and who is told of their calls. Arguments
/// are words, as the C layer has them.
@MainActor
package final class StubRuntime {
  /// Who is told: of calls by token, number, receiver and arguments, of blocks by token, number and argument.
  package struct Listener {
    package typealias Call = (
      token: UInt32, number: UInt64, receiver: UnsafeRawPointer, words: UnsafePointer<UInt>
    )

    package var entered: (Call) -> Bool
    package var left: (Call, UInt) -> Void
    package var blockEntered: @Sendable (UInt32, UInt64, UInt) -> Void
    package var blockLeft: @Sendable (UInt32, UInt64, UInt) -> Void

    package init(
      entered: @escaping (Call) -> Bool, left: @escaping (Call, UInt) -> Void,
      blockEntered: @escaping @Sendable (UInt32, UInt64, UInt) -> Void,
      blockLeft: @escaping @Sendable (UInt32, UInt64, UInt) -> Void
    ) {
      (self.entered, self.left) = (entered, left)
      (self.blockEntered, self.blockLeft) = (blockEntered, blockLeft)
    }
  }

  /// A block that takes an object, or nothing.
  package typealias Block = @MainActor @Sendable (AnyObject?) -> Void

  private struct Method: Hashable {
    let cls: UnsafeRawPointer
    let selector: String
  }

  package var listener: Listener?
  /// Methods whose call the runtime cannot watch: those with an argument that is no word.
  package var unwatchable: Set<String> = []
  private var implemented: Set<Method> = []
  private var watched: [Method: (token: UInt32, block: UInt32)] = [:]
  private var number: UInt64 = 0
  /// The methods that classes inherit.
  private var inherited: [Method: Method] = [:]
  private var places: [Method: UInt] = [:]

  package init() {}

  /// Says that a class has a method of another one's.
  package func inherit(_ selector: String, _ heir: AnyClass, from cls: AnyClass) {
    implement(cls, [selector])
    let own = Method(cls: StubRuntime.pointer(heir), selector: selector)
    inherited[own] = Method(cls: StubRuntime.pointer(cls), selector: selector)
  }

  /// The method that a class has, where it is declared.
  private func method(_ cls: UnsafeRawPointer, _ selector: String) -> Method {
    let own = Method(cls: cls, selector: selector)
    return inherited[own] ?? own
  }

  /// What tells the method from all others; `nil` where there is none.
  package func method(of cls: UnsafeRawPointer, _ selector: String) -> UnsafeRawPointer? {
    guard has(cls, selector) else { return nil }
    let method = method(cls, selector)
    let place = places[method] ?? UInt(places.count + 1) * 8
    places[method] = place
    return UnsafeRawPointer(bitPattern: place)
  }

  /// Says which methods a class has.
  package func implement(_ cls: AnyClass, _ selectors: some Sequence<String>) {
    for selector in selectors {
      implemented.insert(Method(cls: StubRuntime.pointer(cls), selector: selector))
    }
  }

  /// The class as the runtime sees it.
  package nonisolated static func pointer(_ cls: AnyClass) -> UnsafeRawPointer {
    unsafeBitCast(cls, to: UnsafeRawPointer.self)
  }

  /// Whether the class has the method.
  package func has(_ cls: UnsafeRawPointer?, _ selector: String) -> Bool {
    guard let cls else { return false }
    return implemented.contains(method(cls, selector))
  }

  func has(_ selector: String, of object: AnyObject) -> Bool {
    has(StubRuntime.pointer(type(of: object)), selector)
  }

  /// Watches a method that is there; false for one that cannot be watched, or is under another token.
  package func watch(
    _ cls: UnsafeRawPointer, _ selector: String, _ token: UInt32, _ block: UInt32
  ) -> Bool {
    guard !unwatchable.contains(selector) else { return false }
    let method = method(cls, selector)
    if let (taken, _) = watched[method] { return taken == token }
    watched[method] = (token, block)
    return true
  }

  // MARK: Calls

  /// Sends a message whose last argument may be a handler; `body` is the method, and gets the handler that it
  /// is to run.
  @discardableResult
  func send<Result>(
    _ selector: String, to receiver: AnyObject, _ arguments: [AnyObject?],
    handler: (@MainActor @Sendable () -> Void)? = nil,
    _ body: ((@MainActor @Sendable () -> Void)?) -> Result
  ) -> Result {
    var block: Block?
    if let handler { block = { _ in handler() } }
    return send(selector, to: receiver, arguments, block: block) { told in
      guard let told else { return body(nil) }
      return body { told(nil) }
    }
  }

  /// Sends a message whose last argument may be a block; to a class with `makes`.
  @discardableResult
  func send<Result>(
    _ selector: String, to receiver: AnyObject, makes cls: AnyClass? = nil,
    _ arguments: [AnyObject?], block: Block?, _ body: (Block?) -> Result
  ) -> Result {
    let words = arguments.map(StubRuntime.word(of:)) + [block == nil ? 0 : 1]
    return withExtendedLifetime(arguments) {
      send(selector, receiver, cls ?? type(of: receiver), words, block, body)
    }
  }

  /// Sends a message with one number.
  func send(_ selector: String, to receiver: AnyObject, number: Int, _ body: () -> Void) {
    send(selector, receiver, type(of: receiver), [UInt(bitPattern: number)], nil) { _ in body() }
  }

  private func send<Result>(
    _ selector: String, _ receiver: AnyObject, _ cls: AnyClass, _ words: [UInt],
    _ block: Block?, _ body: (Block?) -> Result
  ) -> Result {
    let method = method(StubRuntime.pointer(cls), selector)
    guard implemented.contains(method), let (token, place) = watched[method], let listener,
      let object = UnsafeRawPointer(bitPattern: StubRuntime.word(of: receiver))
    else { return body(block) }

    number += 1
    let number = number
    return words.withUnsafeBufferPointer { words in
      guard let words = words.baseAddress else { return body(block) }
      let call = (token, number, object, words)
      var told = block
      if listener.entered(call), place > 0, let block {
        told = { argument in
          listener.blockEntered(token, number, StubRuntime.word(of: argument))
          block(argument)
          listener.blockLeft(token, number, StubRuntime.word(of: argument))
        }
      }

      let result = body(told)
      listener.left(call, StubRuntime.word(result))
      return result
    }
  }

  nonisolated private static func word(of object: AnyObject?) -> UInt {
    object.map { UInt(bitPattern: Unmanaged.passUnretained($0).toOpaque()) } ?? 0
  }

  private static func word(_ result: Any) -> UInt {
    switch result {
    case let identifier as UIBackgroundTaskIdentifier: UInt(bitPattern: identifier.rawValue)
    case let isTrue as Bool: isTrue ? 1 : 0
    case let object as UISceneConfiguration: word(of: object)
    case let object as StubTimer: word(of: object)
    default: 0
    }
  }
}
