/* Files that a program writes by itself: files ndjson FILE and files sqlite FILE say what a fact costs;
   files database ROWS FILE writes all rows into a table. */
#include <sqlite3.h>

#include "rows.h"

static FILE *lines;
static sqlite3 *database;
static sqlite3_stmt *insertion;

static void line(void) {
  fprintf(lines,
      "{\"t\":%llu,\"writer\":\"main\",\"verb\":\"work\",\"name\":\"timer\",\"subject\":\"scene:1\","
      "\"label\":\"autosave\"}\n",
      (unsigned long long)bench_nanoseconds());
}

static void say(const char *words) {
  char *problem = NULL;
  if (sqlite3_exec(database, words, NULL, NULL, &problem) != SQLITE_OK) {
    fprintf(stderr, "%s: %s\n", words, problem);
    exit(1);
  }
}

static void insert(const struct bench_row *row) {
  sqlite3_bind_int64(insertion, 1, row->nanoseconds);
  sqlite3_bind_int(insertion, 2, row->writer);
  sqlite3_bind_int(insertion, 3, row->verb);
  sqlite3_bind_int(insertion, 4, row->kind & 127);
  sqlite3_bind_int(insertion, 5, (int)row->subject);
  sqlite3_bind_int(insertion, 6, (int)row->name);
  sqlite3_bind_int(insertion, 7, (int)row->label);
  if (row->kind & 128) sqlite3_bind_int64(insertion, 8, row->value);
  sqlite3_step(insertion);
  sqlite3_reset(insertion);
  sqlite3_clear_bindings(insertion);
}

static void one(void) {
  struct bench_row row = {(int64_t)bench_nanoseconds(), 0, 7, 3, 1, 1, 9, 2};
  insert(&row);
}

static void begin(const char *path) {
  if (sqlite3_open(path, &database) != SQLITE_OK) exit(1);
  say("pragma journal_mode = wal");
  say("pragma synchronous = off");
  say("create table events (t integer, writer integer, verb integer, kind integer, subject integer, "
      "name integer, label integer, value integer)");
  const char *words = "insert into events values (?, ?, ?, ?, ?, ?, ?, ?)";
  if (sqlite3_prepare_v2(database, words, -1, &insertion, NULL) != SQLITE_OK) exit(1);
  say("begin");
}

static void end(void) {
  say("commit");
  sqlite3_finalize(insertion);
  say("pragma wal_checkpoint(truncate)");
  say("pragma journal_mode = delete");
  sqlite3_close(database);
}

int main(int count, char **words) {
  if (count == 3 && !strcmp(words[1], "ndjson")) {
    lines = fopen(words[2], "w");
    show("fact", line, NULL);
    fclose(lines);
  } else if (count == 3 && !strcmp(words[1], "sqlite")) {
    begin(words[2]);
    show("fact", one, NULL);
    end();
  } else if (count == 4 && !strcmp(words[1], "database")) {
    begin(words[3]);
    read_rows(words[2], insert);
    end();
  }
}
