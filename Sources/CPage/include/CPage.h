#ifndef CPAGE_H
#define CPAGE_H

#include <stddef.h>

// The script and the style of the report page, as they lie beside page.c. They are bytes of the library: nothing has to be found when it runs.

extern const char *const page_script;
extern const size_t page_script_length;
extern const char *const page_style;
extern const size_t page_style_length;

#endif
