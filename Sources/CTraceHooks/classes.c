#if defined(TRACE_HOOKS_GNU)
#define _GNU_SOURCE
#endif
#include "CTraceHooks.h"

#if defined(__APPLE__) || defined(TRACE_HOOKS_GNU)

#if !defined(__has_feature)
#define __has_feature(name) 0
#endif
#if __has_feature(ptrauth_calls)
#include <ptrauth.h>
#endif

#include <dlfcn.h>
#include <objc/message.h>
#include <objc/runtime.h>
#include <stddef.h>
#include <string.h>

#include "calls.h"

#if defined(TRACE_HOOKS_GNU)
#define SEND(type, receiver, selector) ((type)objc_msg_lookup(receiver, selector))
#else
#define SEND(type, receiver, selector) ((type)objc_msgSend)
#endif

const void *trace_hook_class_of(const void *object) {
  return object ? (const void *)object_getClass((id)object) : NULL;
}

const void *trace_hook_class_named(const char *name) { return (const void *)objc_getClass(name); }

const char *trace_hook_selector_name(uintptr_t selector) {
  return selector ? sel_getName((SEL)selector) : NULL;
}

const char *trace_hook_class_name(const void *cls) {
  return cls ? class_getName((Class)cls) : NULL;
}

/* An address of code without its signature, which arm64e puts into pointers to functions. */
static const void *unsigned_address(const void *code) {
#if __has_feature(ptrauth_calls)
  return ptrauth_strip(code, ptrauth_key_function_pointer);
#else
  return code;
#endif
}

/* Whether code lies in no library of the system; a simulator's lies in a folder of its own. */
static int is_apps(const void *code) {
  Dl_info image;
  if (!code || !dladdr(unsigned_address(code), &image) || !image.dli_fname) return 0;
  return !strstr(image.dli_fname, "/System/") && !strstr(image.dli_fname, "/usr/lib/");
}

const void *trace_hook_method_of(const void *cls, const char *selector) {
  return cls ? (const void *)class_getInstanceMethod((Class)cls, sel_registerName(selector)) : NULL;
}

int trace_hook_is_apps_method(const void *cls, const char *selector) {
  Method method = (Method)trace_hook_method_of(cls, selector);
  return method && is_apps((const void *)method_getImplementation(method));
}

int trace_hook_is_apps_block(uintptr_t block) {
  /* The beginning of every block. Its code is signed for the place where it lies: it is no function here. */
  const struct {
    void *isa;
    int flags, reserved;
    uintptr_t invoke;
  } *layout = (const void *)block;
  return layout && is_apps((const void *)layout->invoke);
}

/* Whether a class was made at run time: no image has it. */
static int is_made_at_run_time(const void *cls) {
#if defined(TRACE_HOOKS_GNU)
  Dl_info image;
  return !dladdr(cls, &image);
#else
  return !class_getImageName((Class)cls);
#endif
}

int trace_hook_implements(const void *cls, const char *selector) {
  while (cls && is_made_at_run_time(cls)) cls = (const void *)class_getSuperclass((Class)cls);
  return trace_hook_method_of(cls, selector) != NULL;
}

const void *trace_hook_forwards(const void *object, const char *selector) {
  SEL forwarding = sel_registerName("forwardingTargetForSelector:");
  if (!object || !class_getInstanceMethod(object_getClass((id)object), forwarding)) return NULL;
  id target = SEND(id(*)(id, SEL, SEL), (id)object, forwarding)(
      (id)object, forwarding, sel_registerName(selector));
  return target == (id)object ? NULL : (const void *)target;
}

const void *trace_hook_application(void) {
  Class cls = (Class)objc_getClass("UIApplication");
  SEL shared = sel_registerName("sharedApplication");
  if (!cls || !class_getInstanceMethod(object_getClass((id)cls), shared)) return NULL;
  return (const void *)SEND(id(*)(id, SEL), (id)cls, shared)((id)cls, shared);
}

#else

const void *trace_hook_class_of(const void *object) { return (void)object, (void *)0; }

const void *trace_hook_class_named(const char *name) { return (void)name, (void *)0; }

const char *trace_hook_selector_name(uintptr_t selector) { return (void)selector, (void *)0; }

const char *trace_hook_class_name(const void *cls) { return (void)cls, (void *)0; }

const void *trace_hook_method_of(const void *cls, const char *selector) {
  return (void)cls, (void)selector, (void *)0;
}

int trace_hook_is_apps_method(const void *cls, const char *selector) {
  return (void)cls, (void)selector, 0;
}

int trace_hook_is_apps_block(uintptr_t block) { return (void)block, 0; }

const void *trace_hook_forwards(const void *object, const char *selector) {
  return (void)object, (void)selector, (void *)0;
}

const void *trace_hook_application(void) { return (void *)0; }

#endif
