/// What an app has given to the system about its own state, as reports of iOS 27 contain it: its log's id.
struct ReportedStates {
  /// Where the states stand.
  static let path = "environment/states"
  private static let longestID = 64

  /// The id of the log, in hex.
  private var logID: String?
  /// The state that stands with the id, such as `inactive/sceneWillResignActive`.
  private var label: String?

  /// Takes states: that of another SDK names no log.
  mutating func take(_ states: [JSONObject]) {
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
      if let id { (logID, self.label) = (id, label) }
    }
  }

  /// Puts what is known into a report.
  func put(into report: inout TerminationReport) {
    report.logID = logID ?? report.logID
    if logID != nil, let label {
      report.notes.append("the app had told the system that its state was \(label)")
    }
  }
}
