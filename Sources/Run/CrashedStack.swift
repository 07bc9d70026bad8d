/// What a report's remark says of the stack of the thread that crashed, where the app's code is not in it.
package enum CrashedStack {
  /// The beginning of the remark that the stack is missing.
  package static let missing = "the report lacks the frames of "
  /// The beginning of the remark on what threw an exception.
  package static let thrown = "the exception was thrown in "
  /// The end of the remark on a stack that is whole and has no frame of the app.
  package static let foreign = "; no frame of it is the app's"
}
