#define _GNU_SOURCE
#include "CTracer.h"

#include <errno.h>
#include <string.h>

#if defined(__linux__) && (defined(__x86_64__) || defined(__aarch64__))
#include <elf.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>

/* Behind the system's own, whose names it defines again. */
#include <linux/futex.h>
#include <linux/ptrace.h>

#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/uio.h>
#include <sys/user.h>
#include <sys/wait.h>
#include <unistd.h>

static const long options = PTRACE_O_TRACESYSGOOD | PTRACE_O_TRACECLONE | PTRACE_O_EXITKILL;

/* Has waiting be interrupted now and then. */
static void nothing(int signal) { (void)signal; }

static void begin_ticks(void) {
  static int has_begun = 0;
  if (has_begun) return;
  has_begun = 1;
  struct sigaction action = {.sa_handler = nothing};
  sigaction(SIGALRM, &action, NULL);
  struct itimerval every = {{0, 5000}, {0, 5000}};
  setitimer(ITIMER_REAL, &every, NULL);
  prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0);
}

static pid_t wait_for(pid_t process, int *status) {
  pid_t ended = waitpid(process, status, __WALL);
  while (ended < 0 && errno == EINTR) ended = waitpid(process, status, __WALL);
  return ended;
}

int32_t tracer_check(void) {
  pid_t child = fork();
  if (child < 0) return errno;
  if (child == 0) {
    if (ptrace(PTRACE_TRACEME, 0, 0, 0) != 0) _exit(errno);
    raise(SIGSTOP);
    (void)getppid();
    _exit(0);
  }

  int status = 0;
  int error = ENOSYS;
  if (wait_for(child, &status) != child) return ECHILD;
  if (WIFEXITED(status)) return WEXITSTATUS(status);
  if (ptrace(PTRACE_SETOPTIONS, child, 0, options) == 0 &&
      ptrace(PTRACE_SYSCALL, child, 0, 0) == 0 && wait_for(child, &status) == child &&
      WIFSTOPPED(status)) {
    struct ptrace_syscall_info info;
    if (ptrace(PTRACE_GET_SYSCALL_INFO, child, sizeof info, &info) > 0) error = 0;
  }
  kill(child, SIGKILL);
  wait_for(child, &status);
  return error;
}

int32_t tracer_start(char *const *words, char *const *environment, int32_t output, int32_t errors) {
  begin_ticks();
  pid_t child = fork();
  if (child < 0) return -errno;
  if (child == 0) {
    ptrace(PTRACE_TRACEME, 0, 0, 0);
    dup2(output, STDOUT_FILENO);
    dup2(errors, STDERR_FILENO);
    execve(words[0], words, environment);
    _exit(127);
  }

  int status = 0;
  if (wait_for(child, &status) != child || !WIFSTOPPED(status)) return -ENOEXEC;
  if (ptrace(PTRACE_SETOPTIONS, child, 0, options) != 0) return -errno;
  return child;
}

/* Which call a number is, and where its arguments stand; -1 where it has none. */
struct form {
  int call;
  int path;
  int other;
  int descriptor;
  int flags;
  int length;
  int address;
};

static struct form form(uint64_t number) {
  switch (number) {
  case SYS_openat: return (struct form){TRACER_OPEN, 1, -1, -1, 2, -1, -1};
  case SYS_write: return (struct form){TRACER_WRITE, -1, -1, 0, -1, 2, 1};
  case SYS_fsync: return (struct form){TRACER_SYNC, -1, -1, 0, -1, -1, -1};
  case SYS_ftruncate: return (struct form){TRACER_TRUNCATE, -1, -1, 0, -1, 1, -1};
  case SYS_lseek: return (struct form){TRACER_SEEK, -1, -1, 0, 2, 1, -1};
  case SYS_flock: return (struct form){TRACER_LOCK, -1, -1, 0, 1, -1, -1};
  case SYS_linkat: return (struct form){TRACER_LINK, 1, 3, -1, -1, -1, -1};
  case SYS_renameat2: return (struct form){TRACER_RENAME, 1, 3, -1, -1, -1, -1};
  case SYS_unlinkat: return (struct form){TRACER_UNLINK, 1, -1, -1, -1, -1, -1};
  case SYS_msync: return (struct form){TRACER_FLUSH, -1, -1, -1, -1, 1, 0};
  case SYS_fallocate: return (struct form){TRACER_ALLOCATE, -1, -1, 0, -1, -1, -1};
  case SYS_mmap: return (struct form){TRACER_MAP, -1, -1, 4, 3, 1, 0};
  case SYS_close: return (struct form){TRACER_CLOSE, -1, -1, 0, -1, -1, -1};
  case SYS_clock_nanosleep: return (struct form){TRACER_SLEEP, -1, -1, -1, -1, -1, 2};
#if defined(SYS_renameat)
  case SYS_renameat: return (struct form){TRACER_RENAME, 1, 3, -1, -1, -1, -1};
#endif
#if defined(__x86_64__)
  case SYS_open: return (struct form){TRACER_OPEN, 0, -1, -1, 1, -1, -1};
  case SYS_link: return (struct form){TRACER_LINK, 0, 1, -1, -1, -1, -1};
  case SYS_rename: return (struct form){TRACER_RENAME, 0, 1, -1, -1, -1, -1};
  case SYS_unlink: return (struct form){TRACER_UNLINK, 0, -1, -1, -1, -1, -1};
#endif
  case SYS_futex: return (struct form){TRACER_SLEEP, -1, -1, -1, 1, -1, 3};
  default: return (struct form){TRACER_OTHER, -1, -1, -1, -1, -1, -1};
  }
}

