/* LTTng-UST: lttng record, or lttng replay ROWS, in a session that tools/bench/run makes. */
#define LTTNG_UST_TRACEPOINT_CREATE_PROBES
#define LTTNG_UST_TRACEPOINT_DEFINE
#include "lttng.h"

static void replay(const struct bench_row *row) {
  if (row->kind & 128)
    lttng_ust_tracepoint(bench, fact, row);
  else
    lttng_ust_tracepoint(bench, bare, row);
}

__attribute__((noinline)) static void timer(void) {
  lttng_ust_tracepoint(bench, timer, 7, 1, 3);
}

__attribute__((noinline)) static void off(void) { lttng_ust_tracepoint(bench, off, 7, 1, 3); }

static void rest(void) { usleep(25000); }

int main(int count, char **words) {
  if (count == 3 && !strcmp(words[1], "replay")) {
    read_rows(words[2], replay);
  } else {
    show("fact", timer, rest);
    show("off", off, NULL);
  }
}
