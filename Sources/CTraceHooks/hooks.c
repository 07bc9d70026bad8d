#include "CTraceHooks.h"

#if defined(__APPLE__) || defined(TRACE_HOOKS_GNU)

#include <Block.h>
#include <objc/runtime.h>
#include <pthread.h>
#include <stdatomic.h>
#include <string.h>

typedef uintptr_t word;

/* MARK: Calls */

/* A method that is watched. It is written before its function is put in place. */
typedef struct {
  IMP original;
  Method method;
  uint32_t token;
  unsigned block;
} place;

/* A call that is open on this thread, and the one around it. */
typedef struct open_call {
  trace_hook_call call;
  word subject;
  /* The argument whose run is told; 0 for none. */
  unsigned block;
  struct open_call *outer;
} open_call;

static trace_hook_events listener;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static _Thread_local open_call *innermost;

/* A block that tells when it runs. The blocks that are watched take one word or none. */
static word watched_block(word given, trace_hook_call call) {
  if (!given) return given;
  void (^original)(word) = Block_copy((void (^)(word))given);
  void (^watched)(word) = ^(word argument) {
    listener.block_entered(call, argument);
    original(argument);
    listener.block_left(call, argument);
  };

  word result = (word)Block_copy(watched);
  Block_release(original);
  return result;
}

/* NULL for a call inside of the same one: a method that calls super's, and a delegate that hands the call
   on to another, as SwiftUI's does to the app's, have its token and its first argument. */
static open_call *enter(const place *it, open_call *space, id self, word *arguments) {
  static _Atomic uint64_t last_number;
  for (open_call *open = innermost; open; open = open->outer)
    if (open->call.token == it->token && open->subject == arguments[0]) return NULL;

  uint64_t number = atomic_fetch_add_explicit(&last_number, 1, memory_order_relaxed) + 1;
  *space = (open_call){{it->token, number, self}, arguments[0], 0, innermost};
  innermost = space;
  space->block = listener.entered(space->call, arguments) ? it->block : 0;
  if (space->block)
    arguments[it->block - 1] = watched_block(arguments[it->block - 1], space->call);
  return space;
}

/* The original keeps the block as long as it needs it. */
static void leave(open_call *call, const word *arguments, word result) {
  if (!call) return;
  innermost = call->outer;
  listener.left(call->call, arguments, result);
  if (call->block && arguments[call->block - 1])
    Block_release((const void *)arguments[call->block - 1]);
}

/* What is done is written once for each count of arguments. Pointers and whole numbers travel in whole
   registers on every machine that has UIKit, results too; those that are narrower keep what they have. */
#define RUN(count, PARAMETERS, LIST, TYPES)                                                      \
  static __attribute__((noinline)) word run##count(                                              \
      const place *it, id self, SEL selector PARAMETERS) {                                       \
    word w[trace_hook_arguments] = {LIST};                                                       \
    open_call space, *call = enter(it, &space, self, w);                                         \
    word result = ((word(*)(id, SEL TYPES))it->original)(self, selector PASS##count);            \
    leave(call, w, result);                                                                      \
    return result;                                                                               \
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

/* With one fraction, such as the interval of a timer. It travels in a register of another kind, wherever it
   stands among the arguments; words that are not there are passed on as they are found. */
static __attribute__((noinline)) word run_timed(
    const place *it, id self, SEL selector, word a, word b, word c, word d, double fraction) {
  word w[trace_hook_arguments] = {a, b, c, d};
  open_call space, *call = enter(it, &space, self, w);
  word result = ((word(*)(id, SEL, word, word, word, word, double))it->original)(
      self, selector, w[0], w[1], w[2], w[3], fraction);
  leave(call, w, result);
  return result;
}

/* MARK: Places */

/* Each place has a function of its own, which so knows its original. To look the original up by the
   receiver's class would find the subclass's when super's is called, and never end. */
enum { places_of_a_count = 64, timed = trace_hook_arguments + 1, pools };
#define F0(n) static word f0_##n(id s, SEL m) { return run0(&p0[n], s, m); }
#define F1(n) static word f1_##n(id s, SEL m, word a) { return run1(&p1[n], s, m, a); }
#define F2(n) static word f2_##n(id s, SEL m, word a, word b) { return run2(&p2[n], s, m, a, b); }
#define F3(n) \
  static word f3_##n(id s, SEL m, word a, word b, word c) { return run3(&p3[n], s, m, a, b, c); }
#define F4(n)                                                         \
  static word f4_##n(id s, SEL m, word a, word b, word c, word d) {   \
    return run4(&p4[n], s, m, a, b, c, d);                            \
  }
#define F5(n)                                                                             \
  static word f5_##n(id s, SEL m, word a, word b, word c, word d, double x) {             \
    return run_timed(&p5[n], s, m, a, b, c, d, x);                                        \
  }
#define N0(n) (IMP)f0_##n,
#define N1(n) (IMP)f1_##n,
#define N2(n) (IMP)f2_##n,
#define N3(n) (IMP)f3_##n,
#define N4(n) (IMP)f4_##n,
#define N5(n) (IMP)f5_##n,
/* The numbers are octal: eight times eight of them. */
#define EIGHT(M, o) M(o##0) M(o##1) M(o##2) M(o##3) M(o##4) M(o##5) M(o##6) M(o##7)
#define ALL(M)                                                                               \
  EIGHT(M, 0) EIGHT(M, 01) EIGHT(M, 02) EIGHT(M, 03) EIGHT(M, 04) EIGHT(M, 05) EIGHT(M, 06) \
  EIGHT(M, 07)
