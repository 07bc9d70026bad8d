import LifecycleModel

/// The fewest edits that make a word legal: a shortest path through word and automaton.
///
/// A node is a place in the word, a state of the automaton, and for each letter how many were dropped
/// and not added yet, or the other way round: one that is dropped here and added there is moved, and
/// counts once. For so many edits the nodes of each place are bounded, so the cost grows with the
/// length of the word.
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
    var balance: [Int8]
  }

  private struct Node {
    var key: Key
    var cost: Int
    var parent: Int
    var operation: Operation?
  }

  private enum Cost {
    static let edit = 1 << 20
    static let drop = 1 << 12
    static let addCall = 1 << 10
    static let addNotification = 1 << 11
  }

  /// What is done at each place, in order; `nil` when that is not found within the limit.
  func operations(from start: LifecycleAutomaton.State) -> [Operation]? {
    var search = Search(self)
    search.push(
      Key(
        place: 0, state: start.masked(bits), skips: 0,
        balance: Array(repeating: 0, count: search.letters.count)), 0, -1, nil)
    while let index = search.pop() {
      let node = search.nodes[index]
      if search.nodes.count > LegalRepair.nodeLimit { return nil }
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
    keep(item, place, index, node, &search)
    if item.freedom != .none { drop(item, place, index, node, &search) }
    for (slot, letter) in search.letters.enumerated() {
      add(letter, slot, index, node, &search)
    }
  }

  private func keep(
    _ item: Item, _ place: Int, _ index: Int, _ node: Node, _ search: inout Search
  ) {
    var key = node.key
    guard automaton.read(item.letter, &key.state) & bits == 0 else { return }
    key.state = key.state.masked(bits)
    key.place += 1
    // What is on its way goes one place further.
    let distance = key.balance.reduce(0) { $0 + Int($1.magnitude) }
    search.push(key, node.cost + distance, index, .keep(place))
  }

  private func drop(
    _ item: Item, _ place: Int, _ index: Int, _ node: Node, _ search: inout Search
  ) {
    guard let slot = search.slots[item.letter] else { return }
    let isFulfilled = node.key.balance[slot] < 0
    if item.freedom == .moves && !isFulfilled { return }
    var key = node.key
    key.place += 1
    key.balance[slot] += 1
    if let partner = item.partner { key.skips |= 1 << UInt64(partner) }
    search.push(key, node.cost + (isFulfilled ? 0 : Cost.edit), index, .drop(place))
  }

  private func add(
    _ letter: LifecycleLetter, _ slot: Int, _ index: Int, _ node: Node, _ search: inout Search
  ) {
    let isFulfilled = node.key.balance[slot] > 0
    let place = Int(node.key.place)
    if !isFulfilled {
      guard automaton.helps(letter, node.key.state, bits) else { return }
      let later = word[place...].contains { $0.letter == letter && $0.freedom != .none }
      guard later || search.isAddable[slot] else { return }
      // A return stays behind its call.
      if letter == .launchReturn, word[place...].contains(where: { $0.letter == .launchCall }) {
        return
      }
    }
    var key = node.key
    guard automaton.read(letter, &key.state) & bits == 0 else { return }
    if letter == .launchCall, word.contains(where: { $0.partner != nil }) {
      guard automaton.read(.launchReturn, &key.state) & bits == 0 else { return }
    }
    key.state = key.state.masked(bits)
    key.balance[slot] -= 1
    search.push(key, node.cost + (isFulfilled ? 0 : Cost.edit), index, .add(letter))
  }

  /// The end of the word: what was dropped and not added again is gone, and the other way round.
  private func finish(_ index: Int, _ node: Node, _ search: inout Search) {
    for (slot, letter) in search.letters.enumerated() where node.key.balance[slot] > 0 {
      add(letter, slot, index, node, &search)
    }
    if let following, !node.key.state.isAsGood(as: following.masked(bits)) { return }
    var cost = node.cost
    for (slot, letter) in search.letters.enumerated() {
      let count = Int(node.key.balance[slot])
      if count > 0 { cost += repeated.contains(letter) ? 0 : count * Cost.drop }
      if count < 0 {
        guard search.isAddable[slot] else { return }
        cost -= count * (letter.verb == .call ? Cost.addCall : Cost.addNotification)
      }
    }
    var key = node.key
    key.place += 1
    search.push(key, cost, index, nil)
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
