import LifecycleModel
import Testing

@testable import TraceText

struct NearestWordTests {
  private let known = ["task-count", "task-leak-at-suspend", "lost-events", "info", "off"]

  @Test(arguments: [
    ("lost-event", "lost-events"), ("tsak-count", "task-count"), ("inf", "info"),
    // A word is often known by its beginning, or by a part.
    ("task-leak", "task-leak-at-suspend"), ("leak", "task-leak-at-suspend"), ("task", "task-count"),
  ])
  func isTheWordThatWasMeant(word: String, meant: String) {
    #expect(NearestWord.of(word, in: known) == meant)
  }

  @Test(arguments: ["", "no", "x", "gibberish"])
  func isNoneWhenNothingIsNear(word: String) {
    #expect(NearestWord.of(word, in: known) == nil)
  }
}
