#define _GNU_SOURCE
#include "CPlatform.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/resource.h>
#if defined(__linux__)
#include <limits.h>
#include <linux/futex.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#endif
#if defined(__APPLE__)
#include <mach/mach.h>
#include <sys/proc.h>
#include <sys/sysctl.h>
#endif
#if defined(__APPLE__) && TARGET_OS_IPHONE
#include <os/proc.h>
#endif

_Thread_local void *platform_local_lane = 0;

/* Written in a forked child alone, before it has a second thread. */
int platform_forked = 0;

enum { descriptor_slots = 8 };
static _Atomic int descriptors[descriptor_slots] = {-1, -1, -1, -1, -1, -1, -1, -1};
static atomic_uint descriptor_count = 0;

void platform_close_when_forked(int descriptor) {
  unsigned place = atomic_fetch_add(&descriptor_count, 1) % descriptor_slots;
  atomic_store(&descriptors[place], descriptor);
}

static void silence_child(void) {
  platform_forked = 1;
  platform_local_lane = 0;
  for (int place = 0; place < descriptor_slots; ++place) {
    int descriptor = atomic_load(&descriptors[place]);
    if (descriptor >= 0) close(descriptor);
  }
}

static void watch_forks(void) { pthread_atfork(0, 0, silence_child); }

void platform_watch_forks(void) {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  pthread_once(&once, watch_forks);
}

int platform_is_main_thread(void) {
#if defined(__APPLE__)
  return pthread_main_np();
#else
  return getpid() == gettid();
#endif
}

void platform_thread_name(char *name, size_t size) {
  if (pthread_getname_np(pthread_self(), name, size) != 0 && size > 0) name[0] = 0;
}

void platform_lower_priority(void) {
#if defined(__APPLE__)
  pthread_set_qos_class_self_np(QOS_CLASS_UTILITY, 0);
#else
  /* On Linux a nice value is a thread's own. */
  setpriority(PRIO_PROCESS, 0, 5);
#endif
}

struct thread_start {
  void (*body)(void *);
  void *argument;
};

static void *run_thread(void *pointer) {
  struct thread_start start = *(struct thread_start *)pointer;
  free(pointer);
  start.body(start.argument);
  return 0;
}

int platform_start_thread(void (*body)(void *), void *argument) {
  struct thread_start *start = malloc(sizeof *start);
  if (!start) return ENOMEM;
  *start = (struct thread_start){body, argument};
  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
  pthread_t id;
  int code = pthread_create(&id, &attributes, run_thread, start);
  pthread_attr_destroy(&attributes);
  if (code != 0) free(start);
  return code;
}

int platform_start_thread_without_signals(void (*body)(void *), void *argument) {
  static const int faults[] = {SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGTRAP, SIGABRT};
  sigset_t signals, before;
  sigfillset(&signals);
  for (size_t index = 0; index < sizeof faults / sizeof *faults; index += 1) {
    sigdelset(&signals, faults[index]);
  }
  /* A thread begins with the mask of the one that starts it. */
  pthread_sigmask(SIG_BLOCK, &signals, &before);
  int code = platform_start_thread(body, argument);
  pthread_sigmask(SIG_SETMASK, &before, 0);
  return code;
}

pthread_key_t platform_thread_end_key(void (*body)(void *)) {
  pthread_key_t key = 0;
  pthread_key_create(&key, body);
  return key;
}

static void (*exit_body)(int, int) = 0;

#if defined(__GLIBC__)
static void run_at_exit(int status, void *unused) {
  (void)unused;
  exit_body(status, 1);
}
#else
static void run_at_exit(void) { exit_body(0, 0); }
#endif

void platform_at_exit(void (*body)(int, int)) {
  exit_body = body;
#if defined(__GLIBC__)
  on_exit(run_at_exit, 0);
#else
  atexit(run_at_exit);
#endif
}

static char **process_words = 0;

#if defined(__GLIBC__)
/* This C library calls what runs before main with its arguments. */
__attribute__((constructor)) static void keep_words(int count, char **words) {
  if (count > 0) process_words = words;
}
#endif

const char *platform_argument(int index) { return process_words ? process_words[index] : 0; }

#if defined(__linux__)

int platform_rings_across_processes(void) { return 1; }

void platform_ring(uint32_t *bell) {
  int error = errno;
  atomic_fetch_add_explicit((_Atomic uint32_t *)bell, 1, memory_order_seq_cst);
  syscall(SYS_futex, bell, FUTEX_WAKE, INT_MAX, 0, 0, 0);
  errno = error;
}

