/// What an app has given to the system about its own state, as reports of iOS 27 contain it: its log's id.
extension TerminationReport {
  /// Where the states stand.
  static let statesPath = "environment/states"
  private static let longestID = 64

  /// Takes the last state that names a log; those of other SDKs name none.
  mutating func take(states: [JSONObject]) {
    var last: String?
    for state in states {
      var (id, label): (String?, String?)
      state.forEachText { path, text in
        switch path.lastKey {
        case "log" where !text.isEmpty && text.utf8.count <= Self.longestID:
          if text.allSatisfy({ $0.isHexDigit || $0 == "-" }) { id = text }
        case "label", "state": label = String(text.prefix(Self.longestID))
        default: break
        }
      }
      if let id { (logID, last) = (id, label) }
    }
    if let last { notes.append("the app had told the system that its state was \(last)") }
  }
}
