import LifecycleModel
import TraceAnalysis

/// The app's notifications of the background and of the resign that came while scenes had not gone that
/// far: within a second they follow, or the notification was wrong.
struct AppNotificationsAhead: Sendable {
  /// The events by which a scene leaves.
  static let moves: EventPattern =
    Turner.scene.events(.background, .resign, .disconnect) | .verbs(.state)

  private static let background = LifecycleNotification.applicationDidEnterBackground.symbol
  private static let resign = LifecycleNotification.applicationWillResignActive.symbol

  /// The notifications, at most one of each kind.
  private var background: OpenEvent?
  private var resign: OpenEvent?
  /// The awake time at which a scene last resigned or left.
  private var lastMove = Nanoseconds.min
  /// The delegate's methods that were seen to be called as scenes leave.
  private var seen = SymbolBits([])

  init() {}

  /// Begins anew with what `last` shows of the log.
  init(after last: AppNotificationsAhead) { seen = last.seen }

  /// Sees one of the app's notifications, or an event of ``moves``.
  mutating func note(_ event: Event, _ moment: Moment, _ findings: inout RuleFindings) {
    switch event.name {
    case AppNotificationsAhead.background:
      if moment.state.foreground.all == 0 { return findings.foundClean() }
      background = background ?? moment.fact(event)
      waitForFirst(moment, &findings)
    case AppNotificationsAhead.resign:
      let isWithScene = lastMove > .min && moment.awake(event) &- lastMove <= Allowances.following
      if moment.state.foreground.active == 0 || isWithScene { return findings.foundClean() }
      resign = resign ?? moment.fact(event)
      waitForFirst(moment, &findings)
    default:
      guard event.verb != .state || ActivityWord(event) != .active else { return }
      if event.subjectKind != .scene { return }
      if event.verb == .call { seen.insert(event.name) }
      lastMove = moment.awake(event)
      resign = nil
      // Whether any is left shows when this one has gone.
      if background != nil { findings.wakeNext() }
    }
  }

  mutating func wake(_ now: Nanoseconds, _ moment: Moment, _ findings: inout RuleFindings) {
    if background != nil && moment.state.foreground.all == 0 {
      background = nil
      findings.foundClean()
    }

    if let notification = background, isDue(notification, now, moment) {
      background = nil
      report(notification, moment, &findings) { scene in
        scene.activation == .foregroundActive
          || scene.activation == .foregroundInactive && isWindow(scene, moment)
      }
    }

    if let notification = resign, isDue(notification, now, moment) {
      resign = nil
      report(notification, moment, &findings) { $0.activation == .foregroundActive }
    }
    waitForFirst(moment, &findings)
  }

  private func isDue(_ notification: OpenEvent, _ now: Nanoseconds, _ moment: Moment) -> Bool {
    moment.awake(notification) &+ Allowances.following <= now
  }

  private func waitForFirst(_ moment: Moment, _ findings: inout RuleFindings) {
    let waiting = [background, resign].compactMap(\.self).map { moment.awake($0) }.min()
    if let waiting { findings.wake(at: waiting &+ Allowances.following) }
  }

  private func isWindow(_ scene: SceneState, _ moment: Moment) -> Bool {
    guard let connected = scene.connected else { return false }
    return moment.attribute(.role, connected.event) ?? "window" == "window"
  }

  /// Reports a notification, if a scene has been there since before it.
  private func report(
    _ notification: OpenEvent, _ moment: Moment, _ findings: inout RuleFindings,
    where stays: (SceneState) -> Bool
  ) {
    let scenes = moment.state.scenes.filter { $0.since.ordinal < notification.ordinal && stays($0) }
    guard let scene = scenes.first(where: { moment.isCertain($0.since) }) ?? scenes.first else {
      return findings.foundClean()
    }
    let isBackground = notification.event.name == AppNotificationsAhead.background
    // What resigned before it may be missing, unless all has been there for some time.
    let isHidden =
      moment.state.lastGap != nil
      && moment.awake(notification) &- moment.awake(scene.since) < Allowances.following
    if !isBackground && isHidden { return findings.cannotTell(.gap) }
    let callback = isBackground ? Callback.sceneDidEnterBackground : .sceneWillResignActive
    findings.report(
      notification, since: scene.since, unless: doubt(callback, moment.profile),
      says: isBackground
        ? "{name} was posted while {holder} stayed in the foreground, since {since}"
        : "{name} was posted while {holder} stayed active since {since}, and no scene resigned")
  }

  /// Why a scene may have left unseen: its delegate need not implement the callback that tells it.
  private func doubt(_ callback: Callback, _ profile: Profile) -> Doubt? {
    let isVisible =
      seen.contains(callback.symbol) || profile.implements(callback)
      || profile.recordsAll(of: .sceneNotifications) || profile.recordsAll(of: .system)
    return isVisible ? nil : .callbackNeverSeen
  }

  /// The process has ended, or the log.
  func end(_ reason: Doubt, _ findings: inout RuleFindings) {
    if background != nil || resign != nil { findings.cannotTell(reason) }
  }
}
