import TraceLog
import Traces

/// Changes a log behind its checksums: what it changes fits them again, so that readers look at it.
struct LogMutator {
  private var random: SeededGenerator

  /// Makes a mutator; equal seeds choose equally.
  init(seed: UInt64) { random = SeededGenerator(seed: seed) }

  /// A log that differs from `bytes`; bytes that hold no block are changed as they are.
  mutating func mutate(_ bytes: [UInt8], most: Int, _ change: FuzzTarget.Change) -> [UInt8] {
    guard var parts = LogParts(bytes), !random.oneIn(16) else { return change(bytes, most) }

    switch Int.random(in: 0..<8, using: &random) {
    case 0: parts.head = change(parts.head, 4096)
    case 1: rearrange(&parts.blocks)
    default:
      let index = Int.random(in: parts.blocks.indices, using: &random)
      mutate(&parts.blocks[index], most, change)
    }
    // Some logs keep wrong chains: they are damaged.
    return parts.sealed(chained: !random.oneIn(8))
  }

  private mutating func rearrange(_ blocks: inout [LogParts.Block]) {
    let index = Int.random(in: blocks.indices, using: &random)
    let other = Int.random(in: blocks.indices, using: &random)
    switch Int.random(in: 0..<3, using: &random) {
    case 0: blocks.swapAt(index, other)
    case 1 where blocks.count < 16: blocks.insert(blocks[index], at: other)
    default: if blocks.count > 1 { blocks.remove(at: index) }
    }
  }

  private mutating func mutate(
    _ block: inout LogParts.Block, _ most: Int, _ change: FuzzTarget.Change
  ) {
    switch Int.random(in: 0..<8, using: &random) {
    case 0: block.mantissas = change(block.mantissas, 4096)
    case 1: block.header = change(block.header, 4096)
    case 2:
      // One count or one instant, which stand behind the numbers and the chain.
      let index = Int.random(in: 0..<min(48, block.header.count), using: &random) + 20
      if index < block.header.count {
        block.header[index] = .random(in: .min ... .max, using: &random)
      }
    default: block.plain = change(block.plain, most)
    }
  }
}
