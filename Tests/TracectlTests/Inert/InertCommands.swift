/// What each command is tried with; a command without an entry fails the test.
enum InertCommands {
  /// A run, and what it writes.
  struct Trial {
    let words: [String]
    let form: InertForm
    /// Other files that it writes.
    var files: [String: InertForm] = [:]
  }

  /// Commands that may show nothing of their inputs.
  static let silent: Set = [
    "simulate", "verify", "query", "config init", "config check", "config schema",
  ]

  private static func trial(
    _ words: String..., form: InertForm = .text, files: [String: InertForm] = [:]
  ) -> Trial {
    Trial(words: words, form: form, files: files)
  }

  /// The trials of each command, in an order in which later ones find what earlier ones write.
  static func trials(_ input: HostileInputs) -> [(command: String, trials: [Trial])] {
    makers(input) + readers(input) + comparers(input) + settings(input)
  }

  private static func makers(_ input: HostileInputs) -> [(String, [Trial])] {
    [
      ("record", [trial("record", "--source", "trace", "-o", input.log, input.trace)]),
      (
        "simulate",
        [
          trial("simulate", input.scenario, "-o", "life.bin"),
          trial("simulate", input.broken, "-o", "b.bin"),
        ]
      ),
      (
        "copy",
        [
          trial("copy", input.log, "--from", "0s", "-o", input.folder + "/slice.bin"),
          trial("copy", input.log, input.log, "-o", input.folder + "/joined.bin"),
          trial("copy", input.log, input.trace, "-o", "no.bin"),
          trial("copy", input.log, "--scrub", "--keep", HostileWords.whole, "-o", "scrubbed.bin"),
          trial("copy", input.trace, "-o", input.folder + "/copy.bin"),
        ]
      ),
    ]
  }

  private static func readers(_ input: HostileInputs) -> [(String, [Trial])] {
    let forms: [InertForm: [String]] = [
      .text: ["text", "xcode"], .json: ["json", "sarif", "gitlab"], .xml: ["junit"],
      .github: ["github"], .markdown: ["markdown"],
    ]
    let reports = [input.log, input.folder].flatMap { log in
      forms.flatMap { form, names in
        names.map { trial("analyze", log, "--format", $0, "--config", "none", form: form) }
      }
    }
    let others = [
      trial("analyze", "-v", "--stats", input.log),
      trial("analyze", input.log, "--config", input.configuration, "-v"),
      trial(
        "analyze", input.log, "--config", input.configuration, "--format", "markdown",
        form: .markdown),
      trial("analyze", input.log, "--crash", input.report), trial("analyze", input.report),
      trial(
        "analyze", input.log, "--format", "json=" + input.results, files: [input.results: .json]),
      trial("analyze", "life.bin", "--reduce", input.folder + "/reduced"),
    ]
    return [
      ("analyze", reports + others),
      (
        "dump",
        [
          trial("dump", input.log, form: .notation),
          trial("dump", "--format", "ndjson", input.log, form: .ndjson),
          trial("dump", input.report, form: .notation),
          trial(
            "dump", "--numbers", "--only", "label=" + HostileWords.whole, input.log, form: .notation
          ),
        ]
      ),
      ("verify", [trial("verify", input.log), trial("verify", input.trace)]),
      (
        "why",
        [
          trial("why", input.log), trial("why", input.log, "lock-at-suspend"),
          trial("why", input.log, "own-rule", "--config", input.configuration),
        ]
      ),
      (
        "timeline",
        [
          trial("timeline", input.log), trial("timeline", input.log, "--format", "ascii"),
          trial("timeline", input.log, "--at", "39s"),
          trial("timeline", input.log, "--at", "39s", "--format", "json", form: .json),
          trial("timeline", input.log, "--changes", "--from", "1s", "--to", "60s"),
        ]
      ),
      ("tail", [trial("tail", "-n", "1000", input.log)]),
      (
        "report",
        [
          trial("report", input.log, "-o", "page.html", files: ["page.html": .html])
        ]
      ),
      ("export", exports(input)), ("query", queries(input)),
    ]
  }

  private static func exports(_ input: HostileInputs) -> [Trial] {
    let tables: [(String, InertForm)] = [("csv", .csv), ("ndjson", .ndjson)]
    return [
      trial(
        "export", input.log, "--format", "perfetto", "-o", "run.pftrace",
        files: ["run.pftrace": .binary]),
      trial("export", input.log, "--format", "otlp", form: .ndjson),
    ]
      + tables.map { name, form in
        trial(
          "export", "--tables", "all", "--format", name, input.log, input.folder, "-o", "tables",
          files: [
            "tables/events.\(name)": form, "tables/logs.\(name)": form,
            "tables/findings.\(name)": form,
          ])
      }
  }

  private static func queries(_ input: HostileInputs) -> [Trial] {
    let forms: [(String, InertForm)] = [
      ("table", .text), ("csv", .csv), ("json", .json), ("ndjson", .ndjson),
      ("markdown", .markdown),
    ]
    return forms.map { name, form in
      trial("query", input.log, "select * from events", "--format", name, form: form)
    } + [
      trial("query", input.folder, "--view", "deaths", "--format", "csv", form: .csv),
      trial(
        "query", input.log, "select log, app, 'x' as \"=1\u{1b}\" from logs", "--format", "csv",
        form: .csv),
      trial(
        "query", input.log,
        "select '"
          + HostileWords.whole.replacing("'", with: "''")
          .replacing("\0", with: "") + "' from nothing"),
    ]
  }

  private static func comparers(_ input: HostileInputs) -> [(String, [Trial])] {
    let forms: [(String, InertForm)] = [
      ("text", .text), ("json", .json), ("markdown", .markdown), ("github", .github),
    ]
    return [
      (
        "diff",
        forms.map { trial("diff", input.log, "life.bin", "--format", $0.0, form: $0.1) }
          + [trial("diff", input.folder, "--against", input.log)]
      ),
      (
        "baseline write",
        [
          trial(
            "baseline", "write", input.log, "--baseline", input.baseline,
            files: [input.baseline: .ndjson])
        ]
      ),
      ("baseline prune", [trial("baseline", "prune", "life.bin", "--baseline", input.baseline)]),
    ]
  }

  private static func settings(_ input: HostileInputs) -> [(String, [Trial])] {
    let team = ["--config", input.configuration]
    func rules(_ words: String..., form: InertForm = .text) -> Trial {
      Trial(words: words + team, form: form)
    }
    return [
      (
        "explain",
        [
          rules("explain"), rules("explain", "--format", "json", form: .json),
          rules("explain", "--format", "markdown", form: .markdown),
          rules("explain", "own-rule"), rules("explain", "own-rule", "--format", "notation"),
          rules("explain", "own-rule", "--format", "english"),
          rules("explain", "own-rule", "--format", "automaton"),
        ]
      ),
      ("config init", [trial("config", "init")]),
      (
        "config check",
        [
          rules("config", "check"), trial("config", "check", "--config", input.broken),
          trial("config", "check", input.broken),
        ]
      ),
      ("config show", [rules("config", "show")]),
      ("config schema", [trial("config", "schema", form: .json)]),
    ]
  }
}
