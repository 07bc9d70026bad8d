import Testing
import TraceUIKitAuto

@testable import TraceUIKit

/// The stand-in for UIKit is seen by the modules that are for UIKit, and by no other.
@Suite struct StubTests {
  private static let isUIKitSeen: Bool = {
    #if canImport(UIKit)
      true
    #else
      false
    #endif
  }()

  @Test func theTestsSeeNoUIKit() {
    #expect(!Self.isUIKitSeen)
  }

  /// Without the variable and the key an app that links the library is not traced.
  @MainActor @Test func theLibraryWaitsUntilItIsAsked() {
    startTracing()
    #expect(LifecycleTracing.current == nil)
  }
}
