import LifecycleModel
import TraceAnalysis

extension Shape {
  private static let severities = Severity.allCases.map(\.rawValue)

  /// Events: words as in the notation, a mapping, or a list of both.
  static let events = Kind.oneOrMore(.either([.text, .shape(event)]))

  /// States: words, words with what they go with, or a list of both.
  static let states = Kind.oneOrMore(.either([.word(StateWords.plain.map(\.word)), .shape(state)]))

  /// An event as a mapping.
  static let event = Shape(
    "event", "an event", required: ["verb"],
    [
      Key("verb", .word(EventWords.verbs), "what happens, as in the notation"),
      Key("name", .oneOrMore(.text), "the callback, notification, category or identifier"),
      Key("subject", .oneOrMore(.word(EventWords.subjects)), "the kind of what it is about"),
      Key("label", .oneOrMore(.text), "the app's own words"),
      Key("thread", .word(EventWords.threads), "who records it"),
      Key("role", .oneOrMore(.word(SceneRole.allCases.map(\.rawValue))), "the role of its scene"),
      Key("with", .oneOrMore(.text), "what it says of itself, such as handler=false or by!=system"),
    ])

  /// A state that goes with something.
  static let state = Shape(
    "state", "a state",
    [
      Key("holding", .word(Resource.allCases.map(\.rawValue)), "a resource of this kind is held"),
      Key("running", .word(WorkCategory.allCases.map(\.rawValue)), "such work goes on"),
      Key(
        "inside", .either([.word(Callback.allCases.map(\.rawValue)), .shape(inside)]),
        "this callback of the event's scene or app runs"),
    ])

  static let inside = Shape(
    "inside", "the callbacks of a scene and of an app", required: ["scene", "app"],
    [
      Key("scene", .word(EventWords.sceneCallbacks), "of the event's scene"),
      Key("app", .word(EventWords.appCallbacks), "of the app"),
    ])

  static let between = Shape(
    "between", "what opens and closes a window", required: ["from"],
    [
      Key("from", events, "opens the window"),
      Key("until", events, "closes it; process-end says that only the end of the process does"),
    ])

  static let milder = Shape(
    "milder", "when a finding is less serious", required: ["severity"],
    [
      Key("severity", .word(severities), "how much it matters then"),
      Key("on-ports", .flag, "when the events come from another implementation of UIKit"),
      Key("os", .text, "on these major versions of the system, such as 11..12"),
      Key("after", events, "when such an event came"),
      Key("within", .time, "less than this before"),
    ])

  /// The keys that say what a pattern looks for.
  static let patternKeys = [
    Key("never", events, "what must not come"),
    Key("between", .shape(between), "never: the window in which it must not come"),
    Key("exercised-by", events, "never: what shows that there was something to judge"),
    Key("every", events, "what calls for a response"),
    Key("then", events, "every: the response; order: what comes after"),
    Key("before", events, "every: what comes too late for a response"),
    Key("order", events, "what comes first"),
    Key("how", .word(OrderWord.allCases.map(\.rawValue)), "order: how often it can be kept"),
    Key("budget", events, "what begins the spans whose time is limited"),
    Key("info", .time, "budget, every: from here on a note"),
    Key("warning", .time, "budget, every: from here on a warning"),
    Key("error", .time, "budget: from here on an error"),
    Key("of", .word(BudgetWord.allCases.map(\.rawValue)), "budget: of each span, or of their sum"),
    Key("until", events, "budget: what ends a sum; order: what ends a pair"),
    Key("balance", events, "what opens"),
    Key("closed-by", events, "balance: what closes it, once"),
    Key("closed-again", .text, "balance: what is said of what is closed twice"),
    Key("count", events, "what must not come too often"),
    Key("times", .number, "count: how many are too many"),
    Key(
      "within", .time,
      "every: the time for the response; never: how long the window is open; count: the time"),
    Key("clock", .word(TimeLimit.Clock.allCases.map(\.rawValue)), "the clock of all times"),
    Key("per", .word(ScopeWord.allCases.map(\.rawValue)), "what is kept apart"),
    Key("while", states, "in which states the event counts"),
    Key("unless", states, "in which states it does not"),
    Key("role", .oneOrMore(.word(SceneRole.allCases.map(\.rawValue))), "the roles of the scenes"),
    Key(
      "launch", .oneOrMore(.word(LaunchReason.allCases.map(\.rawValue))),
      "the reasons for the process"),
    Key("milder", .shape(milder), "when a finding is less serious"),
    Key("says", .text, "the sentence of a finding, with {name}, {subject}, {since} and so on"),
  ]

  /// One pattern of a rule that has several.
  static let part = Shape(
    "part", "a pattern",
    patternKeys + [Key("severity", .word(severities), "less than the rule's")])

  static let profile = Shape(
    "profile", "conditions on the profile",
    [
      Key("mode", .word(Profile.Mode.allCases.map(\.rawValue)), "whether the app uses scenes"),
      Key("scenes", .word(["possible"]), "the app is not known to do without scenes"),
      Key("debugger", .word(["false"]), "no debugger"),
      Key("simulator", .word(["false"]), "no simulator"),
      Key("catalyst", .word(["false"]), "not known to be Mac Catalyst"),
      Key("os", .number, "this major version of the system, or later"),
      Key("says", .oneOrMore(.word(EventWords.profileKeys)), "the profile says something of these"),
    ])

  static let example = Shape(
    "example", "an example", required: ["trace"],
    [
      Key("title", .text, "what it shows"),
      Key("trace", .text, "the trace in notation; ◀ ends each line that must be found"),
    ])

  private static let examples = Kind.oneOrMore(.either([.text, .shape(example)]))

  /// A rule of one's own.
  static let rule = Shape(
    "rule", "a rule", required: ["id", "summary", "why", "remedy"],
    [
      Key("id", .text, "the slug, the same for ever"),
      Key("summary", .text, "what must be so, in one line"),
      Key("severity", .word(severities), "how much a finding matters at the most; else warning"),
      Key("why", .text, "why it matters"),
      Key("remedy", .text, "what to do about a finding"),
      Key("limits", .text, "what it cannot see"),
      Key("profile", .shape(profile), "what the profile must say"),
      Key(
        "hooks", .list(.oneOrMore(.word(Hook.allCases.map(\.rawValue)))),
        "the hooks that must be recorded, one of each item; else those of the events"),
      Key("parts", .list(.shape(part)), "several patterns in place of one"),
    ] + patternKeys + [
      Key("clean", examples, "traces in which nothing is found"),
      Key("violating", examples, "traces in which something is"),
      Key("cannot-tell", examples, "traces in which it cannot be told"),
    ])
}
