import LifecycleModel

/// The fewest edits that make a word legal: a shortest path through word and automaton.
///
/// A node is a place in the word, a state of the automaton, and for each letter how many are on their
/// way: taken out and not put in yet, or put in ahead and not taken out yet. For so many edits the nodes
/// of each place are bounded, so the cost grows with the length of the word.
///
/// Of repairs with as few edits that is taken which is easiest to believe: a move over one or two
/// events, an event that is missing, a move from further away, an event that is one too many.
struct LegalRepair {
  /// An event of the word.
  struct Item {
    var letter: LifecycleLetter
    /// What may be done with it.
    var freedom = Freedom.any
    /// The place of its return in the word, where that is a letter.
    var partner: Int?
  }

  /// What may be done with an event.
  enum Freedom {
    case any
    /// It may come earlier, but not be missing.
    case moves
    case none
  }

  /// One step through the word.
  enum Operation: Hashable {
    case keep(Int)
    case drop(Int)
    case add(LifecycleLetter)
  }

  /// The most nodes that are looked at; a search that needs more finds nothing.
  static let nodeLimit = 200_000
  /// The most nodes that are looked at for one log.
  static let budget = 2_000_000

  let automaton: LifecycleAutomaton
  let word: [Item]
  /// The clauses that must be kept.
  let bits: UInt64
  /// The letters that may be added.
  let addable: [LifecycleLetter]
  /// The letters of which a second one is rather one too many than a sign that another is missing.
  var repeated: Set<LifecycleLetter> = []

  /// The state that more events may follow; `nil` at the end of a life.
  ///
  /// What follows is to be as legal as it was: the edited word opens nothing that it did not.
  var following: LifecycleAutomaton.State?

  private struct Key: Hashable {
    var place: UInt8
    var state: LifecycleAutomaton.State
    /// The returns that go with calls that were dropped, by their places.
    var skips: UInt64
    /// What is on its way, by letter; negative when it was put in ahead.
    var moving: [Int8]
  }

  private struct Node {
    var key: Key
    var cost: Int
    var parent: Int
    var operation: Operation?
  }

  private enum Cost {
    static let edit = 1 << 20
    static let addCall = 1000
    static let addNotification = 2000
    static let drop = 4000
    /// For each event that is moved over.
    static let step = 400
  }

  /// What is done at each place, in order; `nil` when that is not found within the limit, or within the
  /// `budget` of nodes, of which those are taken that were looked at.
  func operations(from start: LifecycleAutomaton.State, budget: inout Int) -> [Operation]? {
    var search = Search(self)
    let limit = min(LegalRepair.nodeLimit, budget)
    defer { budget -= min(budget, search.nodes.count) }
    search.push(
      Key(
        place: 0, state: start.masked(bits), skips: 0,
        moving: Array(repeating: 0, count: search.letters.count)), 0, -1, nil)

    while let index = search.pop() {
      let node = search.nodes[index]
      if search.nodes.count > limit { return nil }
      if Int(node.key.place) > word.count {
        return search.path(to: index)
      }
      expand(index, node, &search)
    }
    return nil
  }

  private func expand(_ index: Int, _ node: Node, _ search: inout Search) {
    let place = Int(node.key.place)
    if place == word.count { return finish(index, node, &search) }
    let item = word[place]
    if node.key.skips & 1 << UInt64(place) != 0 {
      var key = node.key
      key.place += 1
      key.skips &= ~(1 << UInt64(place))
      return search.push(key, node.cost, index, .drop(place))
    }

    keep(item, index, node, &search)
    if item.freedom != .none { take(item, index, node, &search) }
    for (slot, letter) in search.letters.enumerated() { put(letter, slot, index, node, &search) }
  }

  private func keep(_ item: Item, _ index: Int, _ node: Node, _ search: inout Search) {
    var key = node.key
    guard automaton.read(item.letter, &key.state) & bits == 0 else { return }
    key.state = key.state.masked(bits)
    key.place += 1
    // What is on its way goes one place further.
    let distance = key.moving.reduce(0) { $0 + Int($1.magnitude) }
    search.push(key, node.cost + distance * Cost.step, index, .keep(Int(node.key.place)))
  }

  /// Drops an event, takes it out to put it in later, or takes out what was put in ahead.
  private func take(_ item: Item, _ index: Int, _ node: Node, _ search: inout Search) {
    guard let slot = search.slots[item.letter] else { return }
    let place = Int(node.key.place)
    var key = node.key
    key.place += 1
    if let partner = item.partner { key.skips |= 1 << UInt64(partner) }
    if node.key.moving[slot] < 0 {
      key.moving[slot] += 1
      return search.push(key, node.cost, index, .drop(place))
    }

    if item.freedom == .moves { return }
    let drop = repeated.contains(item.letter) ? 0 : Cost.drop
    search.push(key, node.cost + Cost.edit + drop + word.count - place, index, .drop(place))
    key.moving[slot] += 1
    search.push(key, node.cost + Cost.edit, index, .drop(place))
  }

