#ifndef CALLS_H
#define CALLS_H

#if defined(__APPLE__) || defined(TRACE_HOOKS_GNU)

#include <objc/runtime.h>

#include "CTraceHooks.h"

/* What is done around a call that is watched, and around a block that one was given. */

#define HIDDEN __attribute__((visibility("hidden")))

typedef uintptr_t word;

/* A method that is watched. It is written before its function is put in place. */
typedef struct {
  IMP original;
  Method method;
  uint32_t token;
  unsigned block;
} place;

/* Who is told. */
HIDDEN extern trace_hook_events trace_hook_listener;

/* Runs the original of a place with so many arguments. */
HIDDEN word trace_hook_run0(const place *it, const void *self, SEL selector);
HIDDEN word trace_hook_run1(const place *it, const void *self, SEL selector, word a);
HIDDEN word trace_hook_run2(const place *it, const void *self, SEL selector, word a, word b);
HIDDEN word trace_hook_run3(
    const place *it, const void *self, SEL selector, word a, word b, word c);
HIDDEN word trace_hook_run4(
    const place *it, const void *self, SEL selector, word a, word b, word c, word d);

/* With one fraction, such as the interval of a timer. It travels in a register of another kind, wherever it
   stands among the arguments; words that are not there are passed on as they are found. */
HIDDEN word trace_hook_run_timed(const place *it, const void *self, SEL selector, word a, word b,
    word c, word d, double fraction);

/* Runs a block that a call was given. */
HIDDEN void trace_hook_run_block(const void *block, trace_hook_call call, word argument);

/* Calls a block as the compiler does, which on arm64e signs what it calls. */
HIDDEN void trace_hook_call_block(const void *block, word argument);

/* Whether the app's or the system's code has the method. Key-value observing and other SDKs give an object a subclass
   that they have made at run time: what that alone has is not the app's. */
HIDDEN int trace_hook_implements(const void *cls, const char *selector);

/* A copy of a block that tells when it runs. The blocks that are watched take one word or none. */
HIDDEN word trace_hook_watched_block(word given, trace_hook_call call);
HIDDEN void trace_hook_release_block(word block);

#endif

#endif
