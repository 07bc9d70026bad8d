/// Documents about how processes end.
extension Citation {
  static let watchdogLogic = Citation(
    "I-sentry-wt", "getsentry/sentry-cocoa: SentryWatchdogTerminationLogic.swift")
  static let appStateTracker = Citation(
    "I-kscrash", "kstenerud/KSCrash: KSCrashAppStateTracker.m")
  static let terminateWithoutCall = Citation(
    "WebDriverAgent#1005", "facebookarchive/WebDriverAgent#1005: terminate() calls nobody")
  static let backgroundLaunchDeaths = Citation(
    "HockeySDK#254", "bitstadium/HockeySDK-iOS#254: background launches taken for deaths")
  static let exitReasons = Citation(
    "K-reason", "xnu: bsd/sys/reason.h and kern_memorystatus.h, namespaces and reasons")
  static let signalPage = Citation("M-signal", "Manual page signal(3)")
}
