/// Where time limits and termination codes were read or measured.
extension Citation {
  static let mixpanelTasks = Citation("mixpanel#3", "mixpanel/mixpanel-iphone#3")
  static let urbanairshipTasks = Citation("urbanairship#61", "urbanairship/ios-library#61")
  static let geolocationTasks = Citation(
    "transistorsoft#108", "transistorsoft/cordova-background-geolocation-lt#108")
  static let instabugTasks = Citation("Instabug#305", "Instabug/Instabug-iOS#305")
  static let backgroundTimeRemaining = Citation(
    "D-btr", "UIApplication: backgroundTimeRemaining")
  static let backgroundTimeOnX = Citation(
    "F-391799", "Forums message 391799: background time on iPhone X; DBL_MAX")
  static let launchKill = Citation(
    "firebase#5463", "firebase/firebase-ios-sdk#5463: scene-create after 19.62 s")
  static let exitKill = Citation("Lockbox#63", "granoff/Lockbox#63: process-exit after 5.00 s")
  static let exitKillTwice = Citation("firebase#5707", "firebase/firebase-ios-sdk#5707")
  static let oldWatchdogTable = Citation(
    "P-cn417", "cnblogs 417460188dy 3678112: an older watchdog table")
  static let remoteNotification = Citation(
    "D-push30",
    "UIApplicationDelegate: application(_:didReceiveRemoteNotification:fetchCompletionHandler:)")
  static let backgroundStrategies = Citation(
    "D-bgstrat", "Choosing Background Strategies for Your App")
  static let backgroundFetchExpiry = Citation(
    "RN-fetch#270", "transistorsoft/react-native-background-fetch#270")
  static let submitBackgroundTask = Citation("D-bgsubmit", "BGTaskScheduler: submit(_:)")
  static let interfaceResponsiveness = Citation(
    "X-ui", "Understanding user interface responsiveness")
  static let bugsnagHangs = Citation("I-bugsnag", "bugsnag/bugsnag-cocoa: BSGRunContext.m")
  static let watchCodes = Citation(
    "F-208952", "Forums thread 208952: 0xc51bad0x on watchOS 3.1")
  static let resourceLimits = Citation("X-res", "EXC_RESOURCE")
  static let jetsamReports = Citation(
    "X-jet", "Identifying high-memory use with jetsam event reports")
  static let legacyCodes = Citation(
    "K-codes", "Developer notes that list 0xdeadfa11 and 0xbaaaaaad")
}
