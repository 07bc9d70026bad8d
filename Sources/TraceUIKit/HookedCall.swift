#if canImport(UIKit) && !os(watchOS)
  import Foundation

  /// A call that is watched, while it is open: its arguments are words, as the C layer has them.
  struct HookedCall {
    /// What the method is watched under.
    let token: UInt32
    /// Tells the calls of a process apart.
    let number: UInt64
    /// The object that is called.
    let receiver: UnsafeRawPointer?
    private let words: UnsafePointer<UInt>

    /// The call with these arguments, which live as long as it is open.
    init(
      token: UInt32, number: UInt64, _ receiver: UnsafeRawPointer?, _ words: UnsafePointer<UInt>
    ) {
      (self.token, self.number) = (token, number)
      (self.receiver, self.words) = (receiver, words)
    }

    /// The object that is called, as an object.
    var target: AnyObject? { HookedCall.object(UInt(bitPattern: receiver)) }

    /// The argument at a place, from 1, as a number.
    func word(_ place: Int) -> UInt { words[place - 1] }

    /// The argument at a place, from 1, as an object; `nil` where none was given.
    func object(_ place: Int) -> AnyObject? { HookedCall.object(words[place - 1]) }

    /// The argument at a place, from 1, as text; `nil` where none was given.
    func text(_ place: Int) -> String? { (object(place) as? NSString)?.description }

    /// The object that a word stands for.
    static func object(_ word: UInt) -> AnyObject? {
      UnsafeRawPointer(bitPattern: word).map {
        Unmanaged<AnyObject>.fromOpaque($0).takeUnretainedValue()
      }
    }
  }

  /// A block that a watched call was given, while it runs.
  struct HookedBlock {
    /// What the method is watched under.
    let token: UInt32
    /// The call that it was given to.
    let number: UInt64
    /// Its first argument; it means nothing where the block takes none.
    let argument: UInt
  }

  /// Who is told of calls that are watched, on the thread of the call.
  protocol HookListener: AnyObject, Sendable {
    /// A method is entered; true when the run of the block that it is given is to be told.
    func entered(_ call: HookedCall) -> Bool
    /// A method has returned.
    func left(_ call: HookedCall, result: UInt)
    /// The block that a call was given runs.
    func blockEntered(_ block: HookedBlock)
    /// That block has run.
    func blockLeft(_ block: HookedBlock)
  }

  /// A listener to methods that any thread may call; each has tokens of its own.
  protocol MethodWatch: HookListener {
    /// The tokens that its methods are watched under.
    var tokens: Range<UInt32> { get }
  }
#endif
