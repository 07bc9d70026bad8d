/// Where the documents stand that anybody can open.
extension Citation {
  /// The address of the document; `nil` where none is certain.
  public var url: String? {
    if let page = Citation.articles[key] { return Citation.apple + "documentation/" + page }
    return symbol ?? thread ?? repository
  }

  private static let apple = "https://developer.apple.com/"

  /// Apple's articles, by the keys of the source table.
  private static let articles = [
    "D-life": "uikit/managing-your-app-s-life-cycle",
    "D-ext": "uikit/extending-your-app-s-background-execution-time",
    "D-bgstrat": "backgroundtasks/choosing-background-strategies-for-your-app",
    "D-tn3187": "technotes/tn3187-migrating-to-the-uikit-scene-based-life-cycle",
    "X-kill": "xcode/sigkill",
    "X-wd": "xcode/addressing-watchdog-terminations",
    "X-red": "xcode/reducing-terminations-in-your-app",
    "X-jet": "xcode/identifying-high-memory-use-with-jetsam-event-reports",
    "X-hang": "xcode/understanding-hangs-in-your-app",
    "X-hang2": "xcode/analyzing-responsiveness-issues-in-your-shipping-app",
    "X-ui": "xcode/understanding-user-interface-responsiveness",
    "X-launch": "xcode/reducing-your-app-s-launch-time",
  ]

  private static let frameworks = [
    "UIApplication": "uikit", "UIApplicationDelegate": "uikit", "UIScene": "uikit",
    "UISceneDelegate": "uikit", "BGTaskScheduler": "backgroundtasks",
  ]

  /// The page of a symbol: `UIScene: willDeactivateNotification`.
  private var symbol: String? {
    let parts = title.split(separator: ": ", maxSplits: 1).map(String.init)
    guard parts.count == 2, let framework = Citation.frameworks[parts[0]] else { return nil }
    let member = parts[1].split(separator: ",")[0].lowercased()
    if member.contains(" ") { return nil }
    return Citation.apple + "documentation/\(framework)/\(parts[0].lowercased())/\(member)"
  }

  /// The page of a thread in Apple's forums: `Forums thread 732170: …`.
  private var thread: String? {
    let words = title.lowercased().split { " :,".contains($0) }
    guard let index = words.firstIndex(of: "thread"), words.prefix(index).contains("forums"),
      words.indices.contains(index + 1), words[index + 1].allSatisfy(\.isNumber)
    else { return nil }
    return Citation.apple + "forums/thread/\(words[index + 1])"
  }

  /// The page of an issue or a pull request on GitHub: `owner/name#123`.
  private var repository: String? {
    guard let word = title.split(separator: " ").first else { return nil }
    let parts = word.split { "/#:".contains($0) }
    guard parts.count == 3, word.hasPrefix("\(parts[0])/\(parts[1])#\(parts[2])"),
      parts[2].allSatisfy(\.isNumber)
    else { return nil }
    return "https://github.com/\(parts[0])/\(parts[1])/issues/\(parts[2])"
  }
}