int platform_wait_for_ring(const uint32_t *bell, uint32_t seen, int64_t nanoseconds) {
  static const int64_t second = 1000000000;
  static _Thread_local int64_t slack = 0;
  int64_t wanted = nanoseconds >= second ? nanoseconds / 10 : 50000;
  if (slack != wanted && prctl(PR_SET_TIMERSLACK, (unsigned long)wanted, 0, 0, 0) == 0) slack = wanted;

  struct timespec time = {nanoseconds / second, nanoseconds % second};
  long result = syscall(SYS_futex, bell, FUTEX_WAIT, seen, &time, 0, 0);
  return result != 0 && errno == ETIMEDOUT;
}

#else

/* One for all bells of the process: there are few, and they ring rarely. */
static platform_monitor bells = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_COND_INITIALIZER};

int platform_rings_across_processes(void) { return 0; }

void platform_ring(uint32_t *bell) {
  int error = errno;
  platform_monitor_enter(&bells);
  atomic_fetch_add_explicit((_Atomic uint32_t *)bell, 1, memory_order_seq_cst);
  platform_monitor_signal(&bells);
  platform_monitor_leave(&bells);
  errno = error;
}

int platform_wait_for_ring(const uint32_t *bell, uint32_t seen, int64_t nanoseconds) {
  /* The system puts off the timers of a thread of this priority by itself. */
  struct timespec time = {nanoseconds / 1000000000, nanoseconds % 1000000000};
  int code = 0;
  platform_monitor_enter(&bells);
  if (platform_load_acquire_32(bell) == seen) {
    code = pthread_cond_timedwait_relative_np(&bells.changed, &bells.lock, &time);
  }
  platform_monitor_leave(&bells);
  return code == ETIMEDOUT;
}

#endif

#if defined(__APPLE__)
/* NSFileProtectionNone is class D of the system. */
enum { class_d = 4 };
#endif

int platform_create(const char *path, int flags, mode_t mode) {
#if defined(__APPLE__) && TARGET_OS_IPHONE
  /* A file of its directory's class cannot even be made before the first unlock. */
  int descriptor = open_dprotected_np(path, flags, class_d, 0, mode);
  if (descriptor >= 0 || (errno != ENOTSUP && errno != EINVAL)) return descriptor;
#endif
  return open(path, flags, mode);
}

/* Writes zeros, on file systems that give blocks in no other way. */
static int fill(int descriptor, int64_t bytes) {
  static const char zeros[1 << 16];
  int64_t done = 0;
  while (done < bytes) {
    size_t size = bytes - done < (int64_t)sizeof zeros ? (size_t)(bytes - done) : sizeof zeros;
    ssize_t count = pwrite(descriptor, zeros, size, done);
    if (count < 0 && errno != EINTR) return errno;
    if (count > 0) done += count;
  }
  return 0;
}

static int has_no_blocks_to_give(int error) {
  return error == ENOTSUP || error == EOPNOTSUPP || error == EINVAL || error == ENOSYS;
}

#if defined(__APPLE__)
static int preallocate(int descriptor, int64_t bytes) {
  fstore_t blocks = {F_ALLOCATECONTIG | F_ALLOCATEALL, F_PEOFPOSMODE, 0, bytes, 0};
  if (fcntl(descriptor, F_PREALLOCATE, &blocks) == 0) return 0;
  /* Not in one piece, then. */
  blocks.fst_flags = F_ALLOCATEALL;
  return fcntl(descriptor, F_PREALLOCATE, &blocks) == 0 ? 0 : errno;
}
#endif

int platform_allocate(int descriptor, int64_t bytes) {
#if defined(__APPLE__)
  int code = preallocate(descriptor, bytes);
  if (code == 0 && ftruncate(descriptor, bytes) != 0) code = errno;
#else
  int code = posix_fallocate(descriptor, 0, bytes);
#endif
  return has_no_blocks_to_give(code) ? fill(descriptor, bytes) : code;
}

int platform_counts_writes(void) {
#if defined(__APPLE__) && TARGET_OS_IPHONE
  return 1;
#else
  return 0;
#endif
}

int platform_may_hold_locks(void) {
#if defined(__APPLE__) && TARGET_OS_IPHONE
  return 0;
#else
  return 1;
#endif
}

void platform_wait_from_now_on(int descriptor) {
  int flags = fcntl(descriptor, F_GETFL);
  if (flags >= 0) (void)fcntl(descriptor, F_SETFL, flags & ~O_NONBLOCK);
}

