/// What the end of a process means for verdict, findings and exit status.
public enum DeathClass: String, CaseIterable, Sendable {
  /// The code, the word or the signal names something that the app did: an error.
  case fault
  /// The app was on the screen, and nothing tells why it ended: a warning.
  case unexplained
  /// It ended itself, was told to, or was reclaimed where nobody looked: no finding.
  case normal
  /// Whether anybody was looking, or how it ended, is not known: no finding.
  case unknown
}

extension DeathClass {
  /// What matters most comes first.
  package var rank: Int {
    switch self {
    case .fault: 0
    case .unexplained: 1
    case .unknown: 2
    case .normal: 3
    }
  }
}
