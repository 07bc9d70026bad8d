import LifecycleModel
import TraceSources
import TraceText

/// Reports of an invented app, in the forms in which they are found.
enum ReportText {
  /// The header of an `.ips`.
  static let header =
    #"{"app_name":"Notes","timestamp":"2026-11-21 17:30:55.00 +0100","bundleID":"com.example.notes","#
    + #""platform":2,"bug_type":"309","os_version":"iPhone OS 18.2 (22C150)","incident_id":"6E0A"}"#

  /// The watchdog's reasons, as lines of the array.
  static let watchdog = #"""
    "termination" : {"namespace":"FRONTBOARD","flags":6,"code":2343432205,"reasons":["<RBSTerminateContext| domain:10 code:0x8BADF00D explanation:scene-update watchdog transgression: app<com.example.notes(7D)>:412 exhausted real (wall clock) time allowance of 10.00 seconds","ProcessVisibility: Background","ProcessState: Running","WatchdogEvent: scene-update","WatchdogVisibility: Background","WatchdogCPUStatistics: (","\"Elapsed total CPU time (seconds): 6.120 (user 3.480, system 2.640), 10% CPU\",","\"Elapsed application CPU time (seconds): 0.051, 0% CPU\"",") reportType:CrashLog maxTerminationResistance:Interactive>"]}
    """#

  static let locked =
    #""termination" : {"namespace":"RUNNINGBOARD","flags":6,"code":3735883980}"#

  /// The frames of two threads.
  static let threads = #"""
    "faultingThread" : 0,
      "threads" : [{"triggered":true,"id":1,"frames":[{"imageOffset":6200,"symbol":"__psynch_mutexwait","imageIndex":0},{"imageOffset":48212,"imageIndex":1}]},{"id":2,"frames":[{"symbol":"start"}]}],
      "usedImages" : [{"name":"libsystem_kernel.dylib"},{"name":"Notes"}]
    """#

  /// The body of an `.ips`, with its termination and its signal.
  static func body(
    _ termination: String = watchdog, signal: String = "SIGKILL", more: String = threads
  ) -> String {
    """
    {
      "uptime" : 5200,
      "procRole" : "Background",
      "osVersion" : {
        "isEmbedded" : true,
        "train" : "iPhone OS 18.2"
      },
      "captureTime" : "2026-11-21 17:30:54.7126 +0100",
      "incident" : "6E0A",
      "pid" : 412,
      "cpuType" : "ARM-64",
      "procLaunch" : "2026-11-21 17:30:31.9800 +0100",
      "procStartAbsTime" : 124200000000,
      "procExitAbsTime" : 124745572800,
      "procName" : "Notes",
      "bundleInfo" : {"CFBundleIdentifier":"com.example.notes"},
      "exception" : {"type":"EXC_CRASH","signal":"\(signal)"},
      \(termination),
      \(more)
    }
    """
  }

  /// A whole `.ips`.
  static let ips = header + "\n" + body() + "\n"

  /// The same as text.
  static let crash = """
    Incident Identifier: 6E0A
    Process:             Notes [412]
    Identifier:          com.example.notes
    Role:                Background
    Parent Process:      launchd [1]

    Date/Time:           2026-11-21 17:30:54.7126 +0100
    Launch Time:         2026-11-21 17:30:31.9800 +0100
    OS Version:          iPhone OS 18.2 (22C150)
    Report Version:      104

    Exception Type:  EXC_CRASH (SIGKILL)
    Exception Codes: 0x0000000000000000, 0x0000000000000000
    Termination Reason: FRONTBOARD 2343432205\u{20}
    <RBSTerminateContext| domain:10 code:0x8BADF00D explanation:scene-update watchdog transgression: \
    app<com.example.notes(7D)>:412 exhausted real (wall clock) time allowance of 10.00 seconds
    ProcessVisibility: Background
    ProcessState: Running
    WatchdogEvent: scene-update
    WatchdogVisibility: Background
    WatchdogCPUStatistics: (
    "Elapsed total CPU time (seconds): 6.120 (user 3.480, system 2.640), 10% CPU",
    "Elapsed application CPU time (seconds): 0.051, 0% CPU"
    ) reportType:CrashLog maxTerminationResistance:Interactive>

