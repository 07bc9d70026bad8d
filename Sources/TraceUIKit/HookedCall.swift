#if canImport(UIKit) && !os(watchOS)
  import Foundation

  /// A call that is watched, while it is open: its arguments are words, as the C layer has them.
  struct HookedCall {
    /// What the method is watched under.
    let token: UInt32
    /// Tells the calls of a process apart.
    let number: UInt64
    private let words: UnsafePointer<UInt>

    /// The call with these arguments, which live as long as it is open.
    init(token: UInt32, number: UInt64, _ words: UnsafePointer<UInt>) {
      (self.token, self.number, self.words) = (token, number, words)
    }

    /// The argument at a place, from 1, as a number.
    func word(_ place: Int) -> UInt { words[place - 1] }

    /// The argument at a place, from 1, as an object; `nil` where none was given.
    func object(_ place: Int) -> AnyObject? { HookedCall.object(words[place - 1]) }

    /// The object that a word stands for.
    static func object(_ word: UInt) -> AnyObject? {
      UnsafeRawPointer(bitPattern: word).map {
        Unmanaged<AnyObject>.fromOpaque($0).takeUnretainedValue()
      }
    }
  }

  /// Who is told of calls that are watched.
  protocol HookListener: AnyObject, Sendable {
    /// A method is entered, on the main thread.
    @MainActor func entered(_ call: HookedCall)
    /// A method has returned, on the main thread.
    @MainActor func left(_ call: HookedCall, result: UInt)
    /// The block that a call was given runs, on any thread.
    func blockEntered(_ token: UInt32, _ number: UInt64)
    /// That block has run.
    func blockLeft(_ token: UInt32, _ number: UInt64)
  }
#endif
