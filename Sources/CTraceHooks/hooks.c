#include "CTraceHooks.h"

#if defined(__APPLE__) || defined(TRACE_HOOKS_GNU)

#include <Block.h>
#include <pthread.h>
#include <string.h>

#include "calls.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

/* MARK: Blocks */

word trace_hook_watched_block(word given, trace_hook_call call) {
  if (!given) return given;
  void (^original)(word) = Block_copy((void (^)(word))given);
  void (^watched)(word) = ^(word argument) {
    trace_hook_run_block((const void *)original, call, argument);
  };

  word result = (word)Block_copy(watched);
  Block_release(original);
  return result;
}

void trace_hook_call_block(const void *block, word argument) {
  ((void (^)(word))block)(argument);
}

void trace_hook_release_block(word block) {
  if (block) Block_release((const void *)block);
}

/* MARK: Places */

/* Each place has a function of its own, which so knows its original. To look the original up by the
   receiver's class would find the subclass's when super's is called, and never end. */
enum { places_of_a_count = 64, timed = trace_hook_arguments + 1, pools };
#define F0(n) static word f0_##n(id s, SEL m) { return trace_hook_run0(&p0[n], s, m); }
#define F1(n) static word f1_##n(id s, SEL m, word a) { return trace_hook_run1(&p1[n], s, m, a); }
#define F2(n) static word f2_##n(id s, SEL m, word a, word b) { return trace_hook_run2(&p2[n], s, m, a, b); }
#define F3(n) \
  static word f3_##n(id s, SEL m, word a, word b, word c) { return trace_hook_run3(&p3[n], s, m, a, b, c); }
#define F4(n)                                                         \
  static word f4_##n(id s, SEL m, word a, word b, word c, word d) {   \
    return trace_hook_run4(&p4[n], s, m, a, b, c, d);                            \
  }
#define F5(n)                                                                             \
  static word f5_##n(id s, SEL m, word a, word b, word c, word d, double x) {             \
    return trace_hook_run_timed(&p5[n], s, m, a, b, c, d, x);                                        \
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

/* The place of a function of ours, or NULL. */
static const place *ours_of(IMP function) {
  for (int count = 0; count < pools; ++count)
    for (int index = 0; index < counts[count].used; ++index)
      if (counts[count].functions[index] == function) return &counts[count].places[index];
  return NULL;
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

void trace_hook_start(const trace_hook_events *events) { trace_hook_listener = *events; }

trace_hook_result trace_hook_watch(
    const void *cls, const char *selector, uint32_t token, unsigned block) {
  /* It looks through superclasses: a method that is inherited is watched where it is declared, and to
     replace it there adds none. */
  if (!trace_hook_implements(cls, selector)) return trace_hook_absent;
  Method method = class_getInstanceMethod((Class)cls, sel_registerName(selector));
  int words = 0, count = pool_of(method, &words);
  if (count < 0 || block > (unsigned)words) return trace_hook_shape;

  trace_hook_result result = trace_hook_done;
  pthread_mutex_lock(&lock);
  IMP original = method_getImplementation(method);
  int index = counts[count].used;
  const place *ours = ours_of(original);
  if (ours) {
    result = ours->token == token ? trace_hook_already : trace_hook_taken;
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
  if (count > trace_hook_arguments) return 0;
  pthread_mutex_lock(&lock);
  int used = counts[count].used;
  pthread_mutex_unlock(&lock);
  return places_of_a_count - used;
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
