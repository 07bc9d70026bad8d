/// A document that a rule rests on.
public struct Citation: Hashable, Sendable {
  /// The short key by which lists of sources name it, such as `S0`.
  public let key: String
  /// The page title, or where the issue or post stands.
  public let title: String
  /// The page below Apple's documentation, where the title does not say it.
  private let page: String?

  /// Makes a citation.
  ///
  /// `page` is the path of an article below `developer.apple.com/documentation`, such as
  /// `xcode/sigkill`. A title that names a symbol of UIKit (`UIScene: willDeactivateNotification`), a
  /// thread in Apple's forums (`Forums thread 732170: …`) or an issue on GitHub (`owner/name#123`)
  /// needs none.
  public init(_ key: String, _ title: String, page: String? = nil) {
    (self.key, self.title, self.page) = (key, title, page)
  }

  /// The address of the document; `nil` where none is certain.
  public var url: String? {
    if let page { return Citation.apple + "documentation/" + page }
    return symbol ?? thread ?? repository
  }

  private static let apple = "https://developer.apple.com/"

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
