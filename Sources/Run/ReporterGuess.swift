/// What a crash reporter's note says of an end that no handler of its own has seen.
package enum ReporterGuess {
  /// The beginning of the note.
  package static let beginning = "Sentry guesses "
}
