import SwiftUI
import TraceUIKit
import UIKit

@main
struct NotesApp: App {
  @Environment(\.scenePhase) private var phase

  init() { LifecycleTracing.start() }

  var body: some Scene {
    WindowGroup {
      ShareLink("Share the log", items: LifecycleTracing.files())
    }
    .onChange(of: phase) { phase in
      // The bug: nobody ends the task.
      if phase == .background { _ = UIApplication.shared.beginBackgroundTask(withName: "upload") }
    }
  }
}
