import LifecycleModel

/// Which release of an app a report is about, and on which device it ran, as far as the report says it.
struct ReportedApp: Hashable, Sendable {
  private static let longest = 128

  /// The version that users see, such as `4.2.1`, the number of the build, such as `812`, and the device's model, such
  /// as `iPhone16,2`.
  private var values: [AttributeKey: String] = [:]

  /// Takes what a report says under a key; what was said first stays.
  mutating func take(_ key: AttributeKey, _ text: String) {
    let start = String(text.prefix(Self.longest))
    // Measure puts this before a simulator's model.
    let value = key == .device ? start.withoutPrefix("Simulator ") : start
    if values[key] == nil, !value.isEmpty { values[key] = value }
  }

  /// Takes `2.1 (210)`, a version and its build; `isBuildFirst` if the build stands first, `nil` where that is not
  /// known: then only a release is taken whose two parts are the same.
  mutating func take(release text: String, isBuildFirst: Bool?) {
    guard let open = text.lastIndex(of: "("), text.hasSuffix(")") else { return }
    let before = text[..<open].split(separator: " ").joined(separator: " ")
    let inside = String(text[text.index(after: open)...].dropLast())
    guard before == inside || isBuildFirst != nil, before != "???", inside != "???" else { return }

    let isBuildFirst = isBuildFirst ?? false
    take(.version, isBuildFirst ? inside : before)
    take(.build, isBuildFirst ? before : inside)
  }

  /// Attributes of the profile that say it of the app `bundle`.
  func attributes(_ bundle: String?) -> [Attribute] {
    let app = bundle.map { [Attribute(.app, $0)] } ?? []
    return app
      + [.version, .build, .device].compactMap { key in values[key].map { Attribute(key, $0) } }
  }
}
