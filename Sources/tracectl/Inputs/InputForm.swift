import TraceLog
import TraceSources
import TraceText

/// What an input is, by its first bytes.
enum InputForm: Equatable {
  /// A binary log.
  case log
  /// A trace as text.
  case trace(TextSource.Form)
  /// Text of which no line at the beginning fits a form; it is read as if it were a trace.
  case unknownText
  /// What a console tool prints.
  case console
  /// A file that is compressed with gzip.
  case gzip
  /// A report about the end of a process.
  case report(ReportForm)
  /// A form that is known, and not read: what it is, and what to do instead.
  case notRead(String)

  /// Whether it may be about several apps, of which a person names one.
  var namesApps: Bool {
    switch self {
    case .console, .report: true
    default: false
    }
  }

  /// As many first bytes as it takes at most to know a form.
  static let sampleLength = 1 << 16

  /// What an input is whose first bytes are `sample`; `nil` when more of them are needed.
  ///
  /// With `isWhole` there are no more, or enough.
  init?(_ sample: ArraySlice<UInt8>, name: String, isWhole: Bool) {
    let text = sample.starts(with: [0xef, 0xbb, 0xbf]) ? sample.dropFirst(3) : sample
    let first =
      InputForm(magic: sample, name: name, isWhole: isWhole)
      ?? InputForm(firstLines: text, isWhole: isWhole)
    if let first {
      self = first
      return
    }

    guard isWhole else { return nil }
    self =
      InputForm(json: text) ?? InputForm(report: text)
      ?? (ConsoleSource.recognizes(text) ? .console : .unknownText)
  }

  // MARK: Bytes

  /// The first bytes of what is known and not read; `NAME` stands for the file.
  private static let notRead: [(magic: [UInt8], what: String)] = [
    (
      Array("PK\u{3}\u{4}".utf8),
      "a zip archive; unpack it, and name the folder: unzip NAME -d unpacked"
    ),
    ([0xfd, 0x37, 0x7a, 0x58, 0x5a, 0x00], "compressed with xz; unpack it: xz -d"),
    ([0x28, 0xb5, 0x2f, 0xfd], "compressed with zstd; unpack it: zstd -d"),
    (Array("BZh".utf8), "compressed with bzip2; unpack it: bunzip2"),
    (Array("bplist00".utf8), "a binary property list, which contains no trace"),
    (Array("SQLite format 3\0".utf8), "an SQLite database, which contains no trace"),
    ([0x89] + Array("PNG".utf8), picture), ([0xff, 0xd8, 0xff], picture),
    (Array("%PDF".utf8), document), (Array(#"{\rtf"#.utf8), document),
    (Array("PAR1".utf8), "a Parquet file; tracectl cannot read it: analyze the original log"),
  ]

  private static let picture = "a picture; paste the text that it shows"
  private static let document = "a document; save its text as plain text"

  private init?(magic sample: ArraySlice<UInt8>, name: String, isWhole: Bool) {
    let name = InertText.word(name)
    if LogReader.isLog(sample.prefix(64)) || isWhole && LogReader.beginsLikeLog(sample) {
      self = .log
    } else if sample.dropFirst(257).starts(with: "ustar".utf8) {
      self = .notRead("a tar archive; unpack it, and name the folder: tar -xf \(name)")
    } else if sample.starts(with: GzipInput.magic) {
      self = .gzip
    } else if let known = InputForm.notRead.first(where: { sample.starts(with: $0.magic) }) {
      self = .notRead(known.what.replacing("NAME", with: name))
    } else if sample.contains(0) {
      if !isWhole { return nil }
      // Its reader finds what can be read behind the damage.
      self = ConsoleSource.recognizes(sample) ? .console : .log
    } else {
      return nil
    }
  }

  // MARK: Lines

  /// What the first line that is no comment says.
  private init?(firstLines text: ArraySlice<UInt8>, isWhole: Bool) {
    for line in text.split(separator: 0x0a, omittingEmptySubsequences: true).prefix(200) {
      // The last line may go on in bytes that are not there.
      if line.endIndex == text.endIndex && !isWhole { return nil }
      let start = line.drop { $0 <= 0x20 }
      guard let first = start.first, first != UInt8(ascii: "#") else { continue }
      if first == UInt8(ascii: "{") {
        let members = (try? JSONText.object(start)) ?? []
        guard members.contains(where: { $0.key == "verb" }) else { return nil }
        self = .trace(.ndjson)
        return
      }
      guard TraceNotation.instant(ofLine: line) != nil else { return nil }
      self = .trace(.notation)
      return
    }
    return nil
  }

  // MARK: Reports

  private static let jsonForms: [(keys: [String], form: InputForm)] = [
    (["\"eventMessage\""], .console), (["\"message\"", "\"image_name\"", "\"pid\""], .console),
    (["\"traceEvents\""], .notRead("a Chrome trace; analyze the original log")),
  ]

  /// What a JSON document is, by the keys at its beginning.
  private init?(json text: ArraySlice<UInt8>) {
    let start = text.drop { $0 <= 0x20 || $0 == UInt8(ascii: "`") }
    let isFiltered = start.starts(with: Array("Filtering the log data".utf8))
    guard let first = start.first,
      first == UInt8(ascii: "{") || first == UInt8(ascii: "[") || isFiltered
    else { return nil }

    // The first member by the alphabet.
    let members = start.dropFirst().drop(while: { $0 <= 0x20 })
    // `causes` begins those of older versions.
    if ["baseline", "cannotTell", "causes"].contains(where: {
      members.starts(with: "\"\($0)\"".utf8)
    }) {
      self = .notRead("a JSON report of analyze, which contains no events; name the log itself")
      return
    }

    let head = start.prefix(InputForm.sampleLength)
    for (keys, form) in InputForm.jsonForms
    where keys.allSatisfy({ head.firstRange(of: $0.utf8) != nil }) {
      self = form
      return
    }
    return nil
  }

  /// What a report is, or why nobody reads it.
  private init?(report text: ArraySlice<UInt8>) {
    if let form = ReportForm(text) {
      self = .report(form)
    } else if let what = ReportForm.refused(text) {
      self = .notRead("\(what); name a crash report, or a log")
    } else {
      return nil
    }
  }

  /// What a path is that names no file of bytes; `nil` when its bytes have to be looked at.
  static func directory(_ path: String) -> String? {
    let name = path.hasSuffix("/") ? String(path.dropLast()) : path
    if name.hasSuffix(".logarchive") {
      return "a log archive; print it first: "
        + "log show --archive \(InertText.word(name)) --style ndjson > capture.ndjson"
    }
    if name.hasSuffix(".xcresult") { return "an Xcode result bundle, which contains no trace" }
    if name.hasSuffix(".trace") { return "an Instruments document; tracectl cannot read it" }
    return nil
  }
}
