import Foundation
import Fuzzing

/// Feeds the target that TRACECTL_FUZZ_TARGET names, with the arguments of libFuzzer; tools/fuzz builds
/// and runs it.
///
/// With TRACECTL_FUZZ_SEEDS it writes seeds and a dictionary into that folder, and nothing else.
@main enum Fuzz {
  /// What is fed; libFuzzer calls from one thread alone.
  nonisolated(unsafe) fileprivate static var target = FuzzTarget.log

  @MainActor static func main() throws {
    let environment = ProcessInfo.processInfo.environment
    guard let named = environment["TRACECTL_FUZZ_TARGET"].flatMap(FuzzTarget.init(rawValue:)) else {
      fatalError("TRACECTL_FUZZ_TARGET names no target")
    }
    target = named
    if let folder = environment["TRACECTL_FUZZ_SEEDS"] {
      return try writeSeeds(to: URL(fileURLWithPath: folder))
    }

    var count = CommandLine.argc
    var words = CommandLine.unsafeArgv
    exit(run(&count, &words, test))
  }

  @MainActor private static func writeSeeds(to folder: URL) throws {
    let seeds = FuzzSeeds(
      samples: ["samples", "Tests/Inputs"].map { URL(fileURLWithPath: $0) })
    for (index, seed) in try seeds.inputs(for: target).enumerated() {
      try Data(seed).write(to: folder.appendingPathComponent("seed-\(index)"))
    }
    try Data(seeds.dictionary.utf8).write(to: folder.appendingPathExtension("words"))
  }
}

/// libFuzzer's own main function.
@_silgen_name("LLVMFuzzerRunDriver")
private func run(
  _ count: UnsafeMutablePointer<CInt>,
  _ words: UnsafeMutablePointer<UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>>,
  _ test: @convention(c) (UnsafePointer<UInt8>?, Int) -> CInt
) -> CInt

/// libFuzzer's changes: the new length of bytes that have room for so many.
@_silgen_name("LLVMFuzzerMutate")
private func mutate(_ bytes: UnsafeMutablePointer<UInt8>, _ count: Int, _ most: Int) -> Int

/// Feeds the target; a broken promise ends the process, which libFuzzer reports.
///
/// libFuzzer asks for it by this name, too.
@_cdecl("LLVMFuzzerTestOneInput")
func test(_ bytes: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  let bytes = Array(UnsafeBufferPointer(start: bytes, count: count))
  MainActor.assumeIsolated {
    do { try Fuzz.target.run(bytes) } catch { fatalError("\(error)") }
  }
  return 0
}

/// Changes an input: libFuzzer's own changes, and of a log behind its checksums.
@_cdecl("LLVMFuzzerCustomMutator")
func change(
  _ bytes: UnsafeMutablePointer<UInt8>, _ count: Int, _ most: Int, _ seed: CUnsignedInt
) -> Int {
  let input = Array(UnsafeBufferPointer(start: bytes, count: count))
  let output = Fuzz.target.mutate(input, most: most, seed: UInt64(seed), changed)
  guard !output.isEmpty, output.count <= most else { return mutate(bytes, count, most) }
  bytes.update(from: output, count: output.count)
  return output.count
}

/// Bytes as libFuzzer changes them.
private func changed(_ bytes: [UInt8], _ most: Int) -> [UInt8] {
  let room = max(bytes.count, most, 1)
  return [UInt8](unsafeUninitializedCapacity: room) { buffer, count in
    guard let start = buffer.baseAddress else { return }
    for (index, byte) in bytes.enumerated() { (start + index).initialize(to: byte) }
    count = mutate(start, bytes.count, room)
  }
}
