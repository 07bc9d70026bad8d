extension Citation {
  static let pushHandling = Citation(
    "D-push30",
    "UIApplicationDelegate: application(_:didReceiveRemoteNotification:fetchCompletionHandler:)")
  static let backgroundStrategies = Citation(
    "D-bgstrat", "Choosing Background Strategies for Your App")
  static let taskRegistration = Citation(
    "D-bgreg", "BGTaskScheduler: register(forTaskWithIdentifier:using:launchHandler:)")
  static let protectedData = Citation(
    "D-prot", "UIApplicationDelegate: applicationProtectedDataWillBecomeUnavailable(_:)")
  static let timeRemaining = Citation("D-btr", "UIApplication: backgroundTimeRemaining")
  static let unlimitedTime = Citation(
    "F-391799", "Forums message 391799: background time on iPhone X")
  static let sceneDidEnterBackground = Citation(
    "D-sdeb", "UISceneDelegate: sceneDidEnterBackground(_:)")
  static let fetchTime = Citation(
    "RN-fetch#270", "transistorsoft/react-native-background-fetch#270")
  static let exitTime = Citation(
    "Lockbox#63", "granoff/Lockbox#63: process-exit watchdog, 5.00 s")
  static let catalystExit = Citation("home-assistant#1344", "home-assistant/iOS#1344")
  static let taskAlwaysSucceeds = Citation("noop#654", "ryanbr/noop#654")
  static let taskGuardLeaks = Citation("noop#1111", "ryanbr/noop#1111")
  static let hangs = Citation("X-hang", "Understanding hangs in your app")
  static let snapshotStyle = Citation(
    "FloatingPanel#228", "scenee/FloatingPanel#228: the snapshot flips the appearance")
  static let noTerminate = Citation(
    "mixpanel#52", "mixpanel/mixpanel-iphone#52: willTerminate never comes")
  static let spriteKit = Citation(
    "F-678745", "Forums thread 678745: SpriteKit commits GPU work in the background")
}
