/// Documents about work, tasks and data in the background.
extension Citation {
  static let protectedData = Citation(
    "D-prot", "UIApplicationDelegate: applicationProtectedDataWillBecomeUnavailable(_:)")
  static let catalystExit = Citation("home-assistant#1344", "home-assistant/iOS#1344")
  static let taskAlwaysSucceeds = Citation("noop#654", "ryanbr/noop#654")
  static let taskGuardLeaks = Citation("noop#1111", "ryanbr/noop#1111")
  static let snapshotStyle = Citation(
    "FloatingPanel#228", "scenee/FloatingPanel#228: the snapshot flips the appearance")
  static let noTerminate = Citation(
    "mixpanel#52", "mixpanel/mixpanel-iphone#52: willTerminate never comes")
  static let spriteKit = Citation(
    "F-678745", "Forums thread 678745: SpriteKit commits GPU work in the background")
}