  /// Adds an event, puts in what was taken out, or puts in ahead what is taken out later.
  private func put(
    _ letter: LifecycleLetter, _ slot: Int, _ index: Int, _ node: Node, _ search: inout Search
  ) {
    let isTaken = node.key.moving[slot] > 0
    // Without an effect that helps nothing is put in, but for what is to come somewhere.
    guard isTaken || automaton.helps(letter, node.key.state, bits) else { return }

    var key = node.key
    guard automaton.read(letter, &key.state) & bits == 0 else { return }

    if letter == .launchCall, word.contains(where: { $0.partner != nil }) {
      guard automaton.read(.launchReturn, &key.state) & bits == 0 else { return }
    }
    key.state = key.state.masked(bits)
    let rest = word[Int(node.key.place)...]

    if isTaken {
      var key = key
      key.moving[slot] -= 1
      search.push(key, node.cost, index, .add(letter))
    }

    guard automaton.helps(letter, node.key.state, bits) else { return }
    if search.isAddable[slot] {
      let add = letter.verb == .call ? Cost.addCall : Cost.addNotification
      search.push(key, node.cost + Cost.edit + add + rest.count, index, .add(letter))
    }

    // A return stays behind its call.
    if isTaken || letter == .launchReturn && rest.contains(where: { $0.letter == .launchCall }) {
      return
    }

    let later = rest.count { $0.letter == letter && $0.freedom != .none }
    if later > Int(-node.key.moving[slot]) {
      key.moving[slot] -= 1
      search.push(key, node.cost + Cost.edit, index, .add(letter))
    }
  }

  /// The end of the word, where nothing may be on its way any more.
  private func finish(_ index: Int, _ node: Node, _ search: inout Search) {
    for (slot, letter) in search.letters.enumerated() {
      put(letter, slot, index, node, &search)
    }
    guard node.key.moving.allSatisfy({ $0 == 0 }) else { return }
    if let following, !node.key.state.isAsGood(as: following.masked(bits)) { return }
    var key = node.key
    key.place += 1
    search.push(key, node.cost, index, nil)
  }
}

extension LegalRepair {
  /// The nodes that were reached, and those that are next.
  private struct Search {
    let letters: [LifecycleLetter]
    let slots: [LifecycleLetter: Int]
    let isAddable: [Bool]
    private(set) var nodes: [Node] = []
    private var known: [Key: Int] = [:]
    /// A heap by cost, the node that is further in the word first, then the older.
    private var heap: [Int] = []

    init(_ repair: LegalRepair) {
      var letters: [LifecycleLetter] = []
      for letter in repair.word.map(\.letter) + repair.addable where !letters.contains(letter) {
        letters.append(letter)
      }
      self.letters = letters
      slots = Dictionary(uniqueKeysWithValues: letters.enumerated().map { ($1, $0) })
      isAddable = letters.map(repair.addable.contains)
    }

    mutating func push(_ key: Key, _ cost: Int, _ parent: Int, _ operation: Operation?) {
      if let index = known[key], nodes[index].cost <= cost { return }
      known[key] = nodes.count
      nodes.append(Node(key: key, cost: cost, parent: parent, operation: operation))
      heap.append(nodes.count - 1)
      var child = heap.count - 1
      while child > 0, isBefore(heap[child], heap[(child - 1) / 2]) {
        heap.swapAt(child, (child - 1) / 2)
        child = (child - 1) / 2
      }
    }

    /// The next node that was not reached at less cost since.
    mutating func pop() -> Int? {
      while let first = heap.first {
        heap.swapAt(0, heap.count - 1)
        heap.removeLast()
        sink()
        if known[nodes[first].key] == first { return first }
      }
      return nil
    }

    private mutating func sink() {
      var parent = 0
      while true {
        var least = parent
        for child in [2 * parent + 1, 2 * parent + 2] where child < heap.count {
          if isBefore(heap[child], heap[least]) { least = child }
        }
        if least == parent { return }
        heap.swapAt(parent, least)
        parent = least
      }
    }

    private func isBefore(_ lhs: Int, _ rhs: Int) -> Bool {
      (nodes[lhs].cost, nodes[rhs].key.place, lhs) < (nodes[rhs].cost, nodes[lhs].key.place, rhs)
    }

    func path(to index: Int) -> [Operation] {
      var path: [Operation] = []
      var index = index
      while index >= 0 {
        if let operation = nodes[index].operation { path.append(operation) }
        index = nodes[index].parent
      }
      return path.reversed()
    }
  }
}
