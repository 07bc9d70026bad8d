import Testing
import Traces

@testable import LifecycleModel

/// What events are about, and how it is written.
@Suite struct SubjectTests {
  @Test(arguments: 0..<3) func whatIsPrintedIsRead(seed: UInt64) {
    print("seed \(seed)")
    var random = SeededGenerator(seed: seed)
    for kind in Subject.Kind.allCases {
      for number in [0, 1, .max]
        + (0..<40).map({ _ in UInt32.random(in: 0 ... .max, using: &random) })
      {
        let subject = Subject(kind).isNumbered ? Subject(kind, number) : Subject(kind)
        #expect(Subject(subject.description) == subject)
      }
    }
  }

  @Test func onlySubjectsAreRead() {
    for text in [
      "App", "apps", "ap", "Nil", "ni", "scene", "scene:", "scene:-1", "scene:+1", "scene: 1",
      "scene:1x", "scene:0x1", "scene:4294967296", "scene:99999999999999999999", "sessions:1",
      "task:",
      "tasks:1", "view:1", " app", "app ", "scene:١",
    ] { #expect(Subject(text) == nil, "\(text)") }
    #expect(Subject("")?.kind == Subject.Kind.none)
    #expect(Subject("task:007") == .task(7))
  }

  @Test func keysTellSubjectsApart() {
    let subjects: [Subject] =
      [.none, .app, .nil]
      + [0, 1, .max].flatMap { [Subject.scene($0), .session($0), .task($0)] }
    #expect(Set(subjects.map(\.key)).count == subjects.count)
  }

  @Test func anEventHoldsItsSubjectAndValue() {
    var event = Event(instant: .origin, writer: .main, verb: .note, subject: .scene(3), value: 0)
    #expect(event.subject == .scene(3) && event.value == 0 && event.hasValue)
    event.subject = .task(.max)
    event.value = nil
    #expect(event.subject == .task(.max) && event.value == nil && event.rawValue == 0)
    event.value = .min
    #expect(event.value == .min)
  }
}
