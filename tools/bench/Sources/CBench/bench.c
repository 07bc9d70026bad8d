#include "CBench.h"

#include <pthread.h>

struct run {
  void (*body)(void *context);
  void *context;
};

static void *other(void *argument) {
  struct run *run = argument;
  run->body(run->context);
  return NULL;
}

void bench_twice(void (*body)(void *context), void *context) {
  struct run run = {body, context};
  pthread_t thread;
  pthread_create(&thread, NULL, other, &run);
  body(context);
  pthread_join(thread, NULL);
}

static int compare(const void *left, const void *right) {
  double first = *(const double *)left, second = *(const double *)right;
  return (first > second) - (first < second);
}

void bench_percentiles(
    void (*body)(void), void (*rest)(void), double *median, double *most) {
  double *times = malloc(bench_batches * sizeof *times);
  for (int batch = -bench_warm; batch < bench_batches; batch++) {
    uint64_t start = bench_nanoseconds();
    for (int count = 0; count < bench_batch; count++) body();
    double time = (double)(bench_nanoseconds() - start) / bench_batch;
    if (batch >= 0) times[batch] = time;
    if (rest && batch % 50 == 0) rest();
  }

  qsort(times, bench_batches, sizeof *times, compare);
  *median = times[bench_batches / 2];
  *most = times[bench_batches * 99 / 100];
  free(times);
}
