#include <zlib.h>

/* `deflateInit2` and `inflateInit2` are macros, which Swift does not import. */

static inline int tracectl_deflate_init(z_streamp stream, int level) {
  return deflateInit2(stream, level, Z_DEFLATED, -15, 8, Z_DEFAULT_STRATEGY);
}

/* With the header and the checksum of zlib. */
static inline int tracectl_zlib_init(z_streamp stream, int level) {
  return deflateInit2(stream, level, Z_DEFLATED, 15, 9, Z_DEFAULT_STRATEGY);
}

/* With the header and the checksum of gzip. */
static inline int tracectl_gunzip_init(z_streamp stream) {
  return inflateInit2(stream, 15 + 16);
}

static inline int tracectl_inflate_init(z_streamp stream) {
  return inflateInit2(stream, -15);
}
