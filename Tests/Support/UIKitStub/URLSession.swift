// What TraceUIKit and its tests use of URLSession, which on Linux lies in a module of its own and has no
// background sessions.

import Foundation

package class URLSessionConfiguration: NSObject {
  package let identifier: String?
  package init(_ identifier: String?) { self.identifier = identifier }
}

package class URLSession: NSObject {
  package let configuration: URLSessionConfiguration
  private let delegate: AnyObject?

  private init(_ configuration: URLSessionConfiguration, _ delegate: AnyObject?) {
    (self.configuration, self.delegate) = (configuration, delegate)
  }

  /// A session as the initializer makes one.
  @MainActor package static func make(
    _ runtime: StubRuntime, _ configuration: URLSessionConfiguration, _ delegate: AnyObject?
  ) -> URLSession {
    let selector = "sessionWithConfiguration:delegate:delegateQueue:"
    return runtime.send(
      selector, to: runtime, makes: self, [configuration, delegate], block: nil
    ) { _ in URLSession(configuration, delegate) }
  }

  /// Tells the delegate, if it has the method, that all events were delivered.
  @MainActor package func finishEvents(_ runtime: StubRuntime) {
    let selector = "URLSessionDidFinishEventsForBackgroundURLSession:"
    guard let delegate, runtime.has(selector, of: delegate) else { return }
    runtime.send(selector, to: delegate, [self], block: nil) { _ in }
  }
}