    Triggered by Thread:  0

    Thread 0 name:   Dispatch queue: com.apple.main-thread
    Thread 0 Crashed:
    0   libsystem_kernel.dylib               0x19b45d838 __psynch_mutexwait + 8
    1   Notes                                0x10050bc54 0x100500000 + 48212

    Thread 1:
    0   libdyld.dylib                        0x19b45d900 start + 4

    Binary Images:
    0x100500000 - 0x10051ffff Notes arm64 /private/var/Notes
    """

  /// A JetsamEvent with these entries.
  static func jetsam(_ entries: String...) -> String {
    """
    {"bug_type":"298","timestamp":"2026-11-22 20:03:41.12 +0100","os_version":"iPhone OS 18.2 (22C150)"}
    {
      "memoryStatus" : {
        "pageSize" : 16384,
        "memoryPages" : { "free" : 4100 }
      },
      "largestProcess" : "Tunes",
      "processes" : [
      \(entries.joined(separator: ",\n  "))
      ]
    }
    """
  }

  /// A JetsamEvent of iOS 8.
  static func jetsamTable() -> String {
    """
    Incident Identifier: 4A3B
    OS Version:          iOS 8.0.2 (12A405)
    Date:                2014-10-02 20:14:55.310 +0200

    Free pages:        1850
    Largest process:   Tunes

    Processes
         Name              <UUID>                     CPU Time   rpages   purgeable   lifetime_max   fds   [reason]   (state)

          Notes <00000000000000000000000000000a11>   31.482   88210   12   88410   100   [per-process-limit]   (frontmost) (resume)
          Tunes <00000000000000000000000000000a12>   4.107    99120    0   99900    50                         (suspended)
       exampled <00000000000000000000000000000a13>   0.921      450    0     610   100   [highwater]           (daemon)
    """
  }

  /// A diagnostic report of iOS 27 about a crash with these members.
  static func diagnostic(_ members: String) -> String {
    """
    {"timeRange":{"start":"2026-11-22T09:00:00Z","end":"2026-11-22T09:20:00Z"},
    "environment":{"pid":412,"bundleIdentifier":"com.example.notes","osVersion":"iPhone OS 27.0 (24A300)",
    "states":[{"domain":"dev.tracectl.lifecycle","label":"background/sceneDidEnterBackground",
    "stableMetadata":{"log":"00112233445566778899aabbccddeeff"}}]},
    "result":{"crash":{\(members),"callStackTree":{"callStacks":[{"signal":5}]}}}}

    """
  }

  /// An entry of it.
  static func entry(
    _ name: String, _ state: String, reason: String? = nil, pages: Int = 960, pid: Int = 1450
  ) -> String {
    """
    {
        "uuid" : "00A1",
        "states" : [
          "\(state)"
        ],
        "rpages" : \(pages),
        \(reason.map { "\"reason\" : \"\($0)\"," } ?? "")
        "pid" : \(pid),
        "name" : "\(name)",
        "lifetimeMax" : 1280
      }
    """
  }
}

/// The events that a report becomes, as notation; each line without the blanks between its columns.
func reported(_ text: String, app: String? = nil, chunk: Int = .max) throws -> [String] {
  try notation(of: text.utf8, ReportSource(app: app), chunk: chunk).split(separator: "\n").map {
    $0.split(separator: " ", omittingEmptySubsequences: true).joined(separator: " ")
  }
}

/// What a report says of the end of a process; `nil` when it reports no death.
func ending(_ text: String, app: String? = nil) throws -> String? {
  try reported(text, app: app).first { $0.contains(" kill app") || $0.contains(" exit app") }
}

/// The reports that were read in a text.
func reports(in text: String, app: String? = nil) throws -> [TerminationReport] {
  var source = ReportSource(app: app)
  _ = try events(of: text.utf8, &source)
  return source.reports
}
