/// Why a query is refused, or has no answer: what happened, where, and what to do next.
///
/// It may have several lines, of which the later ones show the place in the SQL.
package struct QueryError: Error, CustomStringConvertible {
  /// What happened, where, and what to do next.
  package let description: String

  init(_ description: String) { self.description = description }
}
