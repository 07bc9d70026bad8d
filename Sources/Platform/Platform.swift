/// The system's C library, whatever it is called here: the one place that names it.
///
/// What C libraries spell differently has one name in `CPlatform`.
#if canImport(Darwin)
  @_exported import Darwin
#elseif canImport(Musl)
  @_exported import Musl
#else
  @_exported import Glibc
#endif
@_exported import CPlatform

// What a program does with descriptors when it is started: an opaque pointer on macOS, else a structure.
#if os(macOS)
  package func emptySpawnActions() -> posix_spawn_file_actions_t? { nil }
#elseif !canImport(Darwin)
  package func emptySpawnActions() -> posix_spawn_file_actions_t { posix_spawn_file_actions_t() }
#endif
