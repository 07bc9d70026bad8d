#if canImport(UIKit) && !os(watchOS)
  import Foundation
  import LifecycleModel
  import Platform
  import TraceRecorder
  import UIKit

  /// The delegates' methods: which ones are watched, and what is stated when they are called.
  @MainActor
  final class DelegateWatch {
    /// A delivery that was handed over with a call, and whose completion handler has not run.
    private struct Delivered: Sendable {
      let delivery: Delivery
      let subject: Subject
      let label: String
    }

    /// The methods that are implemented, and watched.
    private(set) var implemented: Set<Callback> = []
    /// The selectors that are implemented, and could not be watched.
    private(set) var missed: Set<String> = []
    /// Whether the app's delegate was found.
    private(set) var hasApplicationDelegate = false
    /// Whether the class of a scene's delegate was found.
    private(set) var hasSceneDelegate = false
    /// Whether the app is seen to use scenes: it has a delegate of them, or answers how one is made.
    var usesScenes: Bool {
      hasSceneDelegate || implemented.contains(.applicationConfigurationForConnecting)
    }

    private let recorder: Recorder
    private let numbers: SubjectNumbers
    private let process: UIKitProcess
    private let runtime: HookRuntime
    private var watchedClasses: Set<UnsafeRawPointer> = []
    private nonisolated let delivered = Lock<[UInt64: Delivered]>([:])

    init(_ recorder: Recorder, _ numbers: SubjectNumbers, _ process: UIKitProcess) {
      (self.recorder, self.numbers, self.process) = (recorder, numbers, process)
      runtime = process.runtime
    }

    // MARK: What is watched

    /// Watches the app's delegate when it is one that was not seen before; true when it is.
    func watchApplicationDelegate() -> Bool {
      guard let delegate = process.application()?.delegate else { return false }
      hasApplicationDelegate = true
      return watch(delegate, DelegateMethod.application)
    }

    /// Watches a scene's delegate when its class was not seen before; true when it is.
    func watchDelegate(of scene: UIScene) -> Bool {
      guard let delegate = scene.delegate else { return false }
      hasSceneDelegate = true
      return watch(delegate, DelegateMethod.scene)
    }

    /// Watches a class of scenes' delegates, of which there may be no object yet; true when it was not seen
    /// before.
    func watchSceneDelegates(of cls: AnyClass) -> Bool {
      hasSceneDelegate = true
      let pointer = unsafeBitCast(cls, to: UnsafeRawPointer.self)
      guard watchedClasses.insert(pointer).inserted else { return false }
      for method in DelegateMethod.scene { watch(method, pointer, nil) }
      return true
    }

    private func watch(_ delegate: AnyObject, _ methods: [DelegateMethod]) -> Bool {
      guard let cls = runtime.classOf(delegate), watchedClasses.insert(cls).inserted else {
        return false
      }
      for method in methods { watch(method, cls, delegate) }
      return true
    }

    /// Follows a delegate that hands the method on, as SwiftUI's do to the app's.
    private func watch(
      _ method: DelegateMethod, _ cls: UnsafeRawPointer, _ delegate: AnyObject?
    ) {
      var result = runtime.watch(cls, method.selector, method.token, method.handler)
      if result == .absent, let delegate,
        let target = process.forwards(delegate, method.selector)
      {
        result = runtime.watch(
          runtime.classOf(target), method.selector, method.token, method.handler)
      }

      switch result {
      case .watched: implemented.insert(method.callback)
      case .missed: missed.insert(method.selector)
      case .absent: break
      }
    }

    // MARK: Calls

    /// Whether UIKit calls the method, as it does with the app or a scene: an app may use the same method for a
    /// notification, which it then gets.
    func isUIKits(_ method: DelegateMethod, _ call: HookedCall) -> Bool {
      method.callback.hook == .appDelegate
        ? call.object(1) is UIApplication : call.object(1) is UIScene
    }

    /// A method is entered.
    func entered(_ method: DelegateMethod, _ call: HookedCall) {
      let subject = subject(of: method, call)
      if let delivery = method.delivery {
        let label = label(of: method, call)
        recorder.record(.deliver, name: delivery.rawValue, subject: subject, label: label)
        if method.handler > 0 {
          let open = Delivered(delivery: delivery, subject: subject, label: label)
          delivered.withLock { $0[call.number] = open }
        }
      }

      guard method.callback == .sceneWillConnect else {
        return recorder.call(method.callback, subject)
      }
      recorder.record(
        .call, name: method.callback.rawValue, subject: subject, attributes: connection(call))
    }

    /// A method has returned.
    func left(_ method: DelegateMethod, _ call: HookedCall) {
      recorder.returned(method.callback, subject(of: method, call))
    }

    /// The completion handler of a call runs.
    nonisolated func completed(_ number: UInt64) {
      guard let open = delivered.withLock({ $0.removeValue(forKey: number) }) else { return }
      recorder.record(
        .complete, name: open.delivery.rawValue, subject: open.subject, label: open.label)
    }

    private func subject(of method: DelegateMethod, _ call: HookedCall) -> Subject {
      switch method.callback {
      case .applicationConfigurationForConnecting:
        (call.object(2) as? UISceneSession).map { .session(numbers.number(of: $0)) } ?? .app
      case .applicationDidDiscardSceneSessions:
        ((call.object(2) as? NSSet)?.anyObject() as? UISceneSession).map {
          .session(numbers.number(of: $0))
        } ?? .app
      default:
        (call.object(1) as? UIScene).map { .scene(numbers.number(of: $0)) } ?? .app
      }
    }

    /// What a scene is connected for.
    private func connection(_ call: HookedCall) -> [Attribute] {
      var attributes: [Attribute] = []
      if let session = call.object(2) as? UISceneSession {
        attributes.append(Attribute(.session, String(numbers.number(of: session))))
        attributes.append(Attribute(.role, session.role.word))
      }
      if let options = call.object(3) as? UIScene.ConnectionOptions {
        attributes.append(Attribute(.options, options.word))
      }
      return attributes
    }

    /// Which delivery it is, without what is private: of a URL the scheme, of a push nothing.
    private func label(of method: DelegateMethod, _ call: HookedCall) -> String {
      switch (method.delivery, method.callback) {
      case (.url, .applicationOpenURL): scheme(call.object(2))
      case (.url, _):
        scheme(((call.object(2) as? NSSet)?.anyObject() as? UIOpenURLContext)?.url as NSURL?)
      case (.activity, _): (call.object(2) as? NSUserActivity)?.activityType ?? ""
      case (.shortcut, _): shortcut(call.object(2))
      case (.urlsession, _): (call.object(2) as? NSString)?.description ?? ""
      default: ""
      }
    }

    private func shortcut(_ item: AnyObject?) -> String {
      #if os(tvOS)
        return ""
      #else
        return (item as? UIApplicationShortcutItem)?.type ?? ""
      #endif
    }

    private func scheme(_ url: AnyObject?) -> String {
      (url as? NSURL)?.scheme.map { $0 + ":" } ?? ""
    }
  }

  extension UISceneSession.Role {
    /// The role as `sceneWillConnect` says it.
    var word: String {
      switch rawValue {
      case "UIWindowSceneSessionRoleApplication", "UIWindowSceneSessionRoleVolumetricApplication":
        "window"
      case let role where role.contains("ExternalDisplay"): "external"
      case let role where role.contains("CPTemplate"): "carplay"
      default: "other"
      }
    }
  }

  extension UIScene.ConnectionOptions {
    /// What the scene is connected for, as `sceneWillConnect` says it.
    var word: String {
      if !urlContexts.isEmpty { return "url" }
      if !userActivities.isEmpty { return "activity" }
      #if os(tvOS)
        // It has no quick actions, and no notifications that are tapped.
        return "none"
      #else
        if shortcutItem != nil { return "shortcut" }
        return notificationResponse == nil ? "none" : "notification"
      #endif
    }
  }
#endif
