/// A trace of Perfetto as a test reads it.
struct PerfettoTrace {
  /// A track as its descriptor says it.
  struct Track: Equatable {
    var uuid: UInt64
    var parent: UInt64?
    var name: String
    var kind: String
    var rank: Int
    var hasOrder: Bool
    var mergesByName: Bool
    /// The packet that declares it.
    var packet: Int
  }

  /// What stands on a track.
  struct Event: Equatable {
    enum Kind: UInt64 { case begin = 1, end, instant, value, state }

    var kind: Kind
    var track: String
    var trackID: UInt64
    var time: Int64
    var name: String?
    var category: String?
    var details: [String: String]
    var value: Int64?
    var flows: [UInt64]
    var packet: Int
  }

  private(set) var tracks: [Track] = []
  private(set) var events: [Event] = []
  private(set) var facts: [(key: String, value: String)] = []
  private(set) var clocks: [UInt64: UInt64] = [:]
  /// What Perfetto would drop, draw elsewhere or complain about.
  private(set) var complaints: [String] = []
  /// How often the numbers of texts began anew.
  private(set) var clearings = 0
  private var texts: [Int: [UInt64: String]] = [:]
  private var open: [UInt64: Int] = [:]

  init(_ bytes: [UInt8]) {
    guard let trace = ProtobufReader(bytes) else {
      complaints.append("these are no messages")
      return
    }
    for (index, packet) in trace.messages(1).enumerated() { read(packet, index) }
  }

  private mutating func read(_ packet: ProtobufReader, _ index: Int) {
    let flags = packet.number(13) ?? 0
    if packet.number(10) != 1 { complaints.append("another sequence") }
    if index == 0 && flags != 1 { complaints.append("the first packet clears nothing") }
    if flags & 1 == 1 {
      texts = [:]
      clearings += 1
    }

    for interned in packet.messages(12) {
      for kind in 1...3 {
        for entry in interned.messages(kind) {
          texts[kind, default: [:]][entry.number(1) ?? 0] = entry.text(2)
        }
      }
    }
    for clock in packet.messages(6).flatMap({ $0.messages(1) }) {
      clocks[clock.number(1) ?? 0] = clock.number(2)
    }
    for fact in packet.messages(126).flatMap({ $0.messages(1) }) {
      facts.append((fact.text(1) ?? "", fact.text(3) ?? "\(fact.number(2) ?? 0)"))
    }
    for track in packet.messages(60) { read(track: track, index) }
    for event in packet.messages(11) { read(event: event, packet, index) }
  }

  private mutating func read(track: ProtobufReader, _ index: Int) {
    let kinds = [(3, "process"), (4, "thread"), (8, "values"), (18, "states")]
    let kind = kinds.first { !track.all($0.0).isEmpty }?.1
    let uuid = track.number(1) ?? 0
    let parent = track.number(5)
    if let parent, !tracks.contains(where: { $0.uuid == parent }) {
      complaints.append("the parent of \(uuid) is not declared before it")
    }
    if tracks.contains(where: { $0.uuid == uuid }) { complaints.append("\(uuid) comes twice") }

    tracks.append(
      Track(
        uuid: uuid, parent: parent, name: track.text(2) ?? "",
        kind: uuid == 0 ? "root" : kind ?? (track.number(11) == 3 ? "group" : "slices"),
        rank: Int(track.number(12) ?? 0), hasOrder: track.number(11) == 3,
        mergesByName: track.number(15) != 2, packet: index))
  }

  private mutating func read(event: ProtobufReader, _ packet: ProtobufReader, _ index: Int) {
    let id = event.number(11) ?? 0
    guard let track = tracks.first(where: { $0.uuid == id }),
      let kind = event.number(9).flatMap({ Event.Kind(rawValue: $0) })
    else { return complaints.append("an event without a track or a type") }
    func text(_ kind: Int, _ number: UInt64) -> String? {
      let text = texts[kind]?[number]
      if text == nil { complaints.append("the number \(number) has no text") }
      return text
    }

    if packet.number(13) != 2 { complaints.append("an event does not say that it uses numbers") }
    let time = Int64(bitPattern: packet.number(8) ?? .max)
    if time < events.last?.time ?? 0 { complaints.append("time goes back to \(time)") }
    var details: [String: String] = [:]
    for detail in event.messages(4) {
      let value = detail.text(6) ?? "\(Int64(bitPattern: detail.number(4) ?? 0))"
      let key = text(3, detail.number(1) ?? 0) ?? ""
      if details.updateValue(value, forKey: key) != nil { complaints.append("\(key) comes twice") }
    }

    let isPlaced =
      (kind == .state) == (track.kind == "states") && (kind == .value) == (track.kind == "values")
    if !isPlaced { complaints.append("\(kind) on a track of \(track.kind)") }
    if kind == .begin { open[id, default: 0] += 1 }
    if kind == .end {
      open[id, default: 0] -= 1
      if open[id, default: 0] < 0 {
        complaints.append("an end on \(track.name) without a beginning")
      }
    }
    events.append(
      Event(
        kind: kind, track: track.name, trackID: id, time: time,
        name: event.number(10).flatMap { text(2, $0) },
        category: event.numbers(3).last.flatMap { text(1, $0) }, details: details,
        value: event.number(30).map { Int64(bitPattern: $0) }, flows: event.numbers(47),
        packet: index))
  }

  /// How many bars of each track have no end.
  var openBars: [UInt64: Int] { open.filter { $0.value > 0 } }

  /// The events of a track, by its name.
  func events(on track: String) -> [Event] { events.filter { $0.track == track } }

  func track(_ name: String) -> Track? { tracks.first { $0.name == name } }

  // MARK: As text

  /// All of it, a line a thing.
  var text: String {
    var lines = facts.map { "\($0.key) = \($0.value)" }
    lines += clocks.sorted { $0.key < $1.key }.map { "clock \($0.key) = \($0.value)" }
    lines += tracks.map { track in
      let parent = track.parent.map { " under \($0)" } ?? ""
      return "track \(track.uuid) \(track.kind) \"\(track.name)\"\(parent), rank \(track.rank)"
    }
    return (lines + events.map(line)).joined(separator: "\n") + "\n"
  }

  private func line(_ event: Event) -> String {
    let name = event.name.map { " \"\($0)\"" } ?? ""
    let category = event.category.map { " (\($0))" } ?? ""
    let value = event.value.map { " = \($0)" } ?? ""
    let details = event.details.sorted { $0.key < $1.key }.map { " \($0.key)=\"\($0.value)\"" }
    let flows = event.flows.map { " →\($0)" }
    return "\(event.time) \(event.kind) \(event.track)\(name)\(category)\(value)"
      + details.joined() + flows.joined()
  }
}
