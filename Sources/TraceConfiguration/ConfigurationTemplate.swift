/// The file that a team begins with: every key of the configuration, commented out.
public enum ConfigurationTemplate {
  /// The text; as it stands it says nothing, and each part is right without its `# `.
  public static let text = """
    # The team's settings for its logs. tracectl looks for this file in the current directory and
    # above. Remove the # from the lines you need; tracectl config check reports mistakes.

    # Rule settings: off, on, info, warning or error, by rule id or number.
    # tracectl explain lists all rules.
    # rules:
    #   R78: error
    #   work-memory-in-background: off
    #   data-unsaved-after-resign:
    #     severity: info
    #     reason: documents are saved on every edit

    # Time limits of your own, in addition to the system's.
    # budgets:
    #   - callback: sceneDidEnterBackground
    #     warning: 500ms
    #     error: 2s

    # Accepted findings, each with a reason and optionally an expiry date.
    # suppressions:
    #   - rule: lost-events
    #     reason: the test device prints too much
    #     expires: 2099-12-31

    # tracectl analyze exits with 1 at this severity or above: error, warning, info or never.
    # fail-on: warning

    # If true, the exit status is 4 when a log lacks events that it claims to record.
    # strict: false

    # The hooks that every log must record.
    # requires-hooks: [app-delegate, scene-delegate]

    # Facts about your app, for logs that do not state them.
    # profile:
    #   mode: scene
    #   os: 18.2
    #   background-modes: none

    # Known findings, as written by tracectl baseline write.
    # baseline: tracectl-baseline.jsonl

    # Report settings.
    # output:
    #   format: text
    #   color: auto

    # Your own rules. tracectl also reads the files in rules/.
    # patterns:
    #   - id: save-soon-after-edit
    #     summary: an edited document is saved within ten seconds
    #     why: A crash loses everything unsaved.
    #     remedy: Save on a timer, not only in lifecycle callbacks.
    #     every: data.dirty
    #     then: data.save
    #     within: 10s
    #     per: label
    #     clean: |
    #       0s - profile hooks=data
    #       1s main data.dirty app "letter"
    #       9s main data.save app "letter"
    #     violating: |
    #       0s - profile hooks=data
    #       1s main data.dirty app "letter" ◀
    #       30s main note

    """
}
