import LifecycleModel

/// The delegate's methods that remedies name, as Swift writes them.
enum MethodNames {
  private static let methods: [(word: String, scene: String, app: String)] = [
    ("{foreground}", "sceneWillEnterForeground(_:)", "applicationWillEnterForeground(_:)"),
    ("{activate}", "sceneDidBecomeActive(_:)", "applicationDidBecomeActive(_:)"),
    ("{resign}", "sceneWillResignActive(_:)", "applicationWillResignActive(_:)"),
    ("{background}", "sceneDidEnterBackground(_:)", "applicationDidEnterBackground(_:)"),
    (
      "{launch}", "application(_:didFinishLaunchingWithOptions:)",
      "application(_:didFinishLaunchingWithOptions:)"
    ),
  ]

  /// A text with the methods in the place of their words.
  static func fill(_ text: String, _ mode: Profile.Mode) -> String {
    guard text.contains("{") else { return text }
    return methods.reduce(text) { text, method in
      text.replacing(method.word, with: mode == .app ? method.app : method.scene)
    }
  }
}
