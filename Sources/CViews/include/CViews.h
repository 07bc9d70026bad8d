#ifndef CVIEWS_H
#define CVIEWS_H

#include <stddef.h>

// The views of `tracectl query`, as they lie beside views.c: SQL that SQLite and DuckDB understand, whose
// first line is the question that it answers, as a comment.

struct log_view {
  const char *name;
  const char *text;
  size_t length;
};

// The view at a place, from 0; without a name behind the last one.
struct log_view log_view_at(size_t place);

#endif
