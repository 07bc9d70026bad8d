/* What our sources use of Apple's C library: names, types and values as in its headers, written down
   anew. `Tests/Support/AppleStubs/check` compiles against it, so that a word that Apple's library does not
   have, or has with another type, is found on Linux. It is no evidence that the real headers agree. */
#ifndef DARWIN_H
#define DARWIN_H

#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

typedef int32_t pid_t;
typedef int32_t dev_t;
typedef uint64_t ino_t;
typedef uint16_t mode_t;
typedef uint16_t nlink_t;
typedef uint32_t uid_t;
typedef uint32_t gid_t;
typedef int64_t off_t;
typedef int64_t blkcnt_t;
typedef int32_t blksize_t;
typedef long ssize_t;
typedef long time_t;
typedef int32_t suseconds_t;
typedef uint32_t useconds_t;
typedef uint32_t sigset_t;

/* errno.h; Swift's overlay of Darwin has a variable that is computed. */
#if defined(STUB_FOR_SWIFT)
int stub_errno(void) __attribute__((swift_name("getter:errno()")));
#else
extern int *__error(void);
#define errno (*__error())
#endif
#define EPERM 1
#define ENOENT 2
#define EINTR 4
#define ENOMEM 12
#define EACCES 13
#define EEXIST 17
#define EISDIR 21
#define EINVAL 22
#define ETIMEDOUT 60
#define ENOSPC 28
#define ENXIO 6
#define EROFS 30
#define EAGAIN 35
#define EWOULDBLOCK EAGAIN
#define ENOTSUP 45
#define EIO 5
#define ELOOP 62
#define EOPNOTSUPP 102
#define ENOSYS 78
#define EMLINK 31
#define EDQUOT 69
char *strerror(int code);

/* fcntl.h, sys/file.h */
#define O_RDONLY 0x0000
#define O_WRONLY 0x0001
#define O_RDWR 0x0002
#define O_NONBLOCK 0x0004
#define O_NOFOLLOW 0x0100
#define O_NOCTTY 0x20000
#define F_GETFL 3
#define F_SETFL 4
#define O_CREAT 0x0200
#define O_TRUNC 0x0400
#define O_EXCL 0x0800
#define O_CLOEXEC 0x01000000
#define F_PREALLOCATE 42
#define F_ALLOCATECONTIG 0x00000002
#define F_ALLOCATEALL 0x00000004
#define F_PEOFPOSMODE 3
#define F_SETPROTECTIONCLASS 64
typedef struct fstore {
  unsigned int fst_flags;
  int fst_posmode;
  off_t fst_offset;
  off_t fst_length;
  off_t fst_bytesalloc;
} fstore_t;
int open_dprotected_np(const char *path, int flags, int protection, int how, ...);
#define LOCK_SH 0x01
#define LOCK_EX 0x02
#define LOCK_NB 0x04
#define LOCK_UN 0x08
int flock(int descriptor, int operation);
int fcntl(int descriptor, int command, ...);
int open(const char *path, int flags, ...);
/* Swift's overlay of Darwin has functions for the two forms. */
int stub_open_file(const char *path, int flags) __attribute__((swift_name("open(_:_:)")));
int stub_make_file(const char *path, int flags, mode_t mode)
    __attribute__((swift_name("open(_:_:_:)")));

/* time.h, sys/time.h */
struct timespec {
  time_t tv_sec;
  long tv_nsec;
};
struct timeval {
  time_t tv_sec;
  suseconds_t tv_usec;
};
typedef enum {
  _CLOCK_REALTIME = 0,
  _CLOCK_MONOTONIC = 6,
  _CLOCK_MONOTONIC_RAW = 4,
  _CLOCK_UPTIME_RAW = 8
} clockid_t;
#define CLOCK_REALTIME _CLOCK_REALTIME
#define CLOCK_MONOTONIC _CLOCK_MONOTONIC
#define CLOCK_MONOTONIC_RAW _CLOCK_MONOTONIC_RAW
#define CLOCK_UPTIME_RAW _CLOCK_UPTIME_RAW
int clock_gettime(clockid_t clock, struct timespec *time);

