#if canImport(UIKit) && !os(watchOS)
  import Foundation
  import LifecycleModel
  import UIKit

  /// The numbers that a trace calls scenes and sessions by; none is used again in a process.
  @MainActor
  final class SubjectNumbers {
    /// A scene that has a number, as long as it lives: later another may lie in its place.
    private struct Known {
      weak var scene: UIScene?
      let number: UInt32
    }

    private var scenes: [ObjectIdentifier: Known] = [:]
    private var sessions: [String: UInt32] = [:]
    private var lastScene: UInt32 = 0
    private var lastSession: UInt32 = 0

    func number(of scene: UIScene) -> UInt32 {
      let place = ObjectIdentifier(scene)
      if let known = scenes[place], known.scene === scene { return known.number }
      lastScene += 1
      scenes[place] = Known(scene: scene, number: lastScene)
      return lastScene
    }

    func number(of session: UISceneSession) -> UInt32 {
      let key = session.persistentIdentifier
      if let known = sessions[key] { return known }
      lastSession += 1
      sessions[key] = lastSession
      return lastSession
    }

    /// What a notification's object is called.
    func subject(of object: Any?) -> Subject {
      switch object {
      case nil: .nil
      case let scene as UIScene: .scene(number(of: scene))
      case let session as UISceneSession: .session(number(of: session))
      case is UIApplication: .app
      default: .none
      }
    }
  }
#endif
