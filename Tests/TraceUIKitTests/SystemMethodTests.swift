import AppLifecycle
import Foundation
import LifecycleModel
import TraceLog
import TraceRecorder
import TraceText
import Testing
import UIKitStub

@testable import TraceUIKit

/// What is stated of methods of the system's classes that the app calls: the scheduler's, timers', sessions'.
@MainActor
@Suite(.serialized)
struct SystemMethodTests {
  /// What an app that runs for a second has said by verb, name, label and attributes, of some verbs.
  private func said(
    _ verbs: Set<Verb>, _ alter: (inout LifeBench) -> Void = { _ in },
    _ body: @escaping @MainActor (StubSystem) -> Void
  ) throws -> [String] {
    var bench = LifeBench(.scene, seed: 0)
    let system = Box<StubSystem?>(nil)
    bench.alter = { _, made in system.value = made }
    alter(&bench)
    let trace = try bench.recorded { driver in
      driver.launch()
      driver.application?.async("app") { if let system = system.value { body(system) } }
      driver.run(for: 1)
      driver.goHome()
      driver.run(for: 1)
    }

    return trace.events.filter { verbs.contains($0.verb) }.map { event in
      let vocabulary = trace.vocabulary
      let words = [
        event.verb.word ?? "", vocabulary.text(event.name), vocabulary.text(event.label),
        event.subject.kind == .task ? event.subject.description : "",
      ]
      let attributes = vocabulary.attributes(event.attributes).map { "\($0.key)=\($0.value)" }
      return (words + attributes).filter { !$0.isEmpty }.joined(separator: " ")
    }
  }

  // MARK: BGTaskScheduler

  private static let bgtasks: Set<Verb> = [
    .bgtaskRegister, .bgtaskLaunch, .bgtaskComplete, .bgtaskExpire,
  ]

