#ifndef CPLATFORM_H
#define CPLATFORM_H

#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>
#if defined(__APPLE__)
#include <TargetConditionals.h>
#include <mach/mach_time.h>
#include <os/lock.h>
#endif
#if defined(__x86_64__) && !defined(__APPLE__)
#include <cpuid.h>
#include <x86intrin.h>
#endif

/* What Swift cannot say at the cost of one instruction: the time-stamp counter, a thread-local
   pointer, and atomic access to mapped memory; and what systems spell differently. */

#pragma clang assume_nonnull begin

/* MARK: Clocks */

/* The counter's ticks; call only when platform_has_constant_ticks() says so. Apple's raw counter runs on
   while the device sleeps, and its awake clock does not: there the ticks are that clock's. */
static inline uint64_t platform_ticks(void) {
#if defined(__APPLE__)
  return mach_absolute_time();
#elif defined(__x86_64__)
  return __rdtsc();
#elif defined(__aarch64__)
  uint64_t ticks;
  __asm__ volatile("mrs %0, cntvct_el0" : "=r"(ticks));
  return ticks;
#else
  return 0;
#endif
}

/* Whether the counter runs at one rate against platform_nanoseconds(), on every core. */
static inline int platform_has_constant_ticks(void) {
#if defined(__APPLE__)
  return 1;
#elif defined(__x86_64__)
  unsigned a, b, c, d;
  return __get_cpuid(0x80000007u, &a, &b, &c, &d) && (d & (1u << 8)) != 0;
#elif defined(__aarch64__)
  return 1;
#else
  return 0;
#endif
}

static inline uint64_t platform_clock(clockid_t clock) {
  struct timespec time;
  clock_gettime(clock, &time);
  return (uint64_t)time.tv_sec * 1000000000u + (uint64_t)time.tv_nsec;
}

/* The awake monotonic clock, in nanoseconds. */
static inline uint64_t platform_nanoseconds(void) {
#if defined(__APPLE__)
  return platform_clock(CLOCK_UPTIME_RAW);
#else
  return platform_clock(CLOCK_MONOTONIC);
#endif
}

/* The clock that runs on while the machine sleeps, in nanoseconds. */
static inline uint64_t platform_boottime_nanoseconds(void) {
#if defined(__APPLE__)
  return platform_clock(CLOCK_MONOTONIC_RAW);
#else
  return platform_clock(CLOCK_BOOTTIME);
#endif
}

/* The wall clock, in nanoseconds since 1970. */
static inline uint64_t platform_wall_nanoseconds(void) { return platform_clock(CLOCK_REALTIME); }

/* MARK: Threads */

/* The lane of the calling thread in the recorder's ring, or NULL. */
extern _Thread_local void *_Nullable platform_local_lane;

static inline void *_Nullable platform_get_local_lane(void) { return platform_local_lane; }
static inline void platform_set_local_lane(void *_Nullable lane) { platform_local_lane = lane; }

/* From now on a child that is forked knows it: platform_is_forked() is 1 there, and its one thread has
   no lane. */
void platform_watch_forks(void);

/* A child that is forked closes the descriptor, so that a lock on it is the parent's alone. The last
   eight that were named are closed. */
void platform_close_when_forked(int descriptor);

extern int platform_forked;
static inline int platform_is_forked(void) { return platform_forked; }

/* Whether the caller is the thread that the process began with. */
int platform_is_main_thread(void);

/* The calling thread's name; empty when it has none. */
void platform_thread_name(char *name, size_t size);

/* Lets the calling thread give way to the others. */
void platform_lower_priority(void);

/* Starts a thread that nobody waits for; 0, or the system's error. */
int platform_start_thread(void (*body)(void *), void *argument);

/* The same, for a thread that gets no signals, not even while it starts: others get them. */
int platform_start_thread_without_signals(void (*body)(void *), void *argument);

/* A key with which a thread keeps a pointer; `body` gets it when the thread ends. */
pthread_key_t platform_thread_end_key(void (*body)(void *));

/* Runs `body` when the process ends itself: with the exit status, where the system tells it. */
void platform_at_exit(void (*body)(int status, int is_known));

/* MARK: Locks */

/* Must keep its address while it is in use. */
typedef struct {
#if defined(__APPLE__)
  os_unfair_lock lock;
#else
  pthread_mutex_t lock;
#endif
} platform_lock;

