/// What an app has given to the system about its own state, as reports of iOS 27 contain it: its log's id.
struct ReportedStates {
  /// The key under which an app that is traced gives the id of its log.
  private static let key = "log"
  private static let longestID = 64

  /// The id of the log, in hex.
  private(set) var logID: String?
  /// The state that stands with the id, such as `inactive/sceneWillResignActive`.
  private(set) var label: String?
  private var (id, state): (String?, String?)

  /// Begins a state.
  mutating func begin() { (id, state) = (nil, nil) }

  /// Takes a value within a state, by its key.
  mutating func take(_ key: String, _ text: String) {
    switch key {
    case Self.key where !text.isEmpty && text.utf8.count <= Self.longestID:
      let isID = text.allSatisfy { $0.isHexDigit || $0 == "-" }
      if isID { id = text }
    case "label", "state": state = String(text.prefix(Self.longestID))
    default: break
    }
  }

  /// Ends a state: that of another SDK names no log.
  mutating func end() {
    if let id { (logID, label) = (id, state) }
    begin()
  }

  /// Puts what is known into a report.
  func put(into report: inout TerminationReport) {
    report.logID = logID ?? report.logID
    if logID != nil, let label {
      report.notes.append("the app had told the system that its state was \(label)")
    }
  }
}
