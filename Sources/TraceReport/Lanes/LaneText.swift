import LifecycleModel
import Run
import TraceText

/// What stands on the bars and marks of a picture.
package struct LaneText {
  private let vocabulary: Vocabulary

  /// The texts of a trace whose events belong to `vocabulary`.
  package init(_ vocabulary: Vocabulary) { self.vocabulary = vocabulary }

  /// What stands on a bar: `active`, `sceneDidEnterBackground`, `lock "shared.db"`.
  ///
  /// The text is inert: it holds no control characters.
  package func text(_ bar: RunBar) -> String {
    switch bar.content {
    case .state(let word): word
    case .process: process(bar.event)
    case .suspension: "suspended"
    case .span: text(bar.event)
    }
  }

  /// The same in a shorter word, where there is one: `active` for `foregroundActive`.
  package func shortText(_ bar: RunBar) -> String {
    guard case .state(let word) = bar.content, let activation = SceneActivation(rawValue: word),
      activation.isForeground
    else { return text(bar) }
    return activation.appState.rawValue
  }

  /// What stands at an event.
  package func text(_ event: Event) -> String {
    let label =
      event.label.isNone ? nil : "\"" + InertText.line(vocabulary.text(event.label)) + "\""
    let name = event.name.isNone ? nil : InertText.word(vocabulary.text(event.name))

    switch event.verb {
    case .taskBegin, .taskEnd, .taskGranted: return label ?? event.subject.description
    case .taskExpire, .taskExpired: return "expiration of " + (label ?? event.subject.description)
    case .dataDirty, .dataSave: return label ?? "data"
    case .snapshotBegin, .snapshotEnd: return "snapshot"
    case .note: return label.map { String($0.dropFirst().dropLast()) } ?? "note"
    case .kill, .exit: return end(event)
    default: return [name, label].compactMap(\.self).joined(separator: " ")
    }
  }

  private func process(_ event: Event) -> String {
    let pid = vocabulary.attributes(event.attributes)[.pid]
    let isStart = event.verb == .processStart
    return "process" + (isStart ? pid.map { " " + InertText.word($0) } ?? "" : "")
  }

  /// An end by its verb and its code: `kill 0x8badf00d`.
  private func end(_ event: Event) -> String {
    let attributes = vocabulary.attributes(event.attributes)
    let said = attributes[.code] ?? attributes[.signal].map { "signal \($0)" }
    return (event.verb == .kill ? "kill" : "exit") + (said.map { " " + InertText.word($0) } ?? "")
  }
}
