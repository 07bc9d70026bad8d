#ifndef CPROBE_H
#define CPROBE_H

#include <stdint.h>

/* What tests have to see of a process that Swift cannot show them. */

/* How often the calling thread has asked for memory; -1 where that cannot be counted. A program that
   links this counts from its start. */
int64_t probe_allocations(void);

/* From now on a system call of the calling thread ends the process by SIGSYS, but for write and exit;
   0 when that cannot be had here. */
int probe_forbid_system_calls(void);

/* Runs `body` in a forked child that does not call exec, and returns its exit status; -1 when it was
   killed. */
int probe_run_forked(void (*body)(void));

/* A system call that Swift's libraries do not make by themselves. */
void probe_make_system_call(void);

#endif
