import LifecycleModel

/// Writes a trace of Perfetto: packets of one sequence, one after the other.
///
/// Times are nanoseconds since the start of the trace, never negative, and never go back. A track is
/// declared before it is used. The numbers of fields are those of `protos/perfetto/trace` in Perfetto's
/// sources.
struct PerfettoWriter {
  /// What an event does on its track: it begins a bar, ends the newest one, stands at an instant, or has a
  /// value.
  ///
  /// A state is the name of its event, and ends the state before it; an event without a name only ends it.
  enum EventType: Int {
    case begin = 1
    case end, instant, value, state
  }

  /// What texts are named by numbers, by their fields in the interned data.
  private enum Interned: Int, CaseIterable {
    case category = 1
    case name, detail
  }

  /// Fields of a packet.
  private enum Packet {
    static let clocks = 6, time = 8, sequence = 10, event = 11, interned = 12, flags = 13
    static let track = 60, facts = 126
  }

  private static let isCleared = 1
  private static let usesInterned = 2
  /// At most this many texts have numbers; then numbering begins anew.
  private static let mostTexts = 4096

  /// What was written and not taken yet.
  var bytes: [UInt8] = []
  private let pid: Int32
  /// The numbers of texts, by their kind.
  private var numbers = PerfettoWriter.noNumbers
  private static let noNumbers = Interned.allCases.map { _ in [String: Int]() }
  private var textCount = 0
  /// The texts that got numbers since the last packet.
  private var fresh = ProtobufMessage()
  private var event = ProtobufMessage()
  private var packet = ProtobufMessage()

  init(_ head: ExportHead) {
    pid = head.pid
    // The root, which states the order of threads; it begins the sequence.
    write(flags: PerfettoWriter.isCleared) {
      $0.message(Packet.track) {
        $0.number(1, 0)
        $0.number(19, 1)
        $0.number(20, 1)
      }
    }

    if let wall = head.wallStart {
      let (realTime, bootTime) = (1, 6)
      write {
        $0.message(Packet.clocks) { clocks in
          for (clock, time) in [(bootTime, 0), (realTime, wall)] {
            clocks.message(1) {
              $0.number(1, clock)
              $0.number(2, time)
            }
          }
          clocks.number(2, bootTime)
        }
      }
    }
    write { packet in
      packet.message(Packet.facts) { facts in
        for fact in head.facts {
          facts.message(1) {
            $0.text(1, fact.key)
            PerfettoWriter.append(fact.value, to: &$0, number: 2, text: 3)
          }
        }
      }
    }
    declare(ExportTrack(id: 1, name: head.app, kind: .process, parent: nil, rank: 0))
  }

  /// Appends a value, in the field for numbers or in that for texts.
  private static func append(
    _ value: ExportDetail.Value, to message: inout ProtobufMessage, number: Int, text: Int
  ) {
    switch value {
    case .number(let value): message.number(number, value)
    case .text(let value): message.text(text, value)
    }
  }

  /// Appends a packet.
  private mutating func write(
    at time: Nanoseconds? = nil, flags: Int = 0, _ body: (inout ProtobufMessage) -> Void
  ) {
    packet.removeAll()
    packet.message(1) {
      if let time { $0.number(Packet.time, time) }
      $0.number(Packet.sequence, 1)
      if flags != 0 { $0.number(Packet.flags, flags) }
      body(&$0)
    }
    bytes += packet.bytes
  }

  // MARK: Tracks

  mutating func declare(_ track: ExportTrack) {
    write { [pid] in
      $0.message(Packet.track) { PerfettoWriter.append(track, pid, to: &$0) }
    }
  }

  private static func append(
    _ track: ExportTrack, _ pid: Int32, to message: inout ProtobufMessage
  ) {
    message.number(1, track.id)
    message.text(2, track.name)
    switch track.kind {
    case .process:
      message.message(3) {
        $0.number(1, pid)
        $0.text(6, track.name)
      }
      return
    case .thread(let isMain):
      // A number of our own: the log has names only.
      message.message(4) {
        $0.number(1, pid)
        $0.number(2, isMain ? Int(pid) : Int(pid) + track.id)
        $0.text(5, track.name)
      }
    case .group: message.number(11, 3)
    case .values(let unit): message.message(8) { $0.text(6, unit) }
    case .states: message.message(18) { _ in }
    case .slices: break
    }

    if !track.isThread, let parent = track.parent { message.number(5, parent) }
    message.number(12, track.rank)
    // Else tracks of one name become one.
    message.number(15, 2)
  }

  // MARK: Events

  /// Writes an event of a track.
  mutating func write(
    _ type: EventType, _ mark: ExportMark = ExportMark(), value: Int64? = nil,
    on track: ExportTrack, at time: Nanoseconds
  ) {
    if textCount >= PerfettoWriter.mostTexts { forgetTexts() }
    event.removeAll()
    if !mark.category.isEmpty { event.number(3, number(.category, mark.category)) }
    for detail in mark.details { append(detail) }
    event.number(9, type.rawValue)
    if !mark.name.isEmpty { event.number(10, number(.name, mark.name)) }
    event.number(11, track.id)
    if let value { event.number(30, value) }
    for flow in mark.flows { event.fixed(47, flow) }

    let (event, fresh) = (self.event, self.fresh)
    write(at: time, flags: PerfettoWriter.usesInterned) {
      if !fresh.isEmpty { $0.message(Packet.interned, fresh) }
      $0.message(Packet.event, event)
    }
    self.fresh.removeAll()
  }

  private mutating func append(_ detail: ExportDetail) {
    let name = number(.detail, detail.key)
    event.message(4) {
      $0.number(1, name)
      PerfettoWriter.append(detail.value, to: &$0, number: 4, text: 6)
    }
  }

  /// The number of a text, which the next event states when it is new.
  private mutating func number(_ kind: Interned, _ text: String) -> Int {
    let place = kind.rawValue - 1
    if let known = numbers[place][text] { return known }
    textCount += 1
    let number = numbers[place].count + 1
    numbers[place][text] = number
    fresh.message(kind.rawValue) {
      $0.number(1, number)
      $0.text(2, text)
    }
    return number
  }

  private mutating func forgetTexts() {
    numbers = PerfettoWriter.noNumbers
    textCount = 0
    write(flags: PerfettoWriter.isCleared) { _ in }
  }
}
