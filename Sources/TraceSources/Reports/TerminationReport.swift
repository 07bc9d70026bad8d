import LifecycleModel
import Run
import TraceText

/// What a report states about the end of one process, whatever its form.
public struct TerminationReport: Hashable, Sendable {
  /// A background task that the system names as open at the end, up to iOS 9.
  struct OpenTask: Hashable, Sendable {
    /// The app's name for it.
    var name: String
    /// How long such a task may be open.
    var allowed: Nanoseconds?
    /// What it was for, such as `finishTask`.
    var reason: String?
  }

  /// The form of the report.
  public var form: ReportForm
  /// Names the incident: an `.ips` and its translation to text have the same.
  public var incident: String?
  /// The name of the process.
  public var process: String?
  /// The app's bundle.
  public var bundle: String?
  /// The number of the process.
  public var pid: Int32?
  /// When the process was launched, by the wall clock, nanoseconds since 1970.
  public var launched: Nanoseconds?
  /// When it died, by the wall clock.
  public var died: Nanoseconds?
  /// When the process began, in ticks of the clock that stands still while the device sleeps.
  public var startTicks: UInt64?
  /// When the process ended, in the same ticks.
  public var exitTicks: UInt64?
  /// Names the boot of the device, as a UUID.
  public var bootSession: String?
  /// Names the log that the app wrote, where the app has given it to the system.
  public var logID: String?

  /// The system's version, such as `18.2`.
  var os: String?
  /// The system, such as `ios`.
  var platform: String?
  /// The release of the app, and the device.
  var release = ReportedApp()
  var isSimulator = false
  /// Whether the process was built for macOS.
  var isOfMac = false
  /// The version of the system that wrote the report: of a simulator it is the host's.
  var hostOS: String?
  /// Whether the ticks are those of arm64, 24 million a second.
  var hasKnownTicks = true
  /// The role of the process, such as Foreground, Background or Non UI.
  var role: String?
  /// How the process ended; `nil` when the report states no death.
  var end: Termination?
  /// The time that the watchdog gave.
  var allowance: Nanoseconds?
  /// What the main thread was in, the innermost first; where it waited, what called for that.
  var mainFrames: [ReportFrame] = []
  /// `waited for a lock (psynch_mutexwait)`: what the main thread waited for, and where; `nil` where it did not wait.
  var mainWait: String?
  /// What the thread was in that crashed, if that was another one.
  var crashedFrames: [ReportFrame] = []
  /// Whether its stack is whole and none of its frames is the app's.
  var isCrashForeign = false
  /// Whether the report is of a crash, and ends before its frames.
  var isCrashCut = false
  /// What threw the exception that nothing caught, the innermost first.
  var throwingFrames: [ReportFrame] = []
  /// The number of the thread that crashed; ``unnumbered`` where the report does not say it.
  var crashedThread: Int?
  static let unnumbered = -3
  /// Background tasks that were open.
  var openTasks: [OpenTask] = []
  /// What the report says is wrong with the app beside its end.
  var warnings: [ReportWarning] = []
  /// What else is worth saying.
  var notes: [String] = []

  init(_ form: ReportForm) { self.form = form }

  /// Whether the report states a death.
  public var isDeath: Bool { end != nil }

  /// How the process ended, in a few words.
  public var summary: String { end?.summary ?? "it reports no death" }

  // MARK: Times

  /// The nanoseconds that ticks take: 24 million make a second.
  public static func nanoseconds(ofTicks ticks: UInt64) -> Nanoseconds? {
    let (whole, rest) = ticks.quotientAndRemainder(dividingBy: 3)
    let (product, overflow) = whole.multipliedReportingOverflow(by: 125)
    let (sum, carry) = product.addingReportingOverflow(rest * 125 / 3)
    return overflow || carry ? nil : Nanoseconds(exactly: sum)
  }

  /// When the process ended on the clock that stands still while the device sleeps; `nil` when the
  /// report does not say it.
  public var exitMonotonic: Nanoseconds? {
    hasKnownTicks ? exitTicks.flatMap { Self.nanoseconds(ofTicks: $0) } : nil
  }

  /// When the process began on that clock.
  public var startMonotonic: Nanoseconds? {
    hasKnownTicks ? startTicks.flatMap { Self.nanoseconds(ofTicks: $0) } : nil
  }

  /// How long the process lived by the wall clock.
  var wallAge: Nanoseconds? {
    guard let launched, let died, died >= launched else { return nil }
    return died - launched
  }

