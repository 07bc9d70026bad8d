#if canImport(FoundationNetworking)
  import Foundation
  import FoundationNetworking
  import LogUpload
  import Testing

  /// The store behind HTTP, against a server that is a class.
  @Suite(.serialized) struct SessionStoreTests {
    /// Answers requests in the place of a server.
    final class Server: URLProtocol {
      struct Request {
        var method: String?
        var path: String?
        var type: String?
      }

      private static let lock = NSLock()
      nonisolated(unsafe) private static var state: (status: Int, requests: [Request]) = (200, [])

      /// What was asked since a status was set.
      static var requests: [Request] { lock.withLock { state.requests } }
      static func answer(_ status: Int) { lock.withLock { state = (status, []) } }

      override class func canInit(with request: URLRequest) -> Bool { true }
      override class func canonicalRequest(for request: URLRequest) -> URLRequest { request }
      override func stopLoading() {}

      override func startLoading() {
        let status = Server.lock.withLock {
          Server.state.requests.append(
            Request(
              method: request.httpMethod, path: request.url?.path,
              type: request.value(forHTTPHeaderField: "Content-Type")))
          return Server.state.status
        }
        guard let url = request.url,
          let response = HTTPURLResponse(
            url: url, statusCode: status, httpVersion: nil, headerFields: nil)
        else { return }
        client?.urlProtocol(self, didReceive: response, cacheStoragePolicy: .notAllowed)
        client?.urlProtocolDidFinishLoading(self)
      }
    }

    private func store() -> SessionStore {
      let configuration = URLSessionConfiguration.ephemeral
      configuration.protocolClasses = [Server.self]
      return SessionStore(configuration) { name in
        URLRequest(url: try #require(URL(string: "https://logs.example/\(name)?signature=1")))
      }
    }

    private func file() throws -> URL {
      let file = FileManager.default.temporaryDirectory
        .appendingPathComponent("part-\(UUID().uuidString)")
      try Data("a log".utf8).write(to: file)
      return file
    }

    @Test func aFileIsOnePut() async throws {
      Server.answer(200)
      let file = try file()
      defer { try? FileManager.default.removeItem(at: file) }
      #expect(try await store().put(file, as: "0123/1.bin") == .stored)
      let request = try #require(Server.requests.first)
      #expect(Server.requests.count == 1 && request.method == "PUT")
      #expect(request.path == "/0123/1.bin" && request.type == "application/octet-stream")
    }

    @Test(arguments: [(403, StoreError.refused(status: 403)), (503, .unreachable)])
    func anAnswerThatIsNoSuccessIsAFailure(status: Int, failure: StoreError) async throws {
      Server.answer(status)
      let file = try file()
      defer { try? FileManager.default.removeItem(at: file) }
      await #expect(throws: failure) { _ = try await store().put(file, as: "0123/1.bin") }
    }
  }
#endif
