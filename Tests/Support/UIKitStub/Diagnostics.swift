// What TraceUIKit uses of os, MetricKit and StateReporting, which Linux does not have, with Apple's names and
// labels. What is said to them is kept, for tests.

import Foundation

package struct OSSignpostID: Sendable { let number: UInt64 }
package struct OSSignpostIntervalState: Sendable {
  let name: String
  let id: OSSignpostID
}

/// Intervals for Instruments.
@MainActor package struct OSSignposter {
  /// Whether a tool records; tests switch it on.
  package static var isRecording = false
  /// What was begun and ended, such as `begin sceneWillConnect`.
  package static var said: [String] = []
  private static var last: UInt64 = 0

  package init(subsystem: String, category: String) {}
  package var isEnabled: Bool { OSSignposter.isRecording }
  package func makeSignpostID() -> OSSignpostID {
    OSSignposter.last += 1
    return OSSignpostID(number: OSSignposter.last)
  }
  package func beginInterval(
    _ name: StaticString, id: OSSignpostID
  ) -> OSSignpostIntervalState {
    OSSignposter.said.append("begin \(name)")
    return OSSignpostIntervalState(name: "\(name)", id: id)
  }
  package func endInterval(_ name: StaticString, _ state: OSSignpostIntervalState) {
    precondition("\(name)" == state.name)
    OSSignposter.said.append("end \(name)")
  }
}

/// Who gets MetricKit's payloads.
package protocol MXMetricManagerSubscriber: NSObjectProtocol {
  func didReceive(_ payloads: [MXDiagnosticPayload])
  func didReceive(_ payloads: [MXMetricPayload])
}

package final class MXMetricManager: NSObject, @unchecked Sendable {
  // Sound because tests of one suite use it, one after another.
  package static let shared = MXMetricManager()
  private var subscribers: [any MXMetricManagerSubscriber] = []

  package func add(_ subscriber: any MXMetricManagerSubscriber) { subscribers.append(subscriber) }
  package func remove(_ subscriber: any MXMetricManagerSubscriber) {
    subscribers.removeAll { $0 === subscriber }
  }
  /// Delivers payloads, as the system does at a launch.
  package func deliver(_ payloads: [MXDiagnosticPayload]) {
    for subscriber in subscribers { subscriber.didReceive(payloads) }
  }
  /// Delivers the figures of a day.
  package func deliver(_ payloads: [MXMetricPayload]) {
    for subscriber in subscribers { subscriber.didReceive(payloads) }
  }
}

package final class MXDiagnosticPayload: NSObject {
  private let json: String

  /// A payload of this text.
  package init(_ json: String) { self.json = json }

  package func jsonRepresentation() -> Data { Data(json.utf8) }
}

package final class MXAppExitMetric: NSObject {}

package final class MXMetricPayload: NSObject {
  package let applicationExitMetrics: MXAppExitMetric?
  private let json: String

  /// A payload of this text, which has the counts of exits or not.
  package init(_ json: String, hasExits: Bool) {
    self.json = json
    applicationExitMetrics = hasExits ? MXAppExitMetric() : nil
  }

  package func jsonRepresentation() -> Data { Data(json.utf8) }
}

/// A value of what is told with a state.
package enum ReportableMetadataValue: Hashable, Sendable {
  case string(String)
  package init(_ value: String) { self = .string(value) }
}

package protocol ReportableMetadata {
  var metadataDictionary: [String: ReportableMetadataValue] { get }
}

extension Never: ReportableMetadata {
  package var metadataDictionary: [String: ReportableMetadataValue] { [:] }
}

/// What StateReporting was told, in order.
@MainActor package enum ReportedStates {
  package static var all: [(label: String?, metadata: [String: ReportableMetadataValue])] = []
}

@MainActor
package final class StateReporter<
  StableMetadata: ReportableMetadata, VolatileMetadata: ReportableMetadata
> {
  package static func reporter(
    for domain: String, stableMetadata stableMetadataType: StableMetadata.Type = Never.self,
    volatileMetadata volatileMetadataType: VolatileMetadata.Type = Never.self
  ) -> StateReporter<StableMetadata, VolatileMetadata> { StateReporter() }

  package func reportTransition(
    to stateLabel: String?, stableMetadata: StableMetadata? = nil,
    volatileMetadata: VolatileMetadata? = nil
  ) {
    ReportedStates.all.append((stateLabel, stableMetadata?.metadataDictionary ?? [:]))
  }
}
