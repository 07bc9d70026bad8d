/// A family of events that a recorder can record; the profile says which ones were.
public enum Hook: String, CaseIterable, Sendable {
  case appDelegate = "app-delegate"
  case sceneDelegate = "scene-delegate"
  case appNotifications = "app-notifications"
  case sceneNotifications = "scene-notifications"
  case tasks
  case work
  case resources
  case data
  case system
  /// That processes start and end; `system` says that, too.
  case process

  /// The hooks that no other implies.
  public static let independent = allCases.filter { $0 != .process }
}
