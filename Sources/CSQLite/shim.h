#include <sqlite3.h>

/* `sqlite3_db_config` takes any number of arguments, which Swift does not import. */
static inline int tracectl_sqlite_set(sqlite3 *database, int option, int value) {
  return sqlite3_db_config(database, option, value, (int *)0);
}

/* SQLITE_TRANSIENT is a number that is cast to a function, which Swift does not import. */
static inline void tracectl_sqlite_result_text(sqlite3_context *context, const char *text, int length) {
  sqlite3_result_text(context, text, length, SQLITE_TRANSIENT);
}
