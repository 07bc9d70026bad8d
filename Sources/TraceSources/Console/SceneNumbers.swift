import LifecycleModel

/// Numbers scenes in the order in which their identifiers appear.
///
/// A scene object that is gone does not come back: the same identifier gets a new number after the
/// scene was invalidated and in the next process.
struct SceneNumbers {
  /// The most identifiers that are known at a time; UIKit has a handful.
  private static let maximumScenes = 4096

  private var numbers: [String: UInt32] = [:]
  private var last: UInt32 = 0

  /// The scene with this identifier.
  mutating func subject(_ identifier: String) -> Subject {
    if let number = numbers[identifier] { return .scene(number) }
    if numbers.count >= Self.maximumScenes { numbers = [:] }
    last &+= 1
    numbers[identifier] = last
    return .scene(last)
  }

  /// Forgets one scene.
  mutating func forget(_ identifier: String) { numbers[identifier] = nil }

  /// Forgets all scenes of a process.
  mutating func endProcess() { numbers = [:] }
}
