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
