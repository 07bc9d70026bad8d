import Platform

/// libdeflate, which is loaded when there is much to read and the system has it.
///
/// No program is linked with it: where it is not found, zlib does the same.
struct Libdeflate: Sendable {
  typealias Decompressor = OpaquePointer
  /// Fills so many bytes, tells how many it took and wrote; 0 when it did.
  typealias Decompress =
    @convention(c) (
      Decompressor, UnsafeRawPointer?, Int, UnsafeMutableRawPointer?, Int,
      UnsafeMutablePointer<Int>?, UnsafeMutablePointer<Int>?
    ) -> Int32

  let allocate: @convention(c) () -> Decompressor?
  let free: @convention(c) (Decompressor?) -> Void
  let decompress: Decompress
  /// The CRC-32 of zlib, continued.
  let checksum: @convention(c) (UInt32, UnsafeRawPointer?, Int) -> UInt32

  /// Fewer bytes are read without it: it takes as long to load it.
  static let worthwhileBytes = 1 << 17

  /// The library, for who has so many bytes to read; `nil` of few, and where the system has none.
  static func library(after byteCount: Int) -> Libdeflate? {
    byteCount < worthwhileBytes ? nil : loaded
  }

  private static let loaded = names.lazy.compactMap { dlopen($0, RTLD_NOW | RTLD_LOCAL) }.first
    .flatMap(Libdeflate.init)

  // Whole paths on macOS, where a bare name may be looked for in the current directory.
  #if os(macOS)
    private static let names = [
      "/opt/homebrew/lib/libdeflate.0.dylib", "/usr/local/lib/libdeflate.0.dylib",
    ]
  #elseif os(Linux)
    private static let names = ["libdeflate.so.0"]
  #else
    private static let names: [String] = []
  #endif

  private init?(_ library: UnsafeMutableRawPointer) {
    guard let allocate = dlsym(library, "libdeflate_alloc_decompressor"),
      let free = dlsym(library, "libdeflate_free_decompressor"),
      let decompress = dlsym(library, "libdeflate_deflate_decompress_ex"),
      let checksum = dlsym(library, "libdeflate_crc32")
    else { return nil }
    self.allocate = unsafeBitCast(allocate, to: (@convention(c) () -> Decompressor?).self)
    self.free = unsafeBitCast(free, to: (@convention(c) (Decompressor?) -> Void).self)
    self.decompress = unsafeBitCast(decompress, to: Decompress.self)
    self.checksum = unsafeBitCast(
      checksum, to: (@convention(c) (UInt32, UnsafeRawPointer?, Int) -> UInt32).self)
  }
}

/// A stream that libdeflate unpacks.
final class LibdeflateInflater {
  private let library: Libdeflate
  private let decompressor: Libdeflate.Decompressor

  init?(_ library: Libdeflate) {
    guard let decompressor = library.allocate() else { return nil }
    self.library = library
    self.decompressor = decompressor
  }

  deinit { library.free(decompressor) }

  /// Fills `target` exactly from `source`, which must end with the stream; false when it cannot.
  func inflate(
    _ source: UnsafeRawBufferPointer, to target: UnsafeMutableRawBufferPointer
  ) -> Bool {
    var (taken, written) = (0, 0)
    let code = library.decompress(
      decompressor, source.baseAddress, source.count, target.baseAddress, target.count, &taken,
      &written)
    return code == 0 && taken == source.count && written == target.count
  }
}