  @Test func aTaskIsToldFromItsRegistrationToItsCompletion() throws {
    let said = try said(Self.bgtasks) { system in
      let scheduler = system.scheduler
      scheduler.register(forTaskWithIdentifier: "export", kind: .continued) {
        $0.setTaskCompleted(success: true)
      }
      system.app?.submit(continuedTaskWithIdentifier: "export")
    }

    #expect(
      said == [
        "bgtask.register refresh", "bgtask.register cleanup", "bgtask.register export",
        "bgtask.launch export kind=continued", "bgtask.complete export",
      ])
  }

  /// Else it would look as if the app never completed it.
  @Test func aTaskWhoseCompletionCannotBeSeenIsNotToldOf() throws {
    let alter: (inout LifeBench) -> Void = { bench in
      let kept = bench.alter
      bench.alter = { process, system in
        kept(&process, system)
        system.runtime.unwatchable = ["setTaskCompletedWithSuccess:"]
      }
    }

    let said = try said(Self.bgtasks, alter) { system in
      system.scheduler.register(forTaskWithIdentifier: "export", kind: .continued) {
        $0.setTaskCompleted(success: true)
      }
      system.app?.submit(continuedTaskWithIdentifier: "export")
    }
    #expect(said.allSatisfy { $0.hasPrefix("bgtask.register") })
    #expect(said.count == 3)
  }

  @Test func aRequestIsTakenOrRefused() throws {
    let said = try said([.note]) { system in
      system.scheduler.permitted = ["refresh"]
      system.scheduler.submit(BGTaskRequest("refresh"))
      system.scheduler.submit(BGTaskRequest("unknown"))
    }
    #expect(
      said == [
        "note BGTaskScheduler: refresh submitted", "note BGTaskScheduler: unknown refused",
      ])
  }

  // MARK: Background sessions

  private final class Transfers: NSObject {}

  @Test func theEndOfABackgroundSessionsEventsIsTold() throws {
    let said = try said([.note]) { system in
      let runtime = system.runtime
      runtime.implement(Transfers.self, ["URLSessionDidFinishEventsForBackgroundURLSession:"])
      let transfers = Transfers()
      for identifier in ["uploads", nil] {
        URLSession.make(runtime, URLSessionConfiguration(identifier), transfers)
          .finishEvents(runtime)
      }
      URLSession.make(runtime, URLSessionConfiguration("deaf"), NSObject()).finishEvents(runtime)
    }
    // A session without an identifier is none in the background; the system never tells it so.
    #expect(said.first == "note urlSessionDidFinishEvents: uploads")

    #expect(!said.contains { $0.hasSuffix("deaf") })
  }

  // MARK: Timers

  private final class Poller: NSObject {}

  /// A class of the system's, which has timers of its own.
  private final class SystemClock: NSObject {}

  private func timers(_ system: StubSystem) {
    let runtime = system.runtime
    runtime.implement(SystemClock.self, ["tick:"])
    runtime.implement(Poller.self, ["tick:", "step:", "poll"])
    let poller = Poller()

    StubTimer.scheduled(runtime) {}.fire()
    let target = "timerWithTimeInterval:target:selector:userInfo:repeats:"
    let ticking = StubTimer.calling(runtime, target, poller, "tick:")
    ticking.fire()
    ticking.fire()
    StubTimer.calling(runtime, target, SystemClock(), "tick:").fire()
    StubTimer.calling(runtime, "displayLinkWithTarget:selector:", poller, "step:").fire()
    StubTimer.calling(runtime, target, poller, "poll").fire()
  }

  @Test func onRequestATimerThatFiresIsWork() throws {
    let said = try said([.work], { $0.options.watchesTimers = true }) { timers($0) }
    #expect(
      said == [
        "work timer block", "work timer Poller.tick:", "work timer Poller.tick:",
        "work timer Poller.step:",
      ])
    #expect(try self.said([.work]) { timers($0) } == [])
  }

  private class Ticker: NSObject {}
  private final class Heart: Ticker {}
  private final class Metronome: Ticker {}

  /// The runtime has one method, and one token, for all heirs.
  @Test func classesThatShareAMethodKeepTheirTimers() throws {
    let said = try said([.work], { $0.options.watchesTimers = true }) { system in
      let runtime = system.runtime
      let target = "timerWithTimeInterval:target:selector:userInfo:repeats:"

      runtime.inherit("tick:", Heart.self, from: Ticker.self)
      runtime.inherit("tick:", Metronome.self, from: Ticker.self)
      for object in [Heart(), Metronome(), Heart()] {
        StubTimer.calling(runtime, target, object, "tick:").fire()
      }
    }
    #expect(
      said == ["work timer Heart.tick:", "work timer Metronome.tick:", "work timer Heart.tick:"])
  }

  /// Delegates come late, and need places, too.
  @Test func aMethodForWhichNoPlaceIsFreeIsMissed() throws {
    let alter: (inout LifeBench) -> Void = { bench in
      bench.options.watchesTimers = true
      let kept = bench.alter
      bench.alter = { process, system in
        kept(&process, system)
        process.runtime.room = { _ in 32 }
      }
    }

    let said = try said([.work, .profile], alter) { timers($0) }
    #expect(said.filter { $0.hasPrefix("work") } == ["work timer block"])
    #expect(said.last?.contains("missed=step:,tick:") == true, "\(said)")
  }

  @Test func aTimerThatOneMethodMakesByAnotherFiresOnce() throws {
    let said = try said([.work], { $0.options.watchesTimers = true }) { system in
      StubTimer.scheduledByAnother(system.runtime) {}.fire()
    }
    #expect(said == ["work timer block"])
  }

  @Test func timersAreAPartOfWork() throws {
    let said = try said([.profile], { $0.options.watchesTimers = true }) { _ in }
    #expect(said.last?.contains("work") == true)
    #expect(said.last?.contains("partial=work") == true)
  }

  // MARK: Observers

  private final class Archiver: NSObject {}

  private func observers(_ system: StubSystem) {
    let name = UIApplication.willResignActiveNotification
    system.runtime.implement(Archiver.self, ["save:", "archive"])
    let archiver = Archiver()
    system.addObserver(archiver, "save:", name) {}
    system.addObserver(archiver, "archive", name) {}
    system.addObserver(name) {}
    system.addObserver(Notification.Name("NotesDidChange")) {}
    system.center.post(name: Notification.Name("NotesDidChange"), object: nil)
  }

  @Test func classesThatShareAMethodAreObserversOfTheirOwn() throws {
    let said = try said([.observe], { $0.options.watchesObservers = true }) { system in
      for object in [Heart(), Metronome()] {
        system.runtime.inherit("pause:", type(of: object), from: Ticker.self)
        system.addObserver(object, "pause:", UIApplication.willResignActiveNotification) {}
      }
    }

    let isOrdered = Self.isCenterOrdered
    #expect(said.contains { $0.hasSuffix(" others") } == isOrdered)
    let name = LifecycleNotification.applicationWillResignActive.rawValue
    let own = said.filter { $0.hasSuffix("pause:") }
    let wanted = ["observe \(name) Heart.pause:", "observe \(name) Metronome.pause:"]
    #expect(own == (isOrdered ? wanted : []))
  }

  @Test func onRequestAnObserverIsToldByName() throws {
    let verbs: Set<Verb> = [.observe, .observed]
    let said = try said(verbs, { $0.options.watchesObservers = true }) { observers($0) }
    let name = LifecycleNotification.applicationWillResignActive.rawValue
    let own = said.filter { !$0.hasSuffix(" others") }
    // The app's own three come first.
    #expect(own.contains("observe \(name) block 4") && own.contains("observed \(name) block 4"))
    #expect(!own.contains { $0.contains("NotesDidChange") || $0.hasSuffix("block 5") })

    // Methods are known by what is posted, which is known where the center calls in order.
    let isOrdered = Self.isCenterOrdered
    #expect(said.contains { $0.hasSuffix(" others") } == isOrdered)
    #expect(own.contains("observe \(name) Archiver.save:") == isOrdered)
    #expect(own.contains("observed \(name) Archiver.archive") == isOrdered)
    let others = try self.said(verbs) { observers($0) }
    #expect(others.allSatisfy { $0.hasSuffix(" others") } && others.isEmpty != isOrdered)
  }

  @Test func theOrderOfACenterIsTriedOut() {
    #expect(NotificationWatch.callsInOrderOfAdding(NotificationCenter()) == Self.isCenterOrdered)
  }

  /// Whether this system's centers call in the order of adding, found out without what is tested here.
  private static let isCenterOrdered: Bool = {
    let center = NotificationCenter()
    let name = Notification.Name("order")
    nonisolated(unsafe) var called: [Int] = []
    func add(_ number: Int) -> any NSObjectProtocol {
      center.addObserver(forName: name, object: nil, queue: nil) { _ in called.append(number) }
    }

    let tokens = (0..<20).map(add)
    for number in 5..<10 { center.removeObserver(tokens[number]) }
    let later = (20..<25).map(add)
    center.post(name: name, object: nil)
    withExtendedLifetime(later) {}
    return called == Array(0..<5) + Array(10..<25)
  }()

  // MARK: Who calls

  /// A delegate that observes with its own method gets a notification, and UIKit has not called it.
  @Test func aDelegatesMethodThatObservesIsNoCall() throws {
    let said = try said([.call]) { system in
      guard let delegate = system.app?.delegate else { return }
      system.addObserver(
        delegate, "applicationDidBecomeActive:", Notification.Name("NotesDidChange")
      ) {}
      system.center.post(name: Notification.Name("NotesDidChange"), object: nil)
    }
    let calls = said.filter { $0 == "call applicationDidBecomeActive" }
    #expect(calls.count <= 1)
  }

  /// An app may begin and end tasks on any thread; UIKit calls delegates on the main one.
  @Test func onOtherThreadsTasksAreWatchedAndDelegatesAreNot() throws {
    let alter: (inout LifeBench) -> Void = { bench in
      let kept = bench.alter
      bench.alter = { process, system in
        kept(&process, system)
        process.isMain = { Thread.isMainThread }
      }
    }
    nonisolated(unsafe) var taken: [Bool] = []
    _ = try said([.taskBegin], alter) { _ in
      guard let tracing = LifecycleTracing.current else { return }
      let isDone = DispatchSemaphore(value: 0)
      Thread {
        for token in [TaskWatch.Method.beginNamed.rawValue, DelegateMethod.application[2].token] {
          taken.append(
            [UInt](repeating: 0, count: 4).withUnsafeBufferPointer { words in
              words.baseAddress.map {
                tracing.entered(HookedCall(token: token, number: 1_000, nil, $0))
              } ?? false
            })
        }
        isDone.signal()
      }.start()
      isDone.wait()
    }

    #expect(taken == [true, false])
  }

  /// An app that ships the library can switch the hooks off without new code.
  @Test func thePropertyListForbidsHooks() throws {
    let alter: (inout LifeBench) -> Void = { bench in
      let kept = bench.alter
      bench.alter = { process, system in
        kept(&process, system)
        process.information["TracectlWatchesDelegates"] = false
      }
    }
    #expect(try said([.call, .taskBegin, .bgtaskRegister], alter) { _ in } == [])
    #expect(try !said([.notify], alter) { _ in }.isEmpty)
  }
}
