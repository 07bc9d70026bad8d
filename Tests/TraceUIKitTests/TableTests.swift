import Foundation
import LifecycleModel
import TraceRecorder
import Testing

@testable import TraceUIKit

/// What the adapter keeps of the app's tasks and objects ends with them.
@Suite struct TableTests {
  @Test func tasksThatHaveEndedAreForgotten() {
    let watch = TaskWatch(.off)
    let open = watch.begins("open", hasHandler: false)
    watch.began(open, as: 5_000)
    for identifier in 1...1_000 {
      watch.began(watch.begins("save", hasHandler: false), as: identifier)
      watch.ends(identifier)
      watch.ends(identifier)
    }
    #expect(watch.known.identifiers == TaskWatch.mostEnded + 1)
  }

  @Test func theCallsThatBeganThemAreForgottenToo() {
    let watch = TaskWatch(.off)
    let words: [UInt] = [1, 0, 0, 0]
    for identifier in 1...1_000 as ClosedRange<UInt> {
      words.withUnsafeBufferPointer { words in
        guard let words = words.baseAddress else { return }
        let token = TaskWatch.Method.begin.rawValue
        let call = HookedCall(token: token, number: UInt64(identifier), nil, words)

        #expect(watch.entered(call))
        // Each second one is not granted.
        watch.left(call, result: identifier % 2 == 0 ? identifier : 0)
        watch.ends(Int(identifier))
      }
    }
    #expect(watch.known == (TaskWatch.mostEnded, TaskWatch.mostEnded))
  }

  // MARK: Who is told

  private final class Listener: HookListener {
    func entered(_ call: HookedCall) -> Bool { false }
    func left(_ call: HookedCall, result: UInt) {}
    func blockEntered(_ block: HookedBlock) {}
    func blockLeft(_ block: HookedBlock) {}
  }

  /// A thread may be in a call when tracing ends, and begins again.
  @Test func otherThreadsMayCallWhileTheListenerChanges() {
    DispatchQueue.concurrentPerform(iterations: 4) { thread in
      for round in 0..<500 {
        if thread == 0 { HookTelling.tell(round % 2 == 0 ? Listener() : nil) }
        HookTelling.listener?.blockLeft(HookedBlock(token: 1, number: 1, argument: 0))
      }
    }

    let last = Listener()
    HookTelling.tell(last)
    #expect(HookTelling.listener === last)
    HookTelling.tell(nil)
    #expect(HookTelling.listener == nil)
  }

  // MARK: Objects

  private final class Thing {}

  @Test func anObjectIsKnownAsLongAsItLives() {
    let objects = LivingObjects<Int>()
    func place(_ thing: Thing) -> UInt {
      UInt(bitPattern: Unmanaged.passUnretained(thing).toOpaque())
    }
    let first = Thing()
    objects.keep(1, for: first)
    var second: Thing? = Thing()
    let gone = second.map(place) ?? 0
    if let second { objects.keep(2, for: second) }
    #expect(objects.value(at: place(first)) { $0 += 10 } == 11)
    #expect(objects.value(at: gone) == 2)

    second = nil
    #expect(objects.value(at: gone) == nil)
    #expect(objects.value(at: place(first)) == 11)
    objects.keep(3, for: first)
    #expect(objects.count == 1)
  }
}
