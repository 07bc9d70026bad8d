/// What becomes of the words of a trace when another vocabulary takes them over; each stays as it is
/// unless somebody says otherwise.
package protocol WordChange {
  /// The word for a verb that this version does not know.
  func verb(_ word: String) -> String
  /// The word for a name.
  func name(_ text: String) -> String
  /// The word for the label of an event, and for the text of a note.
  func label(_ text: String, of event: Event) -> String
  /// The name for a writer.
  func writer(_ name: String) -> String
  /// The attributes for those of an event.
  func attributes(_ list: [Attribute]) -> [Attribute]
}

extension WordChange {
  package func verb(_ word: String) -> String { word }
  package func name(_ text: String) -> String { text }
  package func label(_ text: String, of event: Event) -> String { text }
  package func writer(_ name: String) -> String { name }
  package func attributes(_ list: [Attribute]) -> [Attribute] { list }
}

/// Tells the events of one vocabulary in the words of another, which may be changed on the way.
///
/// Cost: some look-ups an event. Memory: by what is distinct in both vocabularies.
package struct EventTranslation {
  private let source: Vocabulary
  private let target: Vocabulary
  private let change: any WordChange
  private var names: [Symbol: Symbol] = [:]
  private var labels: [Symbol: Symbol] = [:]
  private var lists: [AttributesID: AttributesID] = [:]
  private var writers: [WriterID: WriterID] = [:]
  private var verbs: [Verb: Verb] = [:]
  private var generations = (0, 0)

  package init(from source: Vocabulary, to target: Vocabulary, _ change: any WordChange) {
    (self.source, self.target, self.change) = (source, target, change)
  }

  /// The event in the words of the target.
  package mutating func event(_ event: Event) throws -> Event {
    forgetWhatWasForgotten()
    var told = event
    told.writer = try writer(event.writer)
    if !event.verb.isKnown { told.verb = try verb(event.verb) }
    told.name = name(event.name)
    told.label = label(of: event)
    told.attributes = attributes(event.attributes)
    return told
  }

  /// Ids of words that were forgotten may belong to other words by now.
  private mutating func forgetWhatWasForgotten() {
    let now = (source.generation, target.generation)
    if now == generations { return }
    generations = now
    names.removeAll()
    labels.removeAll()
    lists.removeAll()
  }

  private mutating func writer(_ writer: WriterID) throws -> WriterID {
    if let known = writers[writer] { return known }
    let told = try target.writer(change.writer(source.name(of: writer)))
    writers[writer] = told
    return told
  }

  private mutating func verb(_ verb: Verb) throws -> Verb {
    if let known = verbs[verb] { return known }
    let told = try target.verb(change.verb(source.word(of: verb)))
    verbs[verb] = told
    return told
  }

  private mutating func name(_ symbol: Symbol) -> Symbol {
    if symbol.isNone { return .none }
    if let known = names[symbol] { return known }
    let told = target.symbol(change.name(source.text(symbol)))
    names[symbol] = told
    return told
  }

  private mutating func label(of event: Event) -> Symbol {
    let symbol = event.label
    if symbol.isNone { return .none }
    // The label of a sample may be another kind of word than that of other events.
    let isUsual = event.verb != .sample
    if isUsual, let known = labels[symbol] { return known }
    let told = target.symbol(change.label(source.text(symbol), of: event))
    if isUsual { labels[symbol] = told }
    return told
  }

  private mutating func attributes(_ id: AttributesID) -> AttributesID {
    // A line of an import tells nothing, and there are as many as events.
    if id.isNone || id.line != nil { return id }
    if let known = lists[id] { return known }
    let told = target.attributes(change.attributes(source.attributes(id)))
    lists[id] = told
    return told
  }
}
