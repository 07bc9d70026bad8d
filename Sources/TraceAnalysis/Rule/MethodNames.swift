import LifecycleModel

/// The delegate's methods that remedies name, as Swift writes them.
enum MethodNames {
  private static let turns: [(word: String, turn: Turn)] = [
    ("{foreground}", .foreground), ("{activate}", .activate), ("{resign}", .resign),
    ("{background}", .background),
  ]

  /// A text with the methods in the place of their words.
  static func fill(_ text: String, _ turner: Turner) -> String {
    guard text.contains("{") else { return text }
    let launch = text.replacing(
      "{launch}", with: "application(_:didFinishLaunchingWithOptions:)")
    return turns.reduce(launch) { text, method in
      text.replacing(method.word, with: turner.name(method.turn) + "(_:)")
    }
  }
}