/* sys/stat.h */
struct stat {
  dev_t st_dev;
  mode_t st_mode;
  nlink_t st_nlink;
  ino_t st_ino;
  uid_t st_uid;
  gid_t st_gid;
  dev_t st_rdev;
  struct timespec st_atimespec;
  struct timespec st_mtimespec;
  struct timespec st_ctimespec;
  struct timespec st_birthtimespec;
  off_t st_size;
  blkcnt_t st_blocks;
  blksize_t st_blksize;
};
int stat(const char *path, struct stat *status);
int lstat(const char *path, struct stat *status);
int fstat(int descriptor, struct stat *status);
#if defined(STUB_FOR_SWIFT)
static const mode_t S_IFMT = 0170000, S_IFDIR = 0040000, S_IFREG = 0100000, S_IFLNK = 0120000,
                    S_IFIFO = 0010000, S_IFSOCK = 0140000;
#endif

/* dirent.h */
typedef struct DIR DIR;
struct dirent {
  uint64_t d_ino;
  uint64_t d_seekoff;
  uint16_t d_reclen;
  uint16_t d_namlen;
  uint8_t d_type;
  char d_name[1024];
};
DIR *opendir(const char *path);
struct dirent *readdir(DIR *stream);
int closedir(DIR *stream);

/* sys/mman.h */
#define PROT_READ 0x01
#define PROT_WRITE 0x02
#define MAP_SHARED 0x0001
#define MAP_PRIVATE 0x0002
#define MAP_NORESERVE 0x0040
#define MAP_ANON 0x1000
#if defined(STUB_FOR_SWIFT)
void *stub_map_failed(void) __attribute__((swift_name("getter:MAP_FAILED()")));
#endif
void *mmap(void *address, size_t bytes, int protection, int flags, int descriptor, off_t offset);
#define MS_SYNC 0x0010
int msync(void *address, size_t bytes, int flags);
int munmap(void *address, size_t bytes);

/* unistd.h */
#define R_OK 4
#define F_OK 0
#define SEEK_SET 0
#define SEEK_CUR 1
#define SEEK_END 2
int access(const char *path, int mode);
int close(int descriptor);
int fsync(int descriptor);
int ftruncate(int descriptor, off_t size);
int fchmod(int descriptor, mode_t mode);
int link(const char *path, const char *name);
int symlink(const char *path, const char *link);
int unlink(const char *path);
int usleep(useconds_t microseconds);
off_t lseek(int descriptor, off_t offset, int whence);
pid_t getpid(void);
ssize_t pread(int descriptor, void *bytes, size_t count, off_t offset);
ssize_t pwrite(int descriptor, const void *bytes, size_t count, off_t offset);
ssize_t read(int descriptor, void *bytes, size_t count);
ssize_t write(int descriptor, const void *bytes, size_t count);

/* stdlib.h, stdio.h, string.h */
char *getenv(const char *name);
char *realpath(const char *path, char *resolved);
int atexit(void (*body)(void));
int rename(const char *path, const char *name);
int memcmp(const void *left, const void *right, size_t count);
size_t strlen(const char *text);
char *strchr(const char *text, int character);
char *strstr(const char *text, const char *part);
void *calloc(size_t count, size_t size);
void *malloc(size_t size);
void *memcpy(void *to, const void *from, size_t count);
void *memset(void *bytes, int value, size_t count);
void exit(int status) __attribute__((noreturn));
void free(void *pointer);

/* signal.h, unistd.h */
typedef unsigned sigset_t;
#define SIGHUP 1
#define SIGINT 2
#define SIGILL 4
#define SIGTRAP 5
#define SIGABRT 6
#define SIGFPE 8
#define SIGBUS 10
#define SIGSEGV 11
#define SIGSYS 12
#define SIGTERM 15
#define SIG_BLOCK 1
#define SIG_SETMASK 3
#define _SC_NPROCESSORS_ONLN 58
int sigdelset(sigset_t *set, int number);
int sigfillset(sigset_t *set);
long sysconf(int name);