#define COUNT(n)                      \
  static place p##n[places_of_a_count]; \
  ALL(F##n)                           \
  static const IMP i##n[places_of_a_count] = {ALL(N##n)};
COUNT(0)
COUNT(1)
COUNT(2)
COUNT(3)
COUNT(4)
COUNT(5)

static struct {
  place *places;
  const IMP *functions;
  int used;
} counts[pools] = {
    {p0, i0, 0}, {p1, i1, 0}, {p2, i2, 0}, {p3, i3, 0}, {p4, i4, 0}, {p5, i5, 0}};

static int is_ours(IMP function) {
  for (int count = 0; count < pools; ++count)
    for (int index = 0; index < counts[count].used; ++index)
      if (counts[count].functions[index] == function) return 1;
  return 0;
}

/* MARK: Shapes */

/* Reads one type of an encoding and the offset behind it; 0 for what travels in no register as a whole. The
   runtimes' own readers do not agree on blocks. */
static char next_type(const char **encoding) {
  const char *at = *encoding;
  while (*at && strchr("rnNoORVA", *at)) ++at;
  char type = *at;
  if (!type || !strchr("v@#:*cCsSiIlLqQBd^", type)) return 0;
  ++at;

  if (type == '^') {
    /* A pointer to a pointer or to a simple type, such as that to an error. */
    while (*at == '^') ++at;
    if (!*at || !strchr("v@cCsSiIlLqQB", *at)) return 0;
    ++at;
  } else if (type == '@' && *at == '?') {
    ++at;
    if (*at == '<')
      while (*at && *at++ != '>') {
      }
  } else if (type == '@' && *at == '"') {
    ++at;
    while (*at && *at++ != '"') {
    }
  }

  while (*at == '-' || *at == '+' || (*at >= '0' && *at <= '9')) ++at;
  *encoding = at;
  return type;
}

/* The pool for a method, by its arguments behind receiver and selector, and how many of them are words; -1
   where they do not all travel in registers. The result is a word. */
static int pool_of(Method method, int *words) {
  const char *encoding = method_getTypeEncoding(method);
  if (!encoding) return -1;
  char result = next_type(&encoding);
  if (!result || result == 'd') return -1;

  int fractions = 0;
  for (*words = -2; *encoding;) {
    char type = next_type(&encoding);
    if (!type) return -1;
    *(type == 'd' ? &fractions : words) += 1;
  }
  if (*words < 0 || *words > trace_hook_arguments || fractions > 1) return -1;
  return fractions ? timed : *words;
}

/* MARK: Watching */

void trace_hook_start(const trace_hook_events *events) { listener = *events; }

trace_hook_result trace_hook_watch(
    const void *cls, const char *selector, uint32_t token, unsigned block) {
  /* It looks through superclasses: a method that is inherited is watched where it is declared, and to
     replace it there adds none. */
  Method method = cls ? class_getInstanceMethod((Class)cls, sel_registerName(selector)) : NULL;
  if (!method) return trace_hook_absent;
  int words = 0, count = pool_of(method, &words);
  if (count < 0 || block > (unsigned)words) return trace_hook_shape;

  trace_hook_result result = trace_hook_done;
  pthread_mutex_lock(&lock);
  IMP original = method_getImplementation(method);
  int index = counts[count].used;
  if (is_ours(original)) {
    result = trace_hook_already;
  } else if (index == places_of_a_count) {
    result = trace_hook_full;
  } else {
    counts[count].places[index] = (place){original, method, token, block};
    counts[count].used = index + 1;
    /* There is a lock inside: whoever finds the function sees what was written above. */
    method_setImplementation(method, counts[count].functions[index]);
  }
  pthread_mutex_unlock(&lock);
  return result;
}

int trace_hook_stop(void) {
  int kept = 0;
  pthread_mutex_lock(&lock);
  for (int count = 0; count < pools; ++count) {
    for (int index = 0; index < counts[count].used; ++index) {
      place *it = &counts[count].places[index];
      if (!it->method) continue;
      if (method_getImplementation(it->method) == counts[count].functions[index]) {
        method_setImplementation(it->method, it->original);
        it->method = NULL;
      } else {
        /* Somebody has put itself around it, and goes on calling us; we go on calling the original. */
        kept += 1;
      }
    }
  }
  pthread_mutex_unlock(&lock);
  return kept;
}

int trace_hook_room(unsigned count) {
  return count > trace_hook_arguments ? 0 : places_of_a_count - counts[count].used;
}

#else

void trace_hook_start(const trace_hook_events *events) { (void)events; }

trace_hook_result trace_hook_watch(
    const void *cls, const char *selector, uint32_t token, unsigned block) {
  (void)cls, (void)selector, (void)token, (void)block;
  return trace_hook_unavailable;
}

int trace_hook_stop(void) { return 0; }

int trace_hook_room(unsigned count) { return (void)count, 0; }

#endif
