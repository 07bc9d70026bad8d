import AppLifecycle
import Foundation
import LifecycleModel
import Testing

/// The sequences of the documents, as the app sees them.
@MainActor @Suite struct SequenceTests {
  @Test func printAll() throws {
    let app = try HostedApp(.scene)
    app.driver.launch()
    app.driver.run(for: 3)
    app.driver.goHome()
    app.driver.run(for: 30)
    app.driver.deliverPush()
    app.driver.run(for: 30)
    app.driver.launch()
    app.driver.killFromSwitcher()
    print(try app.story().joined(separator: "\n"))
    print(try app.findings())
  }
}
