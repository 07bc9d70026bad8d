#ifndef CBENCH_H
#define CBENCH_H

#include <fcntl.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>
#if defined(__x86_64__)
#include <x86intrin.h>
#endif

/* What Swift cannot say, and what must cost the same in Swift and in C. */

#pragma clang assume_nonnull begin

/* The counter that a recorder reads for each fact. */
static inline uint64_t bench_ticks(void) {
#if defined(__x86_64__)
  return __rdtsc();
#elif defined(__aarch64__)
  uint64_t ticks;
  __asm__ volatile("mrs %0, cntvct_el0" : "=r"(ticks));
  return ticks;
#else
  return 0;
#endif
}

static inline uint64_t bench_time(clockid_t clock) {
  struct timespec time;
  clock_gettime(clock, &time);
  return (uint64_t)time.tv_sec * 1000000000u + (uint64_t)time.tv_nsec;
}

static inline uint64_t bench_nanoseconds(void) { return bench_time(CLOCK_MONOTONIC); }
static inline uint64_t bench_thread_time(void) { return bench_time(CLOCK_THREAD_CPUTIME_ID); }
static inline uint64_t bench_process_time(void) { return bench_time(CLOCK_PROCESS_CPUTIME_ID); }

/* 16 bytes, and then the head, as a ring publishes a record. */
static inline void bench_store(uint64_t *slots) {
  __atomic_store_n(&slots[0], 1, __ATOMIC_RELAXED);
  __atomic_store_n(&slots[1], 2, __ATOMIC_RELAXED);
  __atomic_store_n(&slots[2], 3, __ATOMIC_RELEASE);
}

/* Opens a file to be read; in C, since it takes any number of arguments. */
static inline int bench_open(const char *path) { return open(path, O_RDONLY); }

static inline double bench_log2(double number) { return log2(number); }

/* Runs a body on this thread and on another one at once. */
void bench_twice(void (*body)(void *context), void *context);

/* An event as peers get it: numbers in place of words, 32 bytes. */
struct bench_row {
  int64_t nanoseconds, value;
  uint32_t name, label, subject;
  uint16_t writer;
  uint8_t verb, kind; /* kind: of the subject, and 128 where there is a value */
};

/* So many calls are timed together, so that the clock's own cost does not count. */
enum { bench_batch = 64, bench_batches = 4000, bench_warm = 200 };

/* The nanoseconds of a call of `body` at the median, and where 99 of 100 are below, after a first part
   that does not count; `rest` runs now and then, so that who drains keeps up. */
void bench_percentiles(
    void (*body)(void), void (*_Nullable rest)(void), double *median, double *most);

#pragma clang assume_nonnull end
#endif
