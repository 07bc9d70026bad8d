import CViews

/// A question about logs that has an answer ready: a view of the tables.
package struct LogView: Sendable {
  /// Its name, of lower-case letters and underscores.
  package let name: String
  /// What it answers.
  package let question: String
  /// The SQL, after a comment with the question.
  package let sql: String

  /// All views; answers first, then parts of tables that questions of one's own begin with.
  package static let all: [LogView] = {
    var views: [LogView] = []
    while let view = LogView(log_view_at(views.count)) { views.append(view) }
    return views
  }()

  private init?(_ view: log_view) {
    guard let name = view.name, let text = view.text else { return nil }
    self.name = String(cString: name)
    let bytes = UnsafeRawBufferPointer(start: text, count: view.length)
    let lines = String(decoding: bytes, as: UTF8.self)
    sql = lines.hasSuffix("\n") ? String(lines.dropLast()) : lines
    question = String(sql.prefix { $0 != "\n" }.drop { $0 == "-" || $0 == " " })
  }
}
