import LifecycleModel
import TraceAnalysis
import TraceText

/// An episode of each side, A's above B's, on one story axis, with what differs as flags.
package struct EpisodePair {
  /// An episode of one side.
  package struct Side {
    /// The log that has it.
    let log: String
    /// How many of its kind the side has.
    let all: Int
    let sketch: EpisodeSketch

    /// Makes the side of a sketch.
    package init(_ sketch: EpisodeSketch, of all: Int, log: String) {
      (self.sketch, self.all, self.log) = (sketch, all, log)
    }
  }

  /// A difference that leads to its row.
  struct Flag {
    let number: Int
    let row: RunComparison.Row
  }

  /// So many instants of both episodes are kept apart.
  private static let instantsKept = 800
  /// So many flags have room.
  private static let flagsDrawn = 30

  /// The kind of episode.
  let kind: String
  private let sides: [(name: String, side: Side?)]
  /// The instants since the begin of an episode that the axis keeps apart.
  private let instants: [Nanoseconds]

  /// Makes a pair, of which one may be missing.
  package init(_ kind: String, _ first: Side?, _ second: Side?) {
    self.kind = kind
    sides = [("A", first), ("B", second)]
    let all = [first, second].compactMap(\.self).flatMap { side in
      side.sketch.instants.map { $0.since(side.sketch.extent.times.lowerBound) }
    }
    let sorted = Set(all).sorted()
    let step = max(1, (sorted.count + EpisodePair.instantsKept - 1) / EpisodePair.instantsKept)
    instants = sorted.enumerated().filter {
      $0.offset % step == 0 || $0.offset == sorted.count - 1
    }.map(\.element)
  }

  private func axis(since start: Instant) -> TimeAxis {
    TimeAxis(story: instants.map { start.advanced(by: $0) })
  }

  // MARK: The figure

  /// The figure, with flags for these rows; `id` is what links to it name.
  func markup(id: String, _ flags: [Flag]) -> Markup {
    let pictures = sides.map { name, side -> Markup in
      guard let side else { return "<p class=\"soft\">\(name) has no such episode.</p>" }
      return "<p>\(caption(name, side))</p>\(picture(name, side, flags))"
    }

    let hidden = flags.filter { flag in
      !sides.contains { $0.side.flatMap { instant(of: flag.row, $0.sketch) } != nil }
    }
    return """
      <figure class="episode" id="\(id)"><h3>\(kind)</h3><div class="scroll" role="group" tabindex="0" \
      aria-label="Timelines of \(kind)">\(pictures[0])\(ruler)\(pictures[1])</div>\
      <figcaption class="soft">Not to scale: quiet stretches are short.\(note(hidden))</figcaption></figure>
      """
  }

  private func caption(_ name: String, _ side: Side) -> Markup {
    let extent = side.sketch.extent
    let cut = side.sketch.isCut ? "; its first events are drawn" : ""
    return """
      <b>\(name)</b> \(side.log), from \(TimeText.instant(extent.times.lowerBound)) for \
      \(TimeText.span(extent.length)): \(CountText.of(side.sketch.events, "event"))\(cut); the median of \
      \(CountText.of(side.all, "episode"))
      """
  }

  private func note(_ hidden: [Flag]) -> Markup? {
    if hidden.isEmpty { return nil }
    let links = hidden.prefix(EpisodePair.flagsDrawn).map { flag -> Markup in
      "<a href=\"#row-\(flag.number)\">\(flag.number)</a>"
    }
    return " Not in these episodes: \(links.joined(", "))."
  }

  private func picture(_ name: String, _ side: Side, _ flags: [Flag]) -> Markup {
    let sketch = side.sketch
    var picture = PagePicture(
      axis(since: sketch.extent.times.lowerBound), sketch.vocabulary, events: sketch.events)
    for change in sketch.changes { picture.observe(change, sketch.lanes) }
    let shown = Set(sketch.changes.compactMap(\.lane))
    let order = sketch.lanes.pictureOrder.filter(shown.contains)

    let places = flags.compactMap { flag in
      instant(of: flag.row, sketch).map { (flag: flag, x: picture.x($0)) }
    }
    return picture.svg(
      sketch.lanes, order,
      "role=\"group\" aria-label=\"\(name): the lanes of an episode; the rows tell what differs\""
    ) { height in "\(EpisodePair.markup(Array(places.prefix(EpisodePair.flagsDrawn)), height))" }
  }

  /// When what a row is about came first.
  private func instant(of row: RunComparison.Row, _ sketch: EpisodeSketch) -> Instant? {
    guard row.verb != nil else { return nil }
    return sketch.first.filter { row.isAbout($0.key) }.map(\.value).min()
  }

  // MARK: Over the lanes

  /// The flags, beside each other where they would lie on each other.
  private static func markup(_ flags: [(flag: Flag, x: Double)], _ height: Double) -> Markup {
    let sorted = flags.sorted { ($0.x, $0.flag.number) < ($1.x, $1.flag.number) }
    var places: [Double] = []
    for flag in sorted { places.append(max(flag.x, (places.last ?? 0) + 26)) }
    var limit = 986.0
    for index in places.indices.reversed() {
      places[index] = min(places[index], limit)
      limit = places[index] - 26
    }

    return Markup(
      verbatim: zip(sorted, places).map { markup($0.flag, $0.x, at: $1, height).html }.joined())
  }

  private static func markup(
    _ flag: Flag, _ x: Double, at place: Double, _ height: Double
  ) -> Markup {
    let color = flag.row.certain ? PageColor.of(.info) : "#5c626c"
    let (x, place) = ("\(Int(x.rounded()))", "\(Int(place.rounded()))")
    return """
      <path d="M\(verbatim: place) 20L\(verbatim: x) 30V\(Int(height - 4))" stroke="\(color)" \
      stroke-width="1" fill="none"/><a href="#row-\(flag.number)" \
      aria-label="difference \(flag.number): \(flag.row.change) \(flag.row.event ?? "")">\
      <circle cx="\(verbatim: place)" cy="13" r="12" fill="\(color)"/>\
      <text x="\(verbatim: place)" y="17" fill="#fff" text-anchor="middle">\(flag.number)</text></a>
      """
  }

  /// The time since the begin of both, where it has room.
  private var ruler: Markup {
    let picture = PagePicture(axis(since: .origin), Vocabulary(), events: 0)
    var (right, last, marks) = (-90.0, "", "" as Markup)
    for instant in instants {
      let x = picture.x(Instant.origin.advanced(by: instant))
      let text = TimeText.span(instant)
      guard x >= right + 90, x < 960, text != last else { continue }
      (right, last) = (x, text)
      let place = "\(Int(x.rounded()))"
      marks += """
        <path d="M\(verbatim: place) 0v6" stroke="#5c626c"/><text x="\(verbatim: place)" y="17">\
        \(text)</text>
        """
    }

    return """
      <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1000 22" width="1000" role="img" \
      aria-label="Time since the begin of the episodes" font-family="sans-serif" font-size="11" \
      fill="#333"><rect width="1000" height="22" fill="#fff"/>\(marks)</svg>
      """
  }
}

extension LaneChange {
  /// The lane that it draws in; `nil` of what lies across all.
  fileprivate var lane: Int? {
    switch self {
    case .begin(let bar), .end(let bar, _): bar.lane
    case .mark(let lane, _, _, _), .value(let lane, _, _, _): lane
    case .gap, .death: nil
    }
  }
}

extension RunComparison.Row {
  /// Whether it is about such events.
  fileprivate func isAbout(_ token: EventToken) -> Bool {
    token.verb == verb && token.name == name ?? "" && token.subject == subject ?? ""
      && token.label == label ?? ""
  }
}
