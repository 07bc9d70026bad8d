/// What an app's runtime, or a framework within the app, says as it stops the process: what that means, and what
/// to do.
///
/// The words are the reason of an exception, the last words of a runtime, or the function that stopped the app
/// where nothing else was said. They explain a crash; they never make an end one.
package struct OwnWords: Sendable {
  /// Parts of the words, in lower case.
  let phrases: [String]
  /// What happened, to stand in a sentence of its own.
  let meaning: String
  /// What to do about it.
  package let advice: String

  private init(_ phrases: String..., meaning: String, advice: String) {
    (self.phrases, self.meaning, self.advice) = (phrases, meaning, advice)
  }

  /// The row that explains `words`; `nil` where none does.
  package static func explaining(_ words: String?) -> OwnWords? {
    guard let words = words?.lowercased() else { return nil }
    return all.first { $0.phrases.contains(where: words.contains) }
  }

  /// All rows; of those that fit the first counts.
  static let all = ofLifecycle + ofQueues + ofMemory + ofValues

  // MARK: Rows

  private static let ofLifecycle: [OwnWords] = [
    OwnWords(
      "never posted an incoming call", "unhandledvoippush",
      meaning: "it did not report a VoIP push as a call",
      advice: """
        For every VoIP push, call reportNewIncomingCall(with:update:completion:) before \
        pushRegistry(_:didReceiveIncomingPushWith:for:completion:) is over, also where no call follows.
        """),
    OwnWords(
      "launch handlers must be registered before application finishes launching",
      "_unsafe_registerfortaskwithidentifier",
      meaning: "it registered the handler of a background task after its launch",
      advice: """
        Call register(forTaskWithIdentifier:using:launchHandler:) of BGTaskScheduler before \
        application(_:didFinishLaunchingWithOptions:) returns.
        """),
    OwnWords(
      "launch handler for task with identifier",
      meaning: "it registered two handlers for one background task",
      advice: """
        Register each identifier once: look for an SDK that registers it, too, and for code that runs \
        at each connection of a scene.
        """),
    OwnWords(
      "clclientisbackgroundable",
      meaning: "it asked for locations in the background without the background mode",
      advice: "Add location to UIBackgroundModes, or leave allowsBackgroundLocationUpdates false."),
    OwnWords(
      "wkrefreshbackgroundtask dealloc",
      meaning: "a background task of the watch went away before it was completed",
      advice: """
        Keep each WKRefreshBackgroundTask until its work is done, and call \
        setTaskCompletedWithSnapshot(_:) on every path.
        """),
    OwnWords(
      "completion handler blocks are not supported in background sessions",
      meaning: "it gave a completion handler to a background URL session",
      advice: "Take the results of a background URL session in its delegate."),
    OwnWords(
      "expected to have a root view controller",
      meaning: "a window had no root view controller at the end of the launch",
      advice: """
        Set rootViewController of each window before it is shown; in an app with scenes, in \
        scene(_:willConnectTo:options:).
        """),
    OwnWords(
      "__tcc_crashing_due_to_privacy_violation__",
      meaning: "it used protected data, and its Info.plist lacks the usage description",
      advice: "Add the usage description of what the app asks for to Info.plist."),
    OwnWords(
      "has no persistent stores",
      meaning: "Core Data had no open store",
      advice: """
        Use the store only after it is loaded, and handle the error of loading it: before the first \
        unlock, and in the background, its file may be locked.
        """),
    OwnWords(
      "unhandled js exception",
      meaning: "JavaScript threw an error that nothing caught",
      advice: "Mend the error in the script that the words name; its stack is one of JavaScript."),
  ]

  private static let ofQueues: [OwnWords] = [
    OwnWords(
      "block was expected to execute on queue", "_dispatch_assert_queue_fail",
      "incorrect actor executor assumption",
      meaning: "code of one actor or queue ran on another",
      advice: """
        Declare the closure that the frames name as @Sendable, and change to its actor inside it: Swift \
        took it for code of the actor around it, such as the main one, and a framework called it \
        elsewhere.
        """),
    OwnWords(
      "dispatch_sync called on queue already owned by current thread",
      "__dispatch_wait_for_queue__",
      meaning: "it waited for the queue on which it ran",
      advice: "Do not call sync on the queue that runs the code: call the function, or use async."),
    OwnWords(
      "object deallocated while in use",
      meaning: "a semaphore or a group went away while something waited for it",
      advice: "Keep the semaphore or group until its count is back at that of its start."),
    OwnWords(
      "unbalanced call to dispatch_group_leave",
      meaning: "a group was left more often than it was entered",
      advice: "Leave the group once for each entry: look for a completion that is called twice."),
    OwnWords(
      "os_unfair_lock",
      meaning: "a lock was taken twice by one thread, or released by another",
      advice: "Take and release the lock on one thread, and take it never while it is held."),
    OwnWords(
      "from main thread only", "autolayout engine", "layout engine must not be",
      meaning: "UIKit was called on another thread than the main one",
      advice: "Change to the main actor before views are touched: Main Thread Checker names calls."),
    OwnWords(
      "was mutated while being enumerated",
      meaning: "a collection changed while it was walked through",
      advice: "Walk through a copy, and guard the collection where several threads use it."),
  ]

  private static let ofMemory: [OwnWords] = [
    OwnWords(
      "pointer being freed was not allocated", "incorrect checksum for freed object",
      "bug in client of libmalloc", "malloc_error_break",
      meaning: "memory was freed twice, or written after it was freed",
      advice: """
        Run the app with Address Sanitizer: it stops where the memory is damaged, and the crash comes \
        later.
        """),
    OwnWords(
      "message sent to deallocated instance",
      meaning: "it sent a message to an object that is gone",
      advice: """
        Hold the object as long as it is called: look at unowned and unsafe references, and at \
        delegates and observers that stay registered.
        """),
    OwnWords(
      "stack guard", "excessive recursion",
      meaning: "the stack was full, as after a function that calls itself without end",
      advice: "Look for the frames that repeat: a function or a property calls itself without end."),
    OwnWords(
      "overlapping accesses to", "fatal access conflict",
      meaning: "a variable was changed while it was in use",
      advice: "Copy the value first, or end its use before the call that changes it."),
  ]

  private static let ofValues: [OwnWords] = [
    OwnWords(
      "_objc_terminate",
      meaning: "an exception was thrown that nothing caught",
      advice: """
        Read the exception's name and reason: they stand in the console, and under Last Exception \
        Backtrace in the whole report.
        """),
    OwnWords(
      "unexpectedly found nil while",
      meaning: "an optional was nil where the code unwraps it",
      advice: """
        Unwrap it with if let or guard let, and find out why it is nil; of an outlet, whether its view \
        is loaded.
        """),
    OwnWords(
      "beyond bounds", "index out of range", "out of bounds",
      meaning: "an index was outside its collection",
      advice: """
        Check the index against the count before the access, and look for what changes the collection \
        between the two.
        """),
    OwnWords(
      "invalid update: invalid number of",
      meaning: "a table's rows or sections did not fit its update",
      advice: """
        Change the data and the table in one step on the main thread, or use a diffable data source.
        """),
    OwnWords(
      "unrecognized selector sent to",
      meaning: "an object received a message that its class does not have",
      advice: """
        Look at the class and the selector that the words name: an action or an outlet that was \
        renamed, a value of another type, or an object that was freed.
        """),
    OwnWords(
      "attempt to insert nil", "object cannot be nil",
      meaning: "nil was put into a collection",
      advice: "Check the value that the words name before it is put into the collection."),
    OwnWords(
      "not key value coding-compliant",
      meaning: "an object was asked for a property that it does not have",
      advice: "Look for an outlet in the storyboard, or a key path, that the class has no more."),
    OwnWords(
      "could not load nib in bundle", "could not find a storyboard named",
      meaning: "a nib or a storyboard is not in the app",
      advice: "Add the file that the words name to the target, and compare its name by letter case."
    ),
    OwnWords(
      "'try!' expression unexpectedly raised an error",
      meaning: "a call threw an error where the code expects none",
      advice: "Use do and catch in place of try!, and handle the error that the words name."),
    OwnWords(
      "could not cast value of type",
      meaning: "a value was not of the type to which it was cast",
      advice: "Use as? in place of as!, and look where the value of the other type comes from."),
    OwnWords(
      "no observableobject of type", "no observable object of type",
      meaning: "a view read an object that no view above it gives to the environment",
      advice: "Give the object by environmentObject(_:) or environment(_:) to a view above."),
  ]
}