/* pthread.h, pthread/qos.h */
typedef struct _opaque_pthread_t *pthread_t;
typedef unsigned long pthread_key_t;
typedef struct {
  long sig;
  char opaque[56];
} pthread_mutex_t, pthread_attr_t;
typedef struct {
  long sig;
  char opaque[8];
} pthread_once_t;
typedef struct {
  long sig;
  char opaque[40];
} pthread_cond_t;
typedef struct _opaque_pthread_mutexattr_t pthread_mutexattr_t;
typedef struct _opaque_pthread_condattr_t pthread_condattr_t;
#define PTHREAD_MUTEX_INITIALIZER {0x32AAABA7, {0}}
#define PTHREAD_COND_INITIALIZER {0x3CB0B1BB, {0}}
#define PTHREAD_ONCE_INIT {0x30B1BCBA, {0}}
#define PTHREAD_CREATE_DETACHED 2
#define QOS_CLASS_UTILITY 0x11
int pthread_atfork(void (*before)(void), void (*parent)(void), void (*child)(void));
int pthread_attr_destroy(pthread_attr_t *attributes);
int pthread_attr_init(pthread_attr_t *attributes);
int pthread_attr_setdetachstate(pthread_attr_t *attributes, int state);
int pthread_cond_broadcast(pthread_cond_t *condition);
int pthread_cond_destroy(pthread_cond_t *condition);
int pthread_cond_init(pthread_cond_t *condition, const pthread_condattr_t *attributes);
int pthread_cond_timedwait_relative_np(
    pthread_cond_t *condition, pthread_mutex_t *mutex, const struct timespec *span);
int pthread_cond_wait(pthread_cond_t *condition, pthread_mutex_t *mutex);
int pthread_create(
    pthread_t *thread, const pthread_attr_t *attributes, void *(*body)(void *), void *argument);
int pthread_getname_np(pthread_t thread, char *name, size_t size);
int pthread_key_create(pthread_key_t *key, void (*body)(void *));
int pthread_main_np(void);
int pthread_mutex_destroy(pthread_mutex_t *mutex);
int pthread_mutex_init(pthread_mutex_t *mutex, const pthread_mutexattr_t *attributes);
int pthread_mutex_lock(pthread_mutex_t *mutex);
int pthread_mutex_unlock(pthread_mutex_t *mutex);
int pthread_once(pthread_once_t *once, void (*body)(void));
int pthread_set_qos_class_self_np(unsigned quality, int priority);
int pthread_sigmask(int how, const sigset_t *set, sigset_t *old);
int pthread_setspecific(pthread_key_t key, const void *value);
pthread_t pthread_self(void);
void *pthread_getspecific(pthread_key_t key);

/* signal.h */
#define SIGKILL 9
#define SA_RESTART 0x0002
#define SA_SIGINFO 0x0040
typedef struct {
  int si_signo, si_errno, si_code;
  pid_t si_pid;
} siginfo_t;
union __sigaction_u {
  void (*__sa_handler)(int);
  void (*__sa_sigaction)(int, siginfo_t *, void *);
};
struct sigaction {
  union __sigaction_u __sigaction_u;
  sigset_t sa_mask;
  int sa_flags;
};
#define sa_sigaction __sigaction_u.__sa_sigaction
int sigaction(int signal, const struct sigaction *action, struct sigaction *before);

/* mach/mach.h, os/proc.h */
#define KERN_SUCCESS 0
#define TASK_VM_INFO 22
#define TASK_VM_INFO_COUNT ((mach_msg_type_number_t)(sizeof(task_vm_info_data_t) / sizeof(unsigned)))
typedef int kern_return_t;
typedef unsigned mach_port_t, mach_msg_type_number_t;
typedef int *task_info_t;
typedef struct {
  uint64_t phys_footprint;
} task_vm_info_data_t;
extern mach_port_t mach_task_self_;
#define mach_task_self() mach_task_self_
kern_return_t task_info(
    mach_port_t task, unsigned flavor, task_info_t info, mach_msg_type_number_t *count);
size_t os_proc_available_memory(void);

/* sys/sysctl.h, sys/proc.h */
#define CTL_KERN 1
#define KERN_PROC 14
#define KERN_PROC_PID 1
#define P_TRACED 0x00000800
#define SZOMB 5
struct extern_proc {
  struct timeval p_starttime;
  int p_flag;
  char p_stat;
};
struct kinfo_proc {
  struct extern_proc kp_proc;
};
int sysctl(int *name, unsigned count, void *old, size_t *size, void *fresh, size_t fresh_size);
int sysctlbyname(const char *name, void *old, size_t *size, void *fresh, size_t fresh_size);

/* mach/mach_time.h */
uint64_t mach_absolute_time(void);

/* os/lock.h */
typedef struct {
  uint32_t _os_unfair_lock_opaque;
} os_unfair_lock;
#define OS_UNFAIR_LOCK_INIT ((os_unfair_lock){0})
void os_unfair_lock_lock(os_unfair_lock *lock);
void os_unfair_lock_unlock(os_unfair_lock *lock);

typedef void *posix_spawn_file_actions_t;

#endif
