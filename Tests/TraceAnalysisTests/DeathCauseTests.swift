import LifecycleModel
import Run
import Testing

@testable import LifecycleRules
@testable import TraceAnalysis

@Suite struct DeathCauseTests {
  @Test func everyCauseStandsOnceWithASourceAndAnAdvice() {
    for kind in DeathCause.Kind.allCases where kind != .manner {
      let rows = DeathCauses.rows.filter { $0.kind == kind }
      #expect(!rows.isEmpty)
      #expect(Set(rows.map(\.word)).count == rows.count)
      #expect(Set(rows.compactMap(\.number)).count == rows.compactMap(\.number).count)
    }
    for row in DeathCauses.rows {
      let hasNumber = row.kind != .word && row.word != "jetsam"
      #expect((row.number != nil) == hasNumber, "\(row.word)")
      #expect(!row.sources.isEmpty && !row.meaning.isEmpty && !row.advice.isEmpty, "\(row.word)")
      #expect(row.meaning.first?.isLowercase ?? false || row.kind != .signal, "\(row.word)")
    }
  }

  @Test func codesSayWhatATraceShouldShow() {
    #expect(DeathCauses.code(0x8bad_f00d)?.trace?.hasPrefix("A callback, a handler") ?? false)
    #expect(DeathCauses.code(0xdead_10cc)?.trace?.hasPrefix("A lock that is acquired") ?? false)
    #expect(DeathCauses.code(0xbada_5e47)?.trace?.hasPrefix("About a thousand") ?? false)
    #expect(DeathCauses.code(0xc51b_ad03)?.bearing == .innocent)
    #expect(DeathCauses.code(0xbaaa_aaad)?.bearing == .noDeath)
    #expect(DeathCauses.code(0x1bad_babe) == nil && DeathCauses.code(0) == nil)
  }

  @Test func threeCodesAreMetricKitsTimeouts() {
    let reasons = [0x2182_bad2, 0x2182_bad3, 0x2182_bad4].map { DeathCauses.code($0)?.exitReason }
    #expect(
      reasons == [
        .backgroundTaskAssertionTimeout, .backgroundURLSessionCompletionTimeout,
        .backgroundFetchCompletionTimeout,
      ])
  }

  @Test(arguments: [
    ("0x8badf00d", "0x8badf00d"), ("8BADF00D", "0x8badf00d"), ("2343432205", "0x8badf00d"),
    ("RUNNINGBOARD 3735883980", "0xdead10cc"), ("FRONTBOARD 0xbaadca11", "0xbaadca11"),
    ("SIGSEGV", "SIGSEGV"), ("segv", "SIGSEGV"), ("signal 9", "SIGKILL"),
    ("jetsam 7", "per-process-limit"), ("JETSAM highwater", "highwater"),
    ("vm-pageshortage", "vm-pageshortage"), ("TCC", "TCC"), ("namespace 20", "WATCHDOG"),
    ("TCC 0x0", "TCC"), ("forced-quit", "forced-quit"),
    ("active assertions beyond permitted time", "active assertions beyond permitted time"),
  ])
  func aCauseIsFoundAsPeopleTypeIt(_ text: String, _ word: String) {
    #expect(DeathCauses.find(text).map(\.word) == [word])
  }

  /// As crash reports and consoles have it.
  @Test(arguments: [
    ("EXC_BAD_ACCESS", ["SIGBUS", "SIGSEGV"]), ("EXC_CRASH (SIGKILL)", ["SIGKILL"]),
    ("EXC_CRASH", ["SIGABRT", "SIGKILL"]), ("EXC_GUARD", ["GUARD"]),
    ("EXC_RESOURCE", ["cpu", "memory", "io", "wakeups"]),
    ("Namespace RUNNINGBOARD, Code 0xdead10cc", ["0xdead10cc"]),
    ("termination reported by launchd (2, 9, 9)", ["SIGKILL"]),
    ("<RBSTerminateContext| domain:10 code:0x8BADF00D>", ["0x8badf00d"]),
    ("voluntary", ["voluntary"]), ("exit(1)", ["exit status"]), ("exit(0)", ["voluntary"]),
    ("namespace 10", ["FRONTBOARD"]), ("scene-create", ["0x8badf00d"]),
    ("cumulativeBadAccessExitCount", ["SIGBUS", "SIGSEGV"]), ("status 9", ["exit status"]),
    ("11", ["SIGSEGV", "exit status"]), ("7", ["SIGBUS", "exit status"]), ("99", ["exit status"]),
    ("137", ["SIGKILL", "exit status"]),
  ])
  func aCauseIsFoundInALine(_ text: String, _ words: [String]) {
    #expect(DeathCauses.find(text).map(\.word) == words)
  }

  @Test func oneOfMetricKitsReasonsIsFoundByItsName() {
    #expect(DeathCauses.find("appWatchdog").map(\.word) == ["0x8badf00d", "WATCHDOG"])
    #expect(DeathCauses.find("badAccess").map(\.word) == ["SIGBUS", "SIGSEGV"])
    for text in ["", "0x1badbabe", "nonsense", "jetsam 99", "999"] {
      #expect(DeathCauses.find(text).isEmpty, "\(text)")
    }
  }

  @Test func aNameInTheSystemsWordsIsNoCause() {
    let file = "suspended with locked system files: /private/var/debugger.sqlite"
    #expect(DeathCauses.codeInWords(file) == 0xdead_10cc)
    let app = "scene-update watchdog transgression: application<com.example.reboot>:412"
    #expect(DeathCauses.codeInWords(app) == KillCode.watchdog)
    #expect(DeathCauses.codeInWords("Background App Refresh watchdog transgression.") == nil)
  }

  @Test func aSignalHasTheNumberOfItsPlatform() {
    #expect(DeathCauses.signal("10")?.word == "SIGBUS")
    #expect(DeathCauses.signal("10", isLinux: true) == nil)
    #expect(DeathCauses.signal("7", isLinux: true)?.word == "SIGBUS")
    #expect(DeathCauses.signal("31", isLinux: true)?.word == "SIGSYS")
  }

  @Test func aNamespaceIsKnownByItsNumberToo() {
    #expect(DeathCauses.namespaceName("<0xF>") == "RUNNINGBOARD")
    #expect(DeathCauses.namespaceName("20") == "WATCHDOG")
    #expect(DeathCauses.namespaceName("springboard") == "SPRINGBOARD")
    #expect(DeathCauses.namespaceName("99") == "99")
  }
}
