#include "calls.h"

/* An exception may pass through a call. What is told then is told by cleanups, which it runs in a file of this
   language alone: C has them compiled without. It is built with ARC and without, so no object is touched: an
   object is a pointer to anything here. */
#if defined(__APPLE__) || defined(TRACE_HOOKS_GNU)

#if !defined(__EXCEPTIONS)
#error "Compile this file with exceptions: they are Objective-C's default on Apple's systems."
#endif

#include <stdatomic.h>
#include <stddef.h>

#define ENDED_BY(function) __attribute__((cleanup(function)))

trace_hook_events trace_hook_listener;

/* A call that is open on this thread, and the one around it. */
typedef struct open_call {
  trace_hook_call call;
  /* NULL for one that is not told. */
  word *arguments;
  word subject, result;
  /* The argument whose run is told; 0 for none. */
  unsigned block;
  struct open_call *outer;
} open_call;

static _Thread_local open_call *innermost;

/* A call inside of the same one is not stated: a method that calls super's, and a delegate that hands the call
   on to another, as SwiftUI's does to the app's, have its token and its first argument. A first argument that is
   a number, as that of setTaskCompletedWithSuccess:, is the same for many objects: the receiver counts, too. */
static int is_same(const open_call *open, const place *it, const void *self, word argument) {
  enum { numbers = 4096 };
  return open->call.token == it->token && open->subject == argument &&
         (argument >= numbers || open->call.receiver == self);
}

static void enter(const place *it, open_call *space, const void *self, word *arguments) {
  static _Atomic uint64_t last_number;
  for (open_call *open = innermost; open; open = open->outer)
    if (is_same(open, it, self, arguments[0])) return;

  uint64_t number = atomic_fetch_add_explicit(&last_number, 1, memory_order_relaxed) + 1;
  *space = (open_call){{it->token, number, self}, arguments, arguments[0], 0, 0, innermost};
  innermost = space;
  space->block = trace_hook_listener.entered(space->call, arguments) ? it->block : 0;
  if (space->block)
    arguments[it->block - 1] = trace_hook_watched_block(arguments[it->block - 1], space->call);
}

/* The original has returned, or an exception passes through: the result is 0 then. The original keeps the
   block as long as it needs it. */
static void leave(open_call *call) {
  if (!call->arguments) return;
  innermost = call->outer;
  trace_hook_listener.left(call->call, call->arguments, call->result);
  if (call->block) trace_hook_release_block(call->arguments[call->block - 1]);
}

/* What is done is written once for each count of arguments. Pointers and whole numbers travel in whole
   registers on every machine that has UIKit, results too; those that are narrower keep what they have. */
#define RUN(count, PARAMETERS, LIST, TYPES)                                                      \
  word trace_hook_run##count(const place *it, const void *self, SEL selector PARAMETERS) {       \
    word w[trace_hook_arguments] = {LIST};                                                       \
    ENDED_BY(leave) open_call call = {0};                                                        \
    enter(it, &call, self, w);                                                                   \
    call.result =                                                                                \
        ((word(*)(const void *, SEL TYPES))it->original)(self, selector PASS##count);            \
    return call.result;                                                                          \
  }
#define COMMA ,
#define PASS0
#define PASS1 , w[0]
#define PASS2 PASS1, w[1]
#define PASS3 PASS2, w[2]
#define PASS4 PASS3, w[3]
RUN(0, , 0, )
RUN(1, COMMA word a, a, COMMA word)
RUN(2, COMMA word a COMMA word b, a COMMA b, COMMA word COMMA word)
RUN(3, COMMA word a COMMA word b COMMA word c, a COMMA b COMMA c, COMMA word COMMA word COMMA word)
RUN(4, COMMA word a COMMA word b COMMA word c COMMA word d, a COMMA b COMMA c COMMA d,
    COMMA word COMMA word COMMA word COMMA word)

word trace_hook_run_timed(const place *it, const void *self, SEL selector, word a, word b, word c,
    word d, double fraction) {
  word w[trace_hook_arguments] = {a, b, c, d};
  ENDED_BY(leave) open_call call = {0};
  enter(it, &call, self, w);
  call.result = ((word(*)(const void *, SEL, word, word, word, word, double))it->original)(
      self, selector, w[0], w[1], w[2], w[3], fraction);
  return call.result;
}

/* MARK: Blocks */

typedef struct {
  trace_hook_call call;
  word argument;
} open_block;

static void leave_block(open_block *open) {
  trace_hook_listener.block_left(open->call, open->argument);
}

void trace_hook_run_block(const void *block, trace_hook_call call, word argument) {
  ENDED_BY(leave_block) open_block open = {call, argument};
  trace_hook_listener.block_entered(call, argument);
  trace_hook_call_block(block, argument);
}

#else

/* A file without declarations is no C. */
typedef int trace_hook_no_calls;

#endif
