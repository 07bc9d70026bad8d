#ifndef CRECORDER_H
#define CRECORDER_H

#include <stddef.h>
#include <stdint.h>
#include <stdatomic.h>
#include <time.h>
#if defined(__x86_64__)
#include <cpuid.h>
#include <x86intrin.h>
#endif

/* What Swift cannot say at the cost of one instruction: the time-stamp counter, a thread-local
   pointer, and atomic access to mapped memory. */

/* The counter's ticks; call only when recorder_has_constant_ticks() says so. */
static inline uint64_t recorder_ticks(void) {
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

/* Whether the counter runs at one rate, in sleep states too, on every core. */
static inline int recorder_has_constant_ticks(void) {
#if defined(__x86_64__)
  unsigned a, b, c, d;
  return __get_cpuid(0x80000007u, &a, &b, &c, &d) && (d & (1u << 8)) != 0;
#elif defined(__aarch64__)
  return 1;
#else
  return 0;
#endif
}

/* The awake monotonic clock, in nanoseconds. */
static inline uint64_t recorder_nanoseconds(void) {
  struct timespec time;
#if defined(__APPLE__)
  clock_gettime(CLOCK_UPTIME_RAW, &time);
#else
  clock_gettime(CLOCK_MONOTONIC, &time);
#endif
  return (uint64_t)time.tv_sec * 1000000000u + (uint64_t)time.tv_nsec;
}

/* The ring of the calling thread; a pointer of the recorder's, or NULL. */
extern _Thread_local void *recorder_local_ring;

static inline void *recorder_get_local_ring(void) { return recorder_local_ring; }
static inline void recorder_set_local_ring(void *ring) { recorder_local_ring = ring; }

/* From now on a child that is forked knows it: recorder_is_forked() is 1 there, and its one thread has
   no ring. */
void recorder_watch_forks(void);

/* A child that is forked closes the descriptor, so that a lock on it is the parent's alone. The last
   eight that were named are closed. */
void recorder_close_when_forked(int descriptor);

extern int recorder_forked;
static inline int recorder_is_forked(void) { return recorder_forked; }

/* Whether the caller is the thread that the process began with. */
int recorder_is_main_thread(void);

/* The calling thread's name; empty when it has none. */
void recorder_thread_name(char *name, size_t size);

/* Lets the calling thread give way to the others. */
void recorder_lower_priority(void);

/* Atomic access to 64 and 32 bits of mapped memory, which other processes see. */
static inline uint64_t recorder_load_acquire(const uint64_t *word) {
  return atomic_load_explicit((const _Atomic uint64_t *)word, memory_order_acquire);
}

/* Access without order, which may meet another thread's. */
static inline uint64_t recorder_load_relaxed(const uint64_t *word) {
  return atomic_load_explicit((const _Atomic uint64_t *)word, memory_order_relaxed);
}

static inline void recorder_store_relaxed(uint64_t *word, uint64_t value) {
  atomic_store_explicit((_Atomic uint64_t *)word, value, memory_order_relaxed);
}

static inline void recorder_store_release(uint64_t *word, uint64_t value) {
  atomic_store_explicit((_Atomic uint64_t *)word, value, memory_order_release);
}

static inline uint64_t recorder_fetch_add(uint64_t *word, uint64_t value) {
  return atomic_fetch_add_explicit((_Atomic uint64_t *)word, value, memory_order_relaxed);
}

static inline uint64_t recorder_fetch_or(uint64_t *word, uint64_t bits) {
  return atomic_fetch_or_explicit((_Atomic uint64_t *)word, bits, memory_order_relaxed);
}

/* Changes `word` from `expected` to `value`; 0 when it held something else. */
static inline int recorder_compare_exchange(uint64_t *word, uint64_t expected, uint64_t value) {
  return atomic_compare_exchange_strong_explicit(
      (_Atomic uint64_t *)word, &expected, value, memory_order_acq_rel, memory_order_acquire);
}

#endif
