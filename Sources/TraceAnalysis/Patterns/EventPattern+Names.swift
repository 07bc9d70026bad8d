import LifecycleModel

extension EventPattern {
  /// Events of one verb that have one of these words as their names.
  public static func named<Name: WellKnown>(_ verb: Verb, _ names: [Name]) -> EventPattern {
    EventPattern(verb, names: names.map(\.symbol))
  }

  /// The end of work with a duration.
  public static func workEnd(_ categories: WorkCategory...) -> EventPattern {
    named(.workEnd, categories)
  }

  /// A resource is acquired.
  public static func acquire(_ resources: Resource...) -> EventPattern {
    named(.acquire, resources)
  }

  /// The system hands the app an event.
  public static func deliver(_ deliveries: Delivery...) -> EventPattern {
    named(.deliver, deliveries)
  }

  /// A completion handler is called.
  public static func complete(_ deliveries: Delivery...) -> EventPattern {
    named(.complete, deliveries)
  }

  /// A value is read.
  public static func sample(_ values: SampledValue...) -> EventPattern { named(.sample, values) }

  /// The app or a scene has entered the background, and its delegate has done what it wanted to.
  public static var backgroundEntered: EventPattern {
    .returned(.applicationDidEnterBackground, .sceneDidEnterBackground)
  }
}
