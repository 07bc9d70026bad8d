/// Where an answer goes: a file, which is replaced as a whole, or standard output.
final class Output {
  private let draft: ReportFile.Draft?
  private let limit: ExpansionLimit?
  /// How many bytes were appended.
  private(set) var count = 0

  /// Begins to write to `file`, or to standard output without one; the output is no longer than `limit`
  /// allows.
  init(_ file: ReportFile?, _ limit: ExpansionLimit? = nil) throws {
    draft = try file?.begin()
    self.limit = limit
  }

  /// Appends bytes, while `held` bytes more wait; `logBytes` is how many bytes of a log state them, `nil`
  /// where that sets no limit.
  func append(_ bytes: [UInt8], of logBytes: Int? = nil, held: Int = 0) throws {
    count += bytes.count
    try limit?.check(count + held, of: logBytes)
    if let draft { try draft.append(bytes) } else { try Terminal.write(bytes) }
  }

  /// Puts the file in its place.
  func finish() throws { try draft?.finish() }
}