static void read_text(pid_t thread, uint64_t address, char *text, size_t size) {
  int64_t count = tracer_read(thread, address, text, size - 1);
  text[count < 0 ? 0 : count] = 0;
}

static void describe(tracer_stop *stop, const struct ptrace_syscall_info *info) {
  const __u64 *arguments = info->entry.args;
  struct form form_ = form(info->entry.nr);
  stop->call = form_.call;
  if (form_.call == TRACER_OTHER) return;
  if (form_.flags >= 0) stop->flags = (int32_t)arguments[form_.flags];
  if (form_.length >= 0) stop->length = arguments[form_.length];
  if (form_.address >= 0) stop->address = arguments[form_.address];
  /* Of the waits for a word only those for a ring's bell: across processes, and with an end. */
  if (info->entry.nr == SYS_futex && (stop->flags != FUTEX_WAIT || stop->address == 0)) {
    stop->call = TRACER_OTHER;
    return;
  }
  if (form_.path >= 0) read_text(stop->thread, arguments[form_.path], stop->path, sizeof stop->path);
  if (form_.other >= 0)
    read_text(stop->thread, arguments[form_.other], stop->other, sizeof stop->other);

  if (form_.descriptor >= 0 && (int32_t)arguments[form_.descriptor] >= 0) {
    char link[64];
    snprintf(link, sizeof link, "/proc/%d/fd/%d", stop->thread,
             (int32_t)arguments[form_.descriptor]);
    ssize_t count = readlink(link, stop->path, sizeof stop->path - 1);
    stop->path[count < 0 ? 0 : count] = 0;
  }
}

void tracer_wait(tracer_stop *stop) {
  int status = 0;
  stop->kind = TRACER_NOTHING;
  stop->call = TRACER_OTHER;
  stop->flags = 0;
  stop->length = stop->address = 0;
  stop->path[0] = stop->other[0] = 0;
  stop->thread = waitpid(-1, &status, __WALL);
  if (stop->thread <= 0) return;
  if (!WIFSTOPPED(status)) {
    stop->kind = TRACER_ENDED;
    stop->result = status;
    return;
  }

  struct ptrace_syscall_info info;
  if (WSTOPSIG(status) == (SIGTRAP | 0x80) &&
      ptrace(PTRACE_GET_SYSCALL_INFO, stop->thread, sizeof info, &info) > 0) {
    if (info.op == PTRACE_SYSCALL_INFO_ENTRY) {
      stop->kind = TRACER_CALLS;
      describe(stop, &info);
    } else {
      stop->kind = TRACER_RETURNS;
      stop->result = info.exit.rval;
    }
    return;
  }
  if (status >> 16 == PTRACE_EVENT_CLONE) {
    unsigned long begun = 0;
    stop->kind = TRACER_BEGINS;
    if (ptrace(PTRACE_GETEVENTMSG, stop->thread, 0, &begun) == 0) stop->result = (int64_t)begun;
    return;
  }
  stop->kind = TRACER_SIGNAL;
  stop->result = status >> 16 != 0 ? 0 : WSTOPSIG(status);
}

void tracer_run(int32_t thread, int32_t signal) { ptrace(PTRACE_CONT, thread, 0, (long)signal); }

void tracer_run_to_call(int32_t thread, int32_t signal) {
  ptrace(PTRACE_SYSCALL, thread, 0, (long)signal);
}

