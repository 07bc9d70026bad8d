#ifndef CTRACER_H
#define CTRACER_H

#include <stdint.h>

/* Runs a process of which each system call is seen before it is made and when it has returned, and which
   can be stopped between any two instructions. On Linux; elsewhere nothing can be traced. */

/* The system calls that are told apart. */
enum {
  TRACER_OTHER = 0,
  TRACER_OPEN,
  TRACER_WRITE,
  TRACER_SYNC,
  TRACER_TRUNCATE,
  TRACER_SEEK,
  TRACER_LOCK,
  TRACER_LINK,
  TRACER_RENAME,
  TRACER_UNLINK,
  TRACER_FLUSH,
  TRACER_ALLOCATE,
  TRACER_MAP,
  TRACER_CLOSE,
  TRACER_SLEEP
};

/* Why a process stands, or what has become of it. */
enum {
  /* Some time has passed. */
  TRACER_NOTHING = 0,
  TRACER_CALLS,
  TRACER_RETURNS,
  /* A thread has got a signal, which `result` names: one that begins stands so, too. */
  TRACER_SIGNAL,
  /* A thread has started another one, which `result` names. */
  TRACER_BEGINS,
  /* A thread, or a process, has ended, with the status `result` as waitpid tells it. */
  TRACER_ENDED
};

typedef struct {
  int32_t kind;
  int32_t thread;
  /* Of a call: which one; the path it names, or that of its descriptor; a second path. */
  int32_t call;
  int32_t flags;
  char path[512];
  char other[512];
  /* How many bytes a write has, and where its bytes, or a sleep's time, lie. */
  uint64_t length;
  uint64_t address;
  int64_t result;
} tracer_stop;

/* Whether processes can be traced here: 0, or the error. */
int32_t tracer_check(void);

/* Starts a program and stops it before its first instruction; its output and errors go into the files of
   these descriptors. Returns its number, or a negative error. Processes that its end leaves behind become
   this one's. */
int32_t tracer_start(char *const *words, char *const *environment, int32_t output, int32_t errors);

/* Waits until a thread stands or something ends, at most some milliseconds. */
void tracer_wait(tracer_stop *stop);

/* How a thread goes on: to its end, or to its next call. */
void tracer_run(int32_t thread, int32_t signal);
void tracer_run_to_call(int32_t thread, int32_t signal);

/* Runs so many instructions of a thread, but no system call: behind its `result` instructions it stands
   before one, or it has ended. */
int32_t tracer_step(int32_t thread, int32_t count);

/* Has the call before which a thread stands not be made; what it returns is to be set when it has. */
void tracer_skip_call(int32_t thread);
void tracer_set_result(int32_t thread, int64_t result);

/* Changes the length of the write before which, or behind which, a thread stands. */
void tracer_set_length(int32_t thread, uint64_t length);

/* Reads or writes memory of a process; how many bytes that were. */
int64_t tracer_read(int32_t process, uint64_t address, void *bytes, uint64_t count);
int64_t tracer_write(int32_t process, uint64_t address, const void *bytes, uint64_t count);

#endif