void platform_keep_accessible(int descriptor) {
#if defined(__APPLE__)
  (void)fcntl(descriptor, F_SETPROTECTIONCLASS, class_d);
#else
  (void)descriptor;
#endif
}

int platform_handle_signal(
    int signal, int restarts, void (*handler)(int, siginfo_t *, void *)) {
  struct sigaction action;
  memset(&action, 0, sizeof action);
  action.sa_sigaction = handler;
  action.sa_flags = SA_SIGINFO | (restarts ? SA_RESTART : 0);
  return sigaction(signal, &action, 0);
}

#if defined(__APPLE__)

static int find_process(int32_t number, struct kinfo_proc *process) {
  int name[] = {CTL_KERN, KERN_PROC, KERN_PROC_PID, number};
  size_t size = sizeof *process;
  return sysctl(name, 4, process, &size, 0, 0) == 0 && size > 0;
}

int64_t platform_process_start(int32_t number) {
  struct kinfo_proc process;
  if (!find_process(number, &process) || process.kp_proc.p_stat == SZOMB) return -1;
  struct timeval began = process.kp_proc.p_starttime;
  return (int64_t)began.tv_sec * 1000000 + (int64_t)began.tv_usec;
}

int platform_is_traced(void) {
  struct kinfo_proc process;
  if (!find_process(getpid(), &process)) return -1;
  return (process.kp_proc.p_flag & P_TRACED) != 0;
}

void platform_memory(int64_t *used, int64_t *available) {
  task_vm_info_data_t memory;
  mach_msg_type_number_t count = TASK_VM_INFO_COUNT;
  kern_return_t code = task_info(mach_task_self(), TASK_VM_INFO, (task_info_t)&memory, &count);
  *used = code == KERN_SUCCESS ? (int64_t)memory.phys_footprint : -1;
  /* A simulator has no limit, and returns 0, as a process beyond its limit does. */
#if TARGET_OS_IPHONE && !TARGET_OS_SIMULATOR
  *available = (int64_t)os_proc_available_memory();
#else
  *available = -1;
#endif
}

int platform_kernel_text(const char *name, char *text, size_t size) {
  return sysctlbyname(name, text, &size, 0, 0) == 0;
}

int platform_boot_id(char *text, size_t size) {
  return platform_kernel_text("kern.bootsessionuuid", text, size);
}

#else

/* Reads the beginning of a small file; -1 when it cannot be read. */
static ssize_t read_start(const char *path, char *text, size_t size) {
  int descriptor = open(path, O_RDONLY | O_CLOEXEC);
  if (descriptor < 0) return -1;
  ssize_t count;
  do {
    count = read(descriptor, text, size - 1);
  } while (count < 0 && errno == EINTR);
  close(descriptor);
  if (count >= 0) text[count] = 0;
  return count;
}

int64_t platform_process_start(int32_t number) {
  char path[32], text[1024];
  snprintf(path, sizeof path, "/proc/%d/stat", number);
  if (read_start(path, text, sizeof text) < 0) {
    /* Without /proc the number alone has to do. */
    int is_there = kill(number, 0) == 0 || errno == EPERM;
    return is_there && access("/proc/self/stat", R_OK) != 0 ? 0 : -1;
  }

  /* The program's name stands in parentheses, and may hold anything. Behind it, from the state on, the
     time is the twentieth field. */
  char *field = strrchr(text, ')');
  if (!field || field[1] != ' ' || field[2] == 'Z' || field[2] == 'X') return -1;
  for (int place = 0; field && place < 20; ++place) field = strchr(field + 1, ' ');
  return field ? strtoll(field + 1, 0, 10) : -1;
}

int platform_is_traced(void) {
  char text[4096];
  if (read_start("/proc/self/status", text, sizeof text) < 0) return -1;
  char *key = strstr(text, "\nTracerPid:");
  return key ? strtoll(key + strlen("\nTracerPid:"), 0, 10) != 0 : -1;
}

void platform_memory(int64_t *used, int64_t *available) {
  char text[128];
  long long size, resident;
  int is_read = read_start("/proc/self/statm", text, sizeof text) > 0
      && sscanf(text, "%lld %lld", &size, &resident) == 2;
  *used = is_read ? resident * sysconf(_SC_PAGESIZE) : -1;
  *available = -1;
}

int platform_kernel_text(const char *name, char *text, size_t size) {
  (void)name;
  if (size > 0) text[0] = 0;
  return 0;
}

int platform_boot_id(char *text, size_t size) {
  return read_start("/proc/sys/kernel/random/boot_id", text, size) > 0;
}

#endif
