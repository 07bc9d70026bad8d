/// The shapes of a block in groups by how much time usually passes before them.
///
/// ```
///   times of group 0 │ of group 1 │ … │ of group 7      each in the order of the rows
/// ```
///
/// Each group's classes are a column of their own, so that deflate gives each its own codes: a timer
/// and a return have little in common.
struct TimeGroups {
  /// The group of each shape.
  let ofShape: UnsafeMutablePointer<UInt8>
  /// Where the next class of each group is in the columns.
  let cursors: UnsafeMutablePointer<Int>

  init(rows: Int, in memory: OwnedMemory) {
    ofShape = memory.allocate(rows)
    cursors = memory.allocate(LogFormat.timeGroups)
  }

  /// Sets the cursors to where each group begins; returns how long each is.
  @inline(__always)
  func begin(rows: Int, shape: (Int) -> Int) -> [Int] {
    cursors.update(repeating: 0, count: LogFormat.timeGroups)
    for row in 0..<rows { cursors[Int(ofShape[shape(row)])] &+= 1 }
    let lengths = (0..<LogFormat.timeGroups).map { cursors[$0] }
    var start = 0
    for (group, length) in lengths.enumerated() {
      cursors[group] = start
      start += length
    }
    return lengths
  }

  /// Where the class of the next row of `shape` is.
  @inline(__always)
  func next(_ shape: Int) -> Int {
    let group = Int(ofShape[shape])
    let position = cursors[group]
    cursors[group] = position &+ 1
    return position
  }
}