static inline void platform_lock_init(platform_lock *lock) {
#if defined(__APPLE__)
  lock->lock = OS_UNFAIR_LOCK_INIT;
#else
  pthread_mutex_init(&lock->lock, 0);
#endif
}

static inline void platform_lock_destroy(platform_lock *lock) {
#if defined(__APPLE__)
  (void)lock;
#else
  pthread_mutex_destroy(&lock->lock);
#endif
}

static inline void platform_lock_acquire(platform_lock *lock) {
#if defined(__APPLE__)
  os_unfair_lock_lock(&lock->lock);
#else
  pthread_mutex_lock(&lock->lock);
#endif
}

static inline void platform_lock_release(platform_lock *lock) {
#if defined(__APPLE__)
  os_unfair_lock_unlock(&lock->lock);
#else
  pthread_mutex_unlock(&lock->lock);
#endif
}

/* Threads take turns with it: who holds the lock may wait until another one signals a change. Must keep
   its address while it is in use. */
typedef struct {
  pthread_mutex_t lock;
  pthread_cond_t changed;
} platform_monitor;

static inline void platform_monitor_init(platform_monitor *monitor) {
  pthread_mutex_init(&monitor->lock, 0);
  pthread_cond_init(&monitor->changed, 0);
}

static inline void platform_monitor_destroy(platform_monitor *monitor) {
  pthread_cond_destroy(&monitor->changed);
  pthread_mutex_destroy(&monitor->lock);
}

static inline void platform_monitor_enter(platform_monitor *monitor) {
  pthread_mutex_lock(&monitor->lock);
}

static inline void platform_monitor_leave(platform_monitor *monitor) {
  pthread_mutex_unlock(&monitor->lock);
}

static inline void platform_monitor_wait(platform_monitor *monitor) {
  pthread_cond_wait(&monitor->changed, &monitor->lock);
}

static inline void platform_monitor_signal(platform_monitor *monitor) {
  pthread_cond_broadcast(&monitor->changed);
}

/* MARK: Bells */

/* A bell is a word that one thread waits for, and that another one changes; both may have mapped the file that
   it lies in. Where the system has no such wait across processes, it rings in this process alone. */

/* Whether a bell that lies in a file rings in other processes, too. */
int platform_rings_across_processes(void);

/* Changes the word, and wakes who waits for that. `errno` is kept. */
void platform_ring(uint32_t *bell);

/* Waits until the word is not `seen` any more, or for so many nanoseconds; of a wait of a second and more the
   system may add a tenth, to wake for several things at once. 1 when the time has passed; 0 otherwise, also when
   the wait was interrupted. */
int platform_wait_for_ring(const uint32_t *bell, uint32_t seen, int64_t nanoseconds);

/* Rings when `awaited` is at least `least`, by which somebody says for what the bell is waited for, and takes that
   back. What the caller stored before is seen by who says so first and looks then. */
static inline void platform_ring_if_awaited(uint32_t *bell, uint32_t *awaited, uint32_t least) {
  atomic_thread_fence(memory_order_seq_cst);
  if (atomic_load_explicit((_Atomic uint32_t *)awaited, memory_order_relaxed) < least) return;
  if (atomic_exchange_explicit((_Atomic uint32_t *)awaited, 0, memory_order_acq_rel) != 0) {
    platform_ring(bell);
  }
}

/* What was stored before is seen by whoever does the same with what is read behind it. */
static inline void platform_fence(void) { atomic_thread_fence(memory_order_seq_cst); }

static inline uint32_t platform_load_acquire_32(const uint32_t *word) {
  return atomic_load_explicit((const _Atomic uint32_t *)word, memory_order_acquire);
}

static inline void platform_store_relaxed_32(uint32_t *word, uint32_t value) {
  atomic_store_explicit((_Atomic uint32_t *)word, value, memory_order_relaxed);
}

/* MARK: Files */

/* Calls that Swift code with functions of the same names cannot reach. */
static inline ssize_t platform_read(int descriptor, void *_Nullable bytes, size_t count) {
  return read(descriptor, bytes, count);
}
static inline ssize_t platform_write(int descriptor, const void *_Nullable bytes, size_t count) {
  return write(descriptor, bytes, count);
}
static inline int platform_rename(const char *path, const char *name) {
  return rename(path, name);
}