  /// How long the process lived while the device was awake.
  var awakeAge: Nanoseconds? {
    guard let start = startMonotonic, let exit = exitMonotonic, exit >= start else { return nil }
    let age = exit - start
    // Ticks of another length would make the age a wrong one: awake is no longer than alive.
    if let wallAge, age > wallAge + .seconds(1) { return nil }
    return age
  }

  /// How long the process lived: awake where that is known.
  public var age: Nanoseconds? { awakeAge ?? wallAge }

  // MARK: The end as an event

  /// Whether somebody was looking: the watchdog's own word, or else the role of the process.
  var visibility: String? {
    end?.visibility ?? (role == "Non UI" ? "background" : TerminationText.visibility(role))
  }

  /// The verb of the end's event; `nil` without a death.
  public var endVerb: Verb? { end?.verb }

  /// What the event of the end says beside its verb.
  public var endAttributes: [Attribute] {
    guard var end else { return [] }
    end.visibility = visibility
    end.requester = Self.source
    var list = end.attributes
    if let allowance { list.append(Attribute(.allowance, InstantText.print(allowance))) }
    return list
  }

  /// The value of `by` for an end that a report states.
  static let source = "report"

  /// What the report adds to the end, in a sentence each.
  public var remarks: [String] {
    var list: [String] = []
    if !throwingFrames.isEmpty {
      list.append(CrashedStack.thrown + ReportFrame.text(of: throwingFrames))
    }
    if let text = mainThread, !isCrashCut || crashedThread != 0 {
      list.append("the main thread " + text)
    }
    if let crashedThread, crashedThread != 0, !crashedFrames.isEmpty, !isCrashCut {
      let thread = crashedThread == Self.unnumbered ? "a thread" : "thread \(crashedThread)"
      list.append(
        "\(thread) \(isDeath ? "crashed" : "was") in " + ReportFrame.text(of: crashedFrames)
          + (isDeath && isCrashForeign ? CrashedStack.foreign : ""))
    } else if isCrashCut {
      let thread = crashedThread.map { "thread \($0), which crashed" } ?? "the thread that crashed"
      list.append(CrashedStack.missing + thread)
    }

    if let wallAge, let awakeAge, wallAge - awakeAge > .seconds(1) {
      list.append(
        "the device slept for \(InstantText.rounded(wallAge - awakeAge)) of the process's life")
    }
    return list + notes
  }

  /// Where the main thread was; `nil` where the report does not say it.
  private var mainThread: String? {
    let frames = mainFrames.isEmpty ? nil : ReportFrame.text(of: mainFrames)
    if let mainWait { return mainWait + (frames.map { " in \($0)" } ?? "") }
    guard crashedThread == 0, isDeath else { return frames.map { "was in " + $0 } }
    return frames.map { "crashed in " + $0 + (isCrashForeign ? CrashedStack.foreign : "") }
  }

  /// Whether a report contains more than another one of the same incident: first one with an end, then an
  /// `.ips` before its translation to text, as it has the ticks, then one that is not cut off.
  public func tellsMore(than other: TerminationReport) -> Bool {
    if isDeath != other.isDeath { return isDeath }
    if form != other.form, isDeath || fullness == other.fullness { return form == .ips }
    return fullness > other.fullness
  }

  /// How many facts the report contains.
  private var fullness: Int {
    let facts: [Bool] = [
      pid != nil, bundle != nil, launched != nil, died != nil, exitTicks != nil, role != nil,
      bootSession != nil, crashedThread != nil,
    ]
    return facts.count { $0 } + mainFrames.count + crashedFrames.count + endAttributes.count
  }

  /// Whether two reports state ends that one process cannot have both.
  public func contradicts(_ other: TerminationReport) -> Bool {
    guard let end, let theirs = other.end else { return false }
    return end.contradicts(theirs)
  }

  /// Whether two reports are about one death: the incident, or else the process and its times.
  public func isSame(as other: TerminationReport) -> Bool {
    if let pid, let theirs = other.pid, pid != theirs { return false }
    if let incident, let theirs = other.incident {
      return incident.lowercased() == theirs.lowercased()
    }
    guard let pid, let died, let theirs = other.died else { return false }
    let isOne = pid == other.pid && abs(died - theirs) < .seconds(1) && process == other.process
    return isOne && !contradicts(other)
  }
}
