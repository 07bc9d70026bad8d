#define _GNU_SOURCE
#include "CRecorder.h"

#include <pthread.h>
#include <sys/resource.h>
#include <unistd.h>

_Thread_local void *recorder_local_ring = 0;

int recorder_is_main_thread(void) {
#if defined(__APPLE__)
  return pthread_main_np();
#else
  return getpid() == gettid();
#endif
}

void recorder_thread_name(char *name, size_t size) {
  if (pthread_getname_np(pthread_self(), name, size) != 0 && size > 0) name[0] = 0;
}

void recorder_lower_priority(void) {
#if defined(__APPLE__)
  pthread_set_qos_class_self_np(QOS_CLASS_UTILITY, 0);
#else
  /* On Linux a nice value is a thread's own. */
  setpriority(PRIO_PROCESS, 0, 5);
#endif
}
