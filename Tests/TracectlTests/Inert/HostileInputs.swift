import Foundation

/// A folder with inputs of each form, in which each text is hostile: names of files too.
struct HostileInputs {
  let scratch: ScratchFolder
  /// A binary log, a trace, a folder of both, a crash report, a scenario, a configuration and SQL.
  let log = HostileWords.fileNames[0] + ".bin"
  let trace = HostileWords.fileNames[1] + ".trace"
  let folder = HostileWords.fileNames[2]
  let report = HostileWords.fileNames[1] + ".ips"
  let scenario = HostileWords.fileNames[2] + ".yml"
  let configuration = HostileWords.fileNames[0] + ".yml"
  let broken = HostileWords.fileNames[1] + ".yml"
  let baseline = HostileWords.fileNames[0] + ".jsonl"
  let results = HostileWords.fileNames[1] + ".json"

  init() throws {
    scratch = try ScratchFolder()
    try scratch.file(trace, Self.events)
    try scratch.file(report, Self.crash)
    try scratch.file(scenario, Self.life)
    try scratch.file(configuration, Self.team)
    try scratch.file(broken, Self.team + Self.mistakes)
    try FileManager.default.createDirectory(
      atPath: scratch.path(folder), withIntermediateDirectories: false)
    for name in HostileWords.fileNames {
      try scratch.file("\(folder)/\(name).trace", Self.events)
    }
    try scratch.file("\(folder)/\(HostileWords.fileNames[0]).bin", "no log")
  }

  /// Runs the command in the folder.
  func run(_ words: [String], input: String = "") throws -> CommandRun {
    try CommandRun(words, input: input, in: scratch.url)
  }

  // MARK: Contents

  private static func q(_ text: String) -> String { HostileWords.quoted(text) }
  private static let whole = q(HostileWords.whole)
  private static let yaml = HostileWords.yaml(HostileWords.whole)
  /// Without braces, in which placeholders stand.
  private static let plain = HostileWords.yaml(
    HostileWords.whole.replacing("{", with: "").replacing("}", with: ""))
  private static let short = HostileWords.yaml(HostileWords.texts[9])

  /// A life in which each text of `HostileWords` is a name, a label, a thread, a key and a value.
  private static let events: String = {
    var lines = [
      "0s - profile mode=app os=18.2 hooks=work,app-delegate,tasks,resources,system,data "
        + "app=\(whole) version=\(whole) build=\(whole) device=\(whole) \(whole)=\(whole)",
      "0s - process.start app launch=user pid=\(whole) bundle=\(whole)",
      "0s main call applicationDidFinishLaunching app",
      "0s main return applicationDidFinishLaunching app",
      "1s main call applicationDidEnterBackground app",
      "1s main return applicationDidEnterBackground app",
    ]
    for (index, text) in HostileWords.texts.enumerated() {
      let (word, time) = (q(text), "\(2 + index / 10).\(index % 10)s")
      lines += [
        "\(time) \(word) work timer app \(word) \(word)=\(word)", "\(time) main note app \(word)",
        "\(time) \(word) acquire lock app \(word)",
        "\(time) \(word) my.\(index) \(word) app \(word)",
        "\(time) \(word) task.begin task:\(index + 1) \(word) handler=true",
        "\(time) main data.dirty app \(word)",
      ]
    }

    lines += [
      "40s - suspend app", "45s - gap \(whole) 1 writer=\(whole)",
      "50s - kill app reason=\(whole) code=0xdead10cc by=\(whole) told=\(whole) exception=\(whole)",
    ]
    return lines.map { $0 + "\n" }.joined()
  }()

  private static let crash = """
    {"app_name":\(whole),"timestamp":"2026-11-22 17:31:47.00 +0100","app_version":\(whole),\
    "build_version":\(whole),"bundleID":\(whole),"bug_type":"309","os_version":\(whole),\
    "name":\(whole),"incident_id":\(whole)}
    {"captureTime":"2026-11-22 17:31:46.2000 +0100","incident":\(whole),"pid":412,\
    "procLaunch":"2026-11-22 17:31:05.1000 +0100","procName":\(whole),"procPath":\(whole),\
    "bundleInfo":{"CFBundleIdentifier":\(whole)},"parentProc":\(whole),"modelCode":\(whole),\
    "osVersion":{"train":\(whole),"build":\(whole)},\
    "exception":{"codes":\(whole),"type":"EXC_CRASH","signal":"SIGABRT"},\
    "termination":{"namespace":\(whole),"code":7,"reasons":[\(whole)],"indicator":\(whole)},\
    "asi":{\(whole):[\(whole)]},"lastExceptionBacktrace":[],"exceptionReason":\
    {"composed_message":\(whole),"name":\(whole),"class":\(whole)}}

    """

  private static let life = """
    app: {mode: app}
    when:
      applicationDidEnterBackground:
        - begin-task: \(yaml)
        - perform: {category: network, label: \(yaml), takes: 2s, then: []}
    actions:
      - 0s: launch
      - 3s: touch
      - 70s: home

    """

  private static let team = """
    rules:
      lost-events: {severity: info, reason: \(yaml)}
    budgets:
      - label: \(yaml)
        work: timer
        warning: 1ms
    suppressions:
      - {rule: lock-at-suspend, label: \(yaml), reason: \(yaml)}
      - {rule: data-dirty-at-background, reason: \(yaml), expires: 2099-12-31}
    patterns:
      - id: own-rule
        summary: \(yaml)
        why: \(yaml)
        remedy: \(yaml)
        never: work timer
        says: \(plain)
        clean: |
          0s - profile hooks=work
        violating: |
          0s - profile hooks=work
          1s main work timer app \(whole) ◀

    """

  private static let mistakes = """
      - id: \(yaml)
        never: \(yaml)
      - id: other-rule
        summary: x
        \(short): \(yaml)
    output: {format: \(yaml)}
    \(short): \(yaml)

    """
}
