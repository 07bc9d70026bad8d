import LifecycleModel
import TraceAnalysis
import TraceText

/// The nearest legal trace of a finding, as text and as JSON.
struct NearestText {
  let vocabulary: Vocabulary

  /// A line for each edit: `move main#3 sceneWillResignActive before main#2`; or the advice.
  func lines(_ nearest: NearestLegalTrace) -> [String] {
    if nearest.edits.isEmpty { return nearest.advice.isEmpty ? [] : [nearest.advice] }
    return nearest.edits.map { edit in
      switch edit {
      case .move(let event, let place): "move \(number(event)) \(name(event)) \(text(place))"
      case .drop(let event): "drop \(number(event)) \(name(event))"
      case .add(let event, let place): "add \(name(event)) \(event.subject) \(text(place))"
      }
    }
  }

  /// The member `nearest` of a finding; the article `JSONReportFormat` describes it.
  func write(_ nearest: NearestLegalTrace, _ writer: inout JSONWriter) {
    writer.object("nearest") { writer in
      writer.array("says", lines(nearest)) { $0.string(nil, $1) }
      writer.array("edits", nearest.edits) { writer, edit in
        writer.object { writer in
          switch edit {
          case .move(let event, let place):
            writer.string("edit", "move")
            write(event, &writer)
            write(place, &writer)
          case .drop(let event):
            writer.string("edit", "drop")
            write(event, &writer)
          case .add(let event, let place):
            writer.string("edit", "add")
            writer.string("verb", vocabulary.word(of: event.verb))
            writer.string("name", vocabulary.text(event.name))
            writer.string("subject", event.subject.description)
            write(place, &writer)
          }
        }
      }
    }
  }

  private func write(_ event: Event, _ writer: inout JSONWriter) {
    writer.string("writer", vocabulary.name(of: event.writer))
    writer.number("sequence", event.sequence)
  }

  private func write(_ place: NearestLegalTrace.Place, _ writer: inout JSONWriter) {
    let key =
      switch place {
      case .before: "before"
      case .after: "after"
      }
    writer.object(key) { write(place.neighbor, &$0) }
  }

  private func text(_ place: NearestLegalTrace.Place) -> String {
    switch place {
    case .before(let event): "before \(number(event))"
    case .after(let event): "after \(number(event))"
    }
  }

  private func number(_ event: Event) -> String {
    InertText.word("\(vocabulary.name(of: event.writer))#\(event.sequence)")
  }

  private func name(_ event: Event) -> String {
    let name = vocabulary.text(event.name)
    let word = InertText.word(name.isEmpty ? vocabulary.word(of: event.verb) : name)
    return event.verb == .return ? "return of \(word)" : word
  }
}
