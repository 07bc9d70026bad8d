import LifecycleModel
import TraceText

/// A word of a command that a person may paste into a shell.
package enum ShellWord {
  /// The name of a file, which is no option where it begins with a dash.
  package static func file(_ name: String) -> String {
    quoted(name.hasPrefix("-") ? "./\(name)" : name)
  }

  /// A log as a command names it, behind the options that it needs.
  package static func log(_ name: String, _ options: [String]) -> String {
    (options.map(quoted) + [file(name)]).joined(separator: " ")
  }

  /// The word as it is where a shell takes it so, else in single quotes; control characters are written
  /// as ``InertText`` writes them.
  package static func quoted(_ word: String) -> String {
    let word = InertText.line(word)
    let isPlain =
      !word.isEmpty && word.first != "#"
      && word.utf8.allSatisfy { byte in
        (0x30...0x39).contains(byte) || (0x41...0x5a).contains(byte)
          || (0x61...0x7a).contains(byte) || "_./:@%+=,-#".utf8.contains(byte)
      }
    return isPlain ? word : "'\(word.replacing("'", with: "'\\''"))'"
  }
}
