/// What findings say where a rule has no sentence of its own.
enum DefaultMessage {
  static let placeholders = [
    "name", "subject", "label", "writer", "opener", "since", "holder", "held", "elapsed", "allowed",
  ]

  static func never(isWindow: Bool) -> String {
    isWindow
      ? "{name} {label} came after {opener} at {since}" : "{name} {label} is not allowed here"
  }
  static func every(isTimed: Bool) -> String {
    isTimed
      ? "{name} {label} had no response within {allowed}" : "{name} {label} had no response"
  }
  static let order = "{name} {label} came before the event that must precede it"
  static let budget = "{name} {label} took {elapsed}; the limit is {allowed}"
  static let count = "{name} {label} came too often since {since}"
  static let unclosed = "{name} {label} was never closed: open for {elapsed} in the background"
  static let closedAgain = "{name} {label} closed what was already closed at {since}"
}
