/// The file that a team begins with: every key of the configuration, commented out.
public enum ConfigurationTemplate {
  /// The text; as it stands it says nothing, and each part is right without its `# `.
  public static let text = """
    # What this team has decided about its logs. tracectl finds this file in the directory in which
    # it runs, or above. Take the # away from what you need; tracectl config check tells of mistakes.

    # What rules are set to: off, on, info, warning or error, by their ids or numbers.
    # tracectl rules lists them all.
    # rules:
    #   R78: error
    #   work-memory-in-background: off
    #   data-unsaved-after-resign:
    #     severity: info
    #     reason: documents are saved on every edit

    # Times that must not be exceeded, beside those that the system allows.
    # budgets:
    #   - callback: sceneDidEnterBackground
    #     warning: 500ms
    #     error: 2s

    # Findings that are accepted, each with a reason and, if you like, a last day.
    # suppressions:
    #   - rule: lost-events
    #     reason: the test device prints too much
    #     expires: 2099-12-31

    # The severity from which on tracectl analyze exits with 1: error, warning, info or never.
    # fail-on: warning

    # With true, a log that does not show what it claims to record makes the exit status 4.
    # strict: false

    # What every log must record.
    # requires-hooks: [app-delegate, scene-delegate]

    # What holds for your app where a log does not say it.
    # profile:
    #   mode: scene
    #   os: 18.2
    #   background-modes: none

    # Findings that are known already, as written by tracectl baseline write.
    # baseline: tracectl-baseline.jsonl

    # How reports are written.
    # output:
    #   format: text
    #   color: auto

    # Rules of your own. Files in rules/ are read, too.
    # patterns:
    #   - id: save-soon-after-edit
    #     summary: an edited document is saved within ten seconds
    #     why: A crash costs what was not saved.
    #     remedy: Save on a timer, and not in lifecycle callbacks alone.
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
