import LifecycleModel
import TraceAnalysis

extension MappingSchema {
  private static let severities = Severity.allCases.map(\.rawValue)

  /// Events: words as in the notation, a mapping, or a list of both.
  static let events = Kind.oneOrMore(.either([.text, .shape(event)]))

  /// States: words, words with what they go with, or a list of both.
  static let states = Kind.oneOrMore(.either([.word(StateWords.plain.map(\.word)), .shape(state)]))

  /// An event as a mapping.
  static let event = MappingSchema(
    "event", "an event", required: ["verb"],
    [
      Key("verb", .word(EventWords.verbs), "the verb, as in the notation"),
      Key("name", .oneOrMore(.text), "the callback, notification, category or identifier"),
      Key("subject", .oneOrMore(.word(EventWords.subjects)), "the kind of subject"),
      Key("label", .oneOrMore(.text), "the app's own text"),
      Key("thread", .word(EventWords.threads), "the recording thread"),
      Key("role", .oneOrMore(.word(SceneRole.allCases.map(\.rawValue))), "the role of the scene"),
      Key("with", .oneOrMore(.text), "attributes, such as handler=false or by!=system"),
    ])

  /// A state that goes with something.
  static let state = MappingSchema(
    "state", "a state",
    [
      Key("holding", .word(Resource.allCases.map(\.rawValue)), "the app holds such a resource"),
      Key("running", .word(WorkCategory.allCases.map(\.rawValue)), "such work is running"),
      Key(
        "inside", .either([.word(Callback.allCases.map(\.rawValue)), .shape(inside)]),
        "this callback is running for the event's scene, or for the app"),
      Key(
        "declares", .oneOrMore(.word(Profile.knownBackgroundModes)),
        "the app declares one of these background modes"),
      Key("open", events, "something is open that such an event began"),
      Key("of", .word([StateWords.leaving]), "open: only in what leaves the foreground"),
    ])

  static let inside = MappingSchema(
    "inside", "the mapping of \"inside\"", required: ["scene", "app"],
    [
      Key("scene", .word(EventWords.sceneCallbacks), "for the event's scene"),
      Key("app", .word(EventWords.appCallbacks), "for the app"),
    ])

  static let between = MappingSchema(
    "between", "the mapping of \"between\"", required: ["from"],
    [
      Key("from", events, "opens the window"),
      Key("until", events, "closes it; with process-end, only the end of the process closes it"),
    ])

  static let milder = MappingSchema(
    "milder", "the mapping of \"milder\"", required: ["severity"],
    [
      Key("severity", .word(severities), "the severity in that case"),
      Key("on-ports", .word(["true"]), "if the events come from a UIKit port"),
      Key("os", .text, "on these major system versions, such as 11..12"),
      Key("after", events, "if such an event came before"),
      Key("within", .time, "less than this long before"),
    ])

  /// The keys that say what a pattern looks for.
  static let patternKeys = [
    Key("never", events, "the event that must not come"),
    Key("between", .shape(between), "never: the window in which it must not come"),
    Key("exercised-by", events, "never: an event that shows that the rule had something to check"),
    Key("every", events, "the event that requires a response"),
    Key("then", events, "every: the response; order: the second event"),
    Key("before", events, "every: an event that makes a response too late"),
    Key("order", events, "the first event"),
    Key("how", .word(OrderWord.allCases.map(\.rawValue)), "order: how often the order can be kept"),
    Key("budget", events, "the events that begin the timed spans"),
    Key("info", .time, "budget, every: the time at which a finding is a note"),
    Key("warning", .time, "budget, every: the time at which a finding is a warning"),
    Key("error", .time, "budget: the time at which a finding is an error"),
    Key("of", .word(BudgetWord.allCases.map(\.rawValue)), "budget: per span, or for their sum"),
    Key("until", events, "budget: ends a sum; order: ends a pair"),
    Key("balance", events, "the event that opens"),
    Key("closed-by", events, "balance: the event that closes it, once"),
    Key("closed-again", .text, "balance: the message for a second close"),
    Key("count", events, "the event that must not come too often"),
    Key("times", .number, "count: how many are too many"),
    Key(
      "within", .time,
      "every: the response time limit; never: how long the window is open; count: the time span"),
    Key("clock", .word(TimeLimit.Clock.allCases.map(\.rawValue)), "the clock for all times"),
    Key("per", .word(Scope.allCases.map(\.rawValue)), "what to track separately"),
    Key("while", states, "states in which the event counts"),
    Key("unless", states, "states in which the event does not count"),
    Key("role", .oneOrMore(.word(SceneRole.allCases.map(\.rawValue))), "the scene roles"),
    Key(
      "launch", .oneOrMore(.word(LaunchReason.allCases.map(\.rawValue))),
      "the launch reasons"),
    Key("milder", .shape(milder), "when a finding is less severe"),
    Key("says", .text, "the message of a finding, with {name}, {subject}, {since} and so on"),
  ]

  /// One pattern of a rule that has several.
  static let part = MappingSchema(
    "part", "a pattern",
    patternKeys + [
      Key("severity", .word(severities), "a severity below the rule's"),
      Key("profile", .shape(profile), "what the profile must state for this pattern"),
      Key("hooks", hooks, "the hooks that must be recorded for this pattern"),
    ])

  private static let hooks = Kind.list(.oneOrMore(.word(Hook.allCases.map(\.rawValue))))

  static let profile = MappingSchema(
    "profile", "the mapping of \"profile\"",
    [
      Key("mode", .word(Profile.Mode.allCases.map(\.rawValue)), "whether the app uses scenes"),
      Key("scenes", .word(["possible"]), "the app may use scenes"),
      Key("debugger", .word(["false"]), "no debugger"),
      Key("simulator", .word(["false"]), "no simulator"),
      Key("catalyst", .word(["false"]), "not known to run under Mac Catalyst"),
      Key("os", .number, "this major system version or later"),
      Key("says", .oneOrMore(.word(EventWords.profileKeys)), "the profile states one of these"),
    ])

  static let example = MappingSchema(
    "example", "an example", required: ["trace"],
    [
      Key("title", .text, "what it shows"),
      Key("trace", .text, "the trace in notation; ◀ ends each line that the rule must find"),
    ])

  private static let examples = Kind.oneOrMore(.either([.text, .shape(example)]))

  /// A rule of one's own.
  static let rule = MappingSchema(
    "rule", "a rule", required: ["id", "summary", "why", "remedy"],
    [
      Key("id", .text, "the permanent id"),
      Key("summary", .text, "the requirement, in one line"),
      Key("severity", .word(severities), "the highest severity of a finding; default: warning"),
      Key("why", .text, "why it matters"),
      Key("remedy", .text, "how to fix a finding"),
      Key("limits", .text, "what the rule cannot see"),
      Key("profile", .shape(profile), "what the profile must state"),
      Key(
        "hooks", hooks,
        "the hooks that must be recorded, one of each item; default: those of the events"),
      Key("parts", .list(.shape(part)), "several patterns instead of one"),
    ] + patternKeys + [
      Key("clean", examples, "traces without findings"),
      Key("violating", examples, "traces with findings"),
      Key("cannot-tell", examples, "traces for which the rule cannot tell"),
    ])
}