#if defined(__x86_64__)
typedef struct user_regs_struct registers;
static const uint64_t call_mask = 0xffff, call_instruction = 0x050f;
static uint64_t *place(registers *all) { return (uint64_t *)&all->rip; }
static uint64_t *result(registers *all) { return (uint64_t *)&all->rax; }
static uint64_t *third(registers *all) { return (uint64_t *)&all->rdx; }
#else
typedef struct user_regs_struct registers;
static const uint64_t call_mask = 0xffffffff, call_instruction = 0xd4000001;
static uint64_t *place(registers *all) { return (uint64_t *)&all->pc; }
static uint64_t *result(registers *all) { return (uint64_t *)&all->regs[0]; }
static uint64_t *third(registers *all) { return (uint64_t *)&all->regs[2]; }
#endif

static int get(pid_t thread, registers *all) {
  struct iovec space = {all, sizeof *all};
  return ptrace(PTRACE_GETREGSET, thread, NT_PRSTATUS, &space) == 0;
}

static void set(pid_t thread, registers *all) {
  struct iovec space = {all, sizeof *all};
  ptrace(PTRACE_SETREGSET, thread, NT_PRSTATUS, &space);
}

int32_t tracer_step(int32_t thread, int32_t count) {
  for (int32_t done = 0; done < count; done += 1) {
    registers all;
    if (!get(thread, &all)) return done;
    errno = 0;
    long word = ptrace(PTRACE_PEEKTEXT, thread, *place(&all), 0);
    if (errno == 0 && ((uint64_t)word & call_mask) == call_instruction) return done;
    int status = 0;
    if (ptrace(PTRACE_SINGLESTEP, thread, 0, 0) != 0) return done;
    if (wait_for(thread, &status) != thread || !WIFSTOPPED(status)) return done;
  }
  return count;
}

void tracer_skip_call(int32_t thread) {
#if defined(__x86_64__)
  registers all;
  if (!get(thread, &all)) return;
  all.orig_rax = (unsigned long long)-1;
  set(thread, &all);
#else
  int number = -1;
  struct iovec space = {&number, sizeof number};
  ptrace(PTRACE_SETREGSET, thread, NT_ARM_SYSTEM_CALL, &space);
#endif
}

void tracer_set_result(int32_t thread, int64_t value) {
  registers all;
  if (!get(thread, &all)) return;
  *result(&all) = (uint64_t)value;
  set(thread, &all);
}

void tracer_set_length(int32_t thread, uint64_t length) {
  registers all;
  if (!get(thread, &all)) return;
  *third(&all) = length;
  set(thread, &all);
}

int64_t tracer_read(int32_t process, uint64_t address, void *bytes, uint64_t count) {
  /* A text may end at the end of a page behind which there is none. */
  uint64_t first = 4096 - address % 4096;
  struct iovec own = {bytes, count};
  struct iovec other[2] = {{(void *)address, count < first ? count : first},
                           {(void *)(address + first), count < first ? 0 : count - first}};
  return process_vm_readv(process, &own, 1, other, other[1].iov_len > 0 ? 2 : 1, 0);
}

int64_t tracer_write(int32_t process, uint64_t address, const void *bytes, uint64_t count) {
  struct iovec own = {(void *)bytes, count};
  struct iovec other = {(void *)address, count};
  return process_vm_writev(process, &own, 1, &other, 1, 0);
}

#else

int32_t tracer_check(void) { return ENOSYS; }
int32_t tracer_start(char *const *words, char *const *environment, int32_t output, int32_t errors) {
  (void)words, (void)environment, (void)output, (void)errors;
  return -ENOSYS;
}
void tracer_wait(tracer_stop *stop) { memset(stop, 0, sizeof *stop); }
void tracer_run(int32_t thread, int32_t signal) { (void)thread, (void)signal; }
void tracer_run_to_call(int32_t thread, int32_t signal) { (void)thread, (void)signal; }
int32_t tracer_step(int32_t thread, int32_t count) {
  (void)thread, (void)count;
  return 0;
}
void tracer_skip_call(int32_t thread) { (void)thread; }
void tracer_set_result(int32_t thread, int64_t result) { (void)thread, (void)result; }
void tracer_set_length(int32_t thread, uint64_t length) { (void)thread, (void)length; }
int64_t tracer_read(int32_t process, uint64_t address, void *bytes, uint64_t count) {
  (void)process, (void)address, (void)bytes, (void)count;
  return -1;
}
int64_t tracer_write(int32_t process, uint64_t address, const void *bytes, uint64_t count) {
  (void)process, (void)address, (void)bytes, (void)count;
  return -1;
}
#endif
