import LifecycleModel
import Platform
import TraceLog
import TraceReport
import TraceText

/// A log that a command makes of others: it has its name when it is whole, and never takes that of one
/// of them.
final class DerivedLog {
  private let path: String
  /// Where it goes: behind a link that the user named.
  private let target: String
  private let inputs: [String]
  private let draft: String
  private var hasDraft = false
  private var writer: LogWriter?
  /// How many events were written.
  private(set) var eventCount = 0
  private var isClosed = false

  /// Finds out what can be known before there is anything to write.
  init(_ options: DerivedLogOptions, madeOf inputs: [String]) throws {
    (path, self.inputs) = (options.output, inputs)
    target = path == "-" ? path : try ReportFile.place(of: path)
    draft = "\(target).\(getpid()).tmp"
    try NewLog.check(path, mustBeNew: !options.replace)
    if path == "-" { return }
    for input in inputs where ReportFile.isOf(input, path) {
      throw CommandError.usage("\(path): is an input; choose another -o")
    }

    // Readers would join them with the new log.
    let ring = path + RingFormat.pathEnding
    let besides = [LogPartFinder.newestPart(beside: path), access(ring, F_OK) == 0 ? ring : nil]
    for beside in besides.compactMap(\.self) {
      throw CommandError.usage("\(beside): belongs to another log of this name; choose another -o")
    }
    guard access(path, F_OK) == 0 else { return }
    if LogFinder.isDirectory(path) {
      throw CommandError.usage("\(path): is a directory; name a file in it with -o")
    }
    if !options.replace {
      throw CommandError.usage("\(path): already exists; choose another -o, or pass --replace")
    }
    if !LogFinder.isRegularFile(path) || !LogReader.beginsLikeLog(path) {
      throw CommandError.usage("\(path): is not a log, so it is not replaced; choose another -o")
    }
    if SystemCalls.isFileLocked(path) {
      throw CommandError.usage("\(path): is being recorded; choose another -o")
    }
  }

  deinit {
    // What stood there before is somebody's file.
    if !isClosed && hasDraft { unlink(draft) }
  }

  /// Whether the log was begun.
  var isBegun: Bool { writer != nil }

  /// Begins the log of events of `vocabulary`.
  func begin(
    _ vocabulary: Vocabulary, _ identity: LogIdentity, after beginning: LogBeginning
  ) throws {
    try telling {
      let sink =
        try path == "-" ? FileLogSink(descriptor: 1) : FileLogSink(path: draft, .create)
      hasDraft = path != "-"
      writer = try LogWriter(
        to: sink, vocabulary: vocabulary, identity: identity, after: beginning)
    }
  }

  /// Appends events.
  func append(_ events: [Event]) throws {
    eventCount += events.count { $0.verb != .gap }
    try telling { try writer?.append(events) }
  }

  /// Forgets words that no open thing needs, when there are many.
  func forgetUnusedWords() throws {
    guard let writer, writer.vocabulary.isLarge else { return }
    try telling { try writer.flush() }
    writer.forgetUnusedWords()
  }

  /// Ends the log and gives it its name; returns what was written, in words.
  ///
  /// A log without events is an error.
  func close() throws -> String {
    guard let writer, eventCount > 0 else {
      let names = inputs.map(InertText.word).joined(separator: ", ")
      throw CommandError.unreadable(
        "\(names): has no event that can be read, so no log is written; tracectl verify says whether it "
          + "is damaged")
    }
    try telling {
      try writer.close()
      if path == "-" { return }
      if let old = FileStatus(target) { chmod(draft, mode_t(old.mode & 0o777)) }
      if rename(draft, target) != 0 { throw CommandError.notWritten(path) }
    }

    isClosed = true
    let name = NewLog.name(of: path)
    return "\(CountText.of(eventCount, "event")) → \(name), \(writer.byteCount) bytes"
  }

  private func telling(_ work: () throws -> Void) throws {
    do { try work() } catch LogError.notFound {
      throw CommandError.unreadable("\(path): cannot be created; does its folder exist?")
    } catch LogError.noPermission {
      throw CommandError.unreadable(
        "\(path): cannot be created: permission denied; check the folder's owner and mode")
    } catch LogError.diskFull {
      throw CommandError.unreadable("\(NewLog.name(of: path)): the disk is full; free some space")
    } catch {
      throw CommandError.writing(error)
    }
  }
}

extension WholeEvents {
  /// What was done to events so that the log is whole, in lines.
  var changes: [String] {
    let holes = CountText.of(holeCount, "hole")
    let events = CountText.of(raisedCount, "event")
    return (holeCount == 0 ? [] : ["\(holes) without a gap: has one now"])
      + (raisedCount == 0 ? [] : ["\(events) earlier than the event before: moved to its time"])
  }
}
