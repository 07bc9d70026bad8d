import Platform
import TraceText

/// What was probably meant by `tracectl record` without `--source` and without an app.
enum RecordGuess {
  /// The advice, as an error has it, by the argument that was given, if any.
  static func advice(_ file: String?) -> String {
    guard let file else {
      return "name an app to record after --, or a text to read: --source FORM FILE"
    }

    let word = InertText.word(file)
    guard access(file, F_OK) == 0 else {
      return "\(word): no such file; to record an app, put it after --: tracectl record -- \(word)"
    }

    if LogFinder.isRegularFile(file) && access(file, X_OK) == 0 {
      return "is \(word) the app? put it after --: tracectl record -- \(word)"
    }
    return "name the format of the text: tracectl record --source \(source(of: file)) \(word)"
  }

  private static func source(of file: String) -> String {
    if file.hasSuffix(".ndjson") || file.hasSuffix(".jsonl") { return "ndjson" }
    return file.hasSuffix(".trace") ? "trace" : "console"
  }
}