/* The words with which this process was started, from its name at 0 on; null behind the last, and where Swift knows
   them always. */
const char *_Nullable platform_argument(int index);

static inline void platform_exit(int status) __attribute__((noreturn));
static inline void platform_exit(int status) { exit(status); }

/* When a file was last changed, in nanoseconds since 1970. */
static inline int64_t platform_modified(const struct stat *status) {
#if defined(__APPLE__)
  struct timespec time = status->st_mtimespec;
#else
  struct timespec time = status->st_mtim;
#endif
  return (int64_t)time.tv_sec * 1000000000 + (int64_t)time.tv_nsec;
}

/* Makes a file; where the system protects files while the device is locked, as one that it does not protect. */
int platform_create(const char *path, int flags, mode_t mode);

/* Takes the blocks of an empty file from the disk, and makes it that long; 0, or the system's error. A mapped file
   without its blocks ends the process when the disk is full. */
int platform_allocate(int descriptor, int64_t bytes);

/* Whether a process may hold a lock on a file for as long as it lives. iOS and its kin kill a process that
   is suspended with a lock on a file that apps share. */
int platform_may_hold_locks(void);

/* Whether the system counts what a process writes, the changed pages of mapped files among it, and reports or ends
   one that writes much, as iOS and its kin do. */
int platform_counts_writes(void);

/* Has the system let this process have the file while the device is locked; elsewhere it does nothing. A mapped file
   that is protected ends the process when the device is locked. */
void platform_keep_accessible(int descriptor);

/* Has reads and writes of a descriptor that was opened with O_NONBLOCK wait from now on. */
void platform_wait_from_now_on(int descriptor);

/* MARK: Processes */

/* When the process with this number began, in a unit of the system's own; -1 when none runs, or it
   ended and was not waited for; 0 when the system does not tell. */
int64_t platform_process_start(int32_t number);

/* Whether a debugger traces this process; -1 when the system does not tell. */
int platform_is_traced(void);

/* The bytes of memory that this process uses, as the system counts them against its limit, and those that it may still
   take; -1 is not known. */
void platform_memory(int64_t *used, int64_t *available);

/* A text that the kernel has under `name`, as `hw.machine`; 0 when it has none. */
int platform_kernel_text(const char *name, char *text, size_t size);

/* The text of the UUID that this boot of the machine has; 0 when the system does not tell. */
int platform_boot_id(char *text, size_t size);

/* Calls `handler` at a signal; interrupted calls begin again when `restarts` says so. */
int platform_handle_signal(
    int signal, int restarts, void (*handler)(int, siginfo_t *_Nullable, void *_Nullable));

/* MARK: Memory */

/* Atomic access to 64 bits of mapped memory, which other processes see. */
static inline uint64_t platform_load_acquire(const uint64_t *word) {
  return atomic_load_explicit((const _Atomic uint64_t *)word, memory_order_acquire);
}

/* Access without order, which may meet another thread's. */
static inline uint64_t platform_load_relaxed(const uint64_t *word) {
  return atomic_load_explicit((const _Atomic uint64_t *)word, memory_order_relaxed);
}

static inline void platform_store_relaxed(uint64_t *word, uint64_t value) {
  atomic_store_explicit((_Atomic uint64_t *)word, value, memory_order_relaxed);
}

static inline void platform_store_release(uint64_t *word, uint64_t value) {
  atomic_store_explicit((_Atomic uint64_t *)word, value, memory_order_release);
}

static inline uint64_t platform_fetch_add(uint64_t *word, uint64_t value) {
  return atomic_fetch_add_explicit((_Atomic uint64_t *)word, value, memory_order_relaxed);
}

static inline uint64_t platform_fetch_or(uint64_t *word, uint64_t bits) {
  return atomic_fetch_or_explicit((_Atomic uint64_t *)word, bits, memory_order_relaxed);
}

/* Changes `word` from `expected` to `value`; 0 when it held something else. */
static inline int platform_compare_exchange(uint64_t *word, uint64_t expected, uint64_t value) {
  return atomic_compare_exchange_strong_explicit(
      (_Atomic uint64_t *)word, &expected, value, memory_order_acq_rel, memory_order_acquire);
}

#pragma clang assume_nonnull end

#endif
