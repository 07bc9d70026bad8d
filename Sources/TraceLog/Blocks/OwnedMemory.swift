/// Memory that is allocated piece by piece, and given back at once with the object that owns it.
final class OwnedMemory {
  private var pieces: [UnsafeMutableRawPointer] = []

  deinit {
    for piece in pieces { piece.deallocate() }
  }

  /// Memory for this many elements, none of which refers to an object.
  func allocate<Element>(_ count: Int) -> UnsafeMutablePointer<Element> {
    let piece = UnsafeMutablePointer<Element>.allocate(capacity: count)
    pieces.append(UnsafeMutableRawPointer(piece))
    return piece
  }
}
