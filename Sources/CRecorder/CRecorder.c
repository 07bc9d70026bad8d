#define _GNU_SOURCE
#include "CRecorder.h"

#include <pthread.h>
#include <sys/resource.h>
#include <unistd.h>

_Thread_local void *recorder_local_ring = 0;

/* Written in a forked child alone, before it has a second thread. */
int recorder_forked = 0;

enum { descriptor_slots = 8 };
static _Atomic int descriptors[descriptor_slots] = {-1, -1, -1, -1, -1, -1, -1, -1};
static atomic_uint descriptor_count = 0;

void recorder_close_when_forked(int descriptor) {
  unsigned place = atomic_fetch_add(&descriptor_count, 1) % descriptor_slots;
  atomic_store(&descriptors[place], descriptor);
}

static void silence_child(void) {
  recorder_forked = 1;
  recorder_local_ring = 0;
  for (int place = 0; place < descriptor_slots; ++place) {
    int descriptor = atomic_load(&descriptors[place]);
    if (descriptor >= 0) close(descriptor);
  }
}

static void watch_forks(void) { pthread_atfork(0, 0, silence_child); }

void recorder_watch_forks(void) {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  pthread_once(&once, watch_forks);
}

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
