import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// A store behind HTTP, such as a bucket with presigned addresses: each file is one PUT.
///
/// On Apple's systems the system sends the files, also while the app is suspended or gone, and waits for a network.
/// The app makes the store at each launch, under the same name, and so learns what became of them.
public struct SessionStore: LogStore {
  private let session: URLSession
  private let request: @Sendable (_ name: String) async throws -> URLRequest

  #if canImport(FoundationNetworking)
    /// A store whose `request` gives the address and the headers for a name, as the team's service signs them.
    ///
    /// This system sends nothing for an app that is gone: the configuration is the caller's.
    public init(
      _ configuration: URLSessionConfiguration,
      request: @escaping @Sendable (_ name: String) async throws -> URLRequest
    ) {
      session = URLSession(configuration: configuration)
      self.request = request
    }
  #else
    /// A store whose `request` gives the address and the headers for a name, as the team's service signs them.
    ///
    /// `name` is the session's in the system. Signatures must be good for some days: the system waits for power and
    /// for a network that costs nothing.
    public init(
      _ name: String, request: @escaping @Sendable (_ name: String) async throws -> URLRequest
    ) {
      let configuration = URLSessionConfiguration.background(withIdentifier: name)
      configuration.isDiscretionary = true
      // What became of the files is learned at the next launch; none is needed for it.
      configuration.sessionSendsLaunchEvents = false
      session = URLSession(configuration: configuration, delegate: Arrivals(), delegateQueue: nil)
      self.request = request
    }
  #endif

  /// Sends the file, or has the system send it.
  public func put(_ file: URL, as name: String) async throws -> Receipt {
    #if canImport(FoundationNetworking)
      let (_, response) = try await session.upload(for: putting(name), fromFile: file)
      if let failure = StoreError(response) { throw failure }
      return .stored
    #else
      if await isInTransit(file) { return .inTransit }
      let task = session.uploadTask(with: try await putting(name), fromFile: file)
      task.taskDescription = Arrivals.place(of: file)
      task.resume()
      return .inTransit
    #endif
  }

  #if !canImport(FoundationNetworking)
    /// Whether the session has a task for the file, also one of an earlier launch.
    public func isInTransit(_ file: URL) async -> Bool {
      await session.allTasks.contains { $0.taskDescription == Arrivals.place(of: file) }
    }
  #endif

  private func putting(_ name: String) async throws -> URLRequest {
    var request = try await request(name)
    request.httpMethod = "PUT"
    request.setValue("application/octet-stream", forHTTPHeaderField: "Content-Type")
    return request
  }
}

extension StoreError {
  /// What an answer means; `nil` for one that says that the file is stored.
  fileprivate init?(_ response: URLResponse?) {
    guard let status = (response as? HTTPURLResponse)?.statusCode else {
      self = .unreachable
      return
    }
    self.init(status: status)
  }
}

#if !canImport(FoundationNetworking)
  /// Removes the files that have arrived; all others stay for the next launch.
  private final class Arrivals: NSObject, URLSessionTaskDelegate {
    /// Where a file lies in the app's container, which an update of the app moves.
    static func place(of file: URL) -> String {
      let home = NSHomeDirectory()
      return file.path.hasPrefix(home) ? String(file.path.dropFirst(home.count)) : file.path
    }

    func urlSession(
      _ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?
    ) {
      guard error == nil, StoreError(task.response) == nil, let place = task.taskDescription else {
        return
      }
      try? FileManager.default.removeItem(atPath: NSHomeDirectory() + place)
    }
  }
#endif
