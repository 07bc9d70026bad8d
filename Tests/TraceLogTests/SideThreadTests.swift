import Foundation
import Platform
import Testing

/// A thread beside the caller's.
struct SideThreadTests {
  /// Which of some signals do not come to the thread that asks.
  private static func blocked() -> [Bool] {
    var mask = sigset_t()
    pthread_sigmask(SIG_BLOCK, nil, &mask)
    return [SIGTERM, SIGINT, SIGUSR1, SIGCHLD, SIGSEGV].map { sigismember(&mask, $0) == 1 }
  }

  private final class Seen: @unchecked Sendable {
    // Sound because it is read only once the thread was waited for.
    var blocked: [Bool] = []
  }

  /// A thread that asks first has the mask that it began with.
  @Test func aThreadGetsNoSignalsFromItsBeginning() async {
    let before = SideThreadTests.blocked()
    let blocked = await withCheckedContinuation { (asker: CheckedContinuation<[Bool], Never>) in
      let answer = Unmanaged.passRetained(Asker(asker))
      let code = platform_start_thread_without_signals(
        {
          let answer = Unmanaged<Asker>.fromOpaque($0).takeRetainedValue()
          answer.asker.resume(returning: SideThreadTests.blocked())
        }, answer.toOpaque())
      #expect(code == 0)
    }
    #expect(blocked == [true, true, true, true, false])
    #expect(SideThreadTests.blocked() == before)
  }

  private final class Asker: Sendable {
    let asker: CheckedContinuation<[Bool], Never>
    init(_ asker: CheckedContinuation<[Bool], Never>) { self.asker = asker }
  }

  @Test func itsJobIsDoneWhenItWasWaitedFor() throws {
    let own = SideThreadTests.blocked()[0]
    for getsSignals in [false, true] {
      let seen = Seen()
      let thread = try #require(
        SideThread(getsSignals: getsSignals) { seen.blocked = SideThreadTests.blocked() })
      thread.wait()
      #expect(seen.blocked[0] == (own || !getsSignals))
    }
  }
}
