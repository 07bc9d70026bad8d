#ifndef CPAGE_H
#define CPAGE_H

#include <stddef.h>

// The parts of the report pages that are the same for every log, as tools/page makes them from the files beside
// page.c: those of the page of one log, and of the page about many. They are bytes of the library: nothing has to
// be found when it runs.

typedef struct {
  const char *start;
  size_t length;
} page_text;

extern const page_text page_script;
extern const page_text page_style;
// The body, with a name in braces where a part of a log goes.
extern const page_text page_body;
// The SHA-256 of script and style, in base64.
extern const page_text page_script_hash;
extern const page_text page_style_hash;
extern const page_text index_script;
extern const page_text index_style;
extern const page_text index_script_hash;
extern const page_text index_style_hash;

#endif
